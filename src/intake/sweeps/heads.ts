import { identify } from '../../agents/roster.js';
import type { Context } from '../../decide/context.js';
import type { PullFact } from '../../decide/facts.js';
import { isTrunk } from '../../policy/read.js';
import type { Desk } from '../deps.js';
import { ON_ITS_WAY } from './schedule.js';
import { type Found, recheckFound } from './synthetic.js';

export interface HeadsDeps {
  readonly desk: Desk;
  readonly context: Context;
  /** When the pass began: what a pass has asked for, it does not ask for twice. ISO 8601, UTC. */
  readonly pass: string;
  /** Heads that were looked at in this pass already. */
  readonly looked: readonly string[];
  readonly keep: (looked: readonly string[]) => Promise<void>;
  readonly accept: (found: Found) => Promise<void>;
  /** Milliseconds since 1970, UTC. */
  readonly now: () => number;
}

/** Heads looked at between two notes of where it got to. */
const NOTED_EVERY = 20;

/**
 * Open PRs to a trunk whose head has no check of ours, neither by what we remember nor on GitHub, are looked at again:
 * people's first, since a required check that never comes holds them up. Our own are left to their webhook: we have only
 * just opened them.
 */
export async function sweepHeads(deps: HeadsDeps): Promise<void> {
  const { desk, context, pass, accept, keep } = deps;
  const looked = new Set(deps.looked);
  let since = 0;
  for (const { pull, person } of await pullsOf(deps)) {
    const { sha } = pull.head;
    if (looked.has(sha)) continue;
    if (!(await isChecked(sha, desk))) {
      const guid = `heads:${context.repository.id}:${pull.number}:${sha}:${Date.parse(pass)}`;
      await accept(recheckFound(guid, pull, person ? 'people' : 'agents'));
    }
    looked.add(sha);
    since += 1;
    if (since % NOTED_EVERY === 0) await keep([...looked]);
  }
}

/**
 * By what we remember, or by GitHub. A check there that fails, and of which we know nothing, is from before this
 * database: what it says may be over, a suspension above all.
 */
async function isChecked(sha: string, desk: Desk): Promise<boolean> {
  if ((await desk.ledger.check(sha)) !== undefined) return true;
  const check = await desk.facts.ourCheck(sha);
  return check !== null && check.conclusion !== 'failure';
}

async function pullsOf({ desk, context, now }: HeadsDeps) {
  const pulls = (await desk.facts.openPulls()).filter(
    ({ author, base, updatedAt }) =>
      isTrunk(context.policy, base.ref, context.repository.defaultBranch) &&
      identify(context.roster, author).kind !== 'self' &&
      now() - Date.parse(updatedAt) > ON_ITS_WAY,
  );
  const all = pulls.map((pull) => ({ pull, person: isPersons(pull, context) }));
  return [...all.filter(({ person }) => person), ...all.filter(({ person }) => !person)];
}

const isPersons = ({ author }: PullFact, context: Context): boolean =>
  author.type === 'User' && identify(context.roster, author).kind === 'undisclosed';
