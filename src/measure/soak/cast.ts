/** Whoever appears in the story: the policy's name of an agent, and its login. People are known by their logins. */
export interface Actor {
  readonly name: string;
  readonly login: string;
}

const agent = (name: string): Actor => ({ name, login: `${name}-agent[bot]` });

/** Agents that keep within the policy: whatever they do is theirs to do. */
export const HONEST = [agent('alpha'), agent('beta')] as const;

/** One that may merge, and merges only what our check has passed. */
export const MERGER: Actor = agent('gamma');

/**
 * Agents that do what the policy denies at every level, and nothing that a suspension would change: what follows is the
 * same, whatever order the webhooks come in.
 */
export const ROGUES = [agent('rho'), agent('sigma'), agent('tau')] as const;

export const PEOPLE = ['rae', 'otto'] as const;
/** A person whose approval counts, and who opens nothing. */
export const APPROVER = 'mara';

export const POLICY = `version: 1
merge: pr
agents:
${[...HONEST, MERGER, ...ROGUES]
  .map(
    (one) =>
      `  ${one.name}: { accounts: ["${one.login}"]${one.name === MERGER.name ? ', merge: merge' : ''} }\n`,
  )
  .join('')}limits: { open-pulls: unlimited, pulls-per-hour: unlimited, merges-per-day: unlimited }
`;
