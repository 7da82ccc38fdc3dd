/** What a person or bot may do in the repository, as GitHub names the roles. */
export type Role = 'none' | 'read' | 'triage' | 'write' | 'maintain' | 'admin';

export interface AppRecord {
  readonly id: number;
  readonly slug: string;
}

export interface SandboxAccount {
  readonly id: number;
  readonly login: string;
  readonly type: 'User' | 'Bot' | 'Organization';
  readonly role: Role;
  /** The App a bot account belongs to. */
  readonly app: AppRecord | null;
}

/** GitHub Actions: a check run without an app is its. */
export const ACTIONS_APP = 15368;

const person = (id: number, login: string, role: Role): SandboxAccount => ({
  id,
  login,
  type: 'User',
  role,
  app: null,
});

const bot = (id: number, login: string, app: number): SandboxAccount => ({
  id,
  login,
  type: 'Bot',
  role: 'write',
  app: { id: app, slug: login.replace(/\[bot\]$/, '') },
});

/** The people and agents of the default world (docs/simulate.md). */
const CAST: Readonly<Record<string, SandboxAccount>> = {
  otto: person(12, 'otto', 'admin'),
  mara: person(11, 'mara', 'maintain'),
  rae: person(13, 'rae', 'write'),
  tia: person(15, 'tia', 'triage'),
  ivo: person(14, 'ivo', 'read'),
  alpha: bot(9001, 'alpha-agent[bot]', 1001),
  beta: bot(9002, 'beta-agent[bot]', 1002),
  robot: person(9003, 'acme-robot', 'write'),
};

/** Accounts that stand for themselves, by the numeric ids GitHub gave them. App ids beside 15368 and 29110 are made up. */
const KNOWN: readonly SandboxAccount[] = [
  bot(41898282, 'github-actions[bot]', ACTIONS_APP),
  bot(118344674, 'github-merge-queue[bot]', 900_001),
  bot(49699333, 'dependabot[bot]', 29110),
  bot(29139614, 'renovate[bot]', 900_002),
  bot(198982749, 'Copilot', 900_003),
  bot(198982749, 'copilot-swe-agent[bot]', 900_003),
  bot(175728472, 'copilot-pull-request-reviewer[bot]', 900_004),
  bot(209825114, 'claude[bot]', 900_005),
  bot(242468646, 'anthropic-code-agent[bot]', 900_006),
  bot(199175422, 'chatgpt-codex-connector[bot]', 900_007),
  bot(242516109, 'openai-code-agent[bot]', 900_008),
  bot(206951365, 'cursor[bot]', 900_009),
  bot(158243242, 'devin-ai-integration[bot]', 900_010),
  bot(161369871, 'google-labs-jules[bot]', 900_011),
  bot(176961590, 'gemini-code-assist[bot]', 900_012),
  bot(138933559, 'factory-droid[bot]', 900_013),
  bot(189301087, 'windsurf-bot[bot]', 900_014),
  bot(263205322, 'roomote[bot]', 900_015),
  bot(205137888, 'cline[bot]', 900_016),
  bot(208079219, 'amazon-q-developer[bot]', 900_017),
  bot(245459735, 'kiro-agent[bot]', 900_018),
  bot(151058649, 'qodo-merge-pro[bot]', 900_019),
  bot(136622811, 'coderabbitai[bot]', 900_020),
];

export const ORGANIZATION: SandboxAccount = {
  id: 500,
  login: 'acme',
  type: 'Organization',
  role: 'admin',
  app: null,
};

/** Everybody of a case, by the short names the case uses. */
export interface Accounts {
  /** `alpha`, `otto`, a known login, a login of the cast; any other name is made: `x[bot]` a Bot, else a User without write. */
  named(name: string): SandboxAccount;
  /** By login, exactly as GitHub compares them (without case); undefined for nobody. */
  byLogin(login: string): SandboxAccount | undefined;
  /** The bot account of an App: one of those above, or one that is made. */
  ofApp(id: number): SandboxAccount;
  /** An organization by its login; one nobody named before is made. */
  organization(login: string): SandboxAccount;
  readonly ourApp: SandboxAccount;
}

export const createAccounts = (ourAppId: number): Accounts => {
  const ourApp = bot(9777, 'agent-policy[bot]', ourAppId);
  const byName = new Map<string, SandboxAccount>([
    ...Object.entries(CAST),
    ['app', ourApp],
    ...[...Object.values(CAST), ...KNOWN, ourApp, ORGANIZATION].map((account): [string, SandboxAccount] => [
      account.login,
      account,
    ]),
  ]);
  let nextId = 20_001;

  const make = (name: string, appId?: number): SandboxAccount => {
    const id = nextId++;
    const made = /\[bot\]$/.test(name) ? bot(id, name, appId ?? 910_000 + id) : person(id, name, 'read');
    byName.set(name, made);
    return made;
  };

  const makeOrganization = (login: string): SandboxAccount => {
    const made: SandboxAccount = { id: nextId++, login, type: 'Organization', role: 'admin', app: null };
    byName.set(login, made);
    return made;
  };

  return {
    ourApp,
    organization: (login) =>
      [...byName.values()].find(
        (account) => account.type === 'Organization' && account.login.toLowerCase() === login.toLowerCase(),
      ) ?? makeOrganization(login),
    named: (name) => byName.get(name) ?? make(name),
    byLogin: (login) =>
      [...byName.values()].find((account) => account.login.toLowerCase() === login.toLowerCase()),
    ofApp: (id) =>
      [...byName.values()].find((account) => account.app?.id === id) ?? make(`app-${id}[bot]`, id),
  };
};
