import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Account } from '../../src/acts/act.js';
import { CATALOGUE } from '../../src/agents/catalogue.js';
import { identify, makeRoster, sameGroup, sharedMarked } from '../../src/agents/roster.js';
import type { IdentifyOptions, Roster } from '../../src/agents/roster.js';
import {
  ACTIONS,
  CLAUDE_APP,
  COPILOT,
  CURSOR_USER,
  DEPENDABOT,
  QUEUE,
  RAE,
  SELF,
  bot,
  policyOf,
  user,
} from './policy-of.js';
import type { AgentGiven } from './policy-of.js';

const rosterOf = (agents: Record<string, AgentGiven> = {}, automation?: readonly string[]): Roster =>
  makeRoster(policyOf(agents, automation), SELF);

/** The identity in a word: `agent:coder`, `automation:renovate`, `undisclosed`. */
function told(roster: Roster, account: Account, options?: IdentifyOptions): string {
  const identity = identify(roster, account, options);
  switch (identity.kind) {
    case 'agent':
      return `agent:${identity.agent}`;
    case 'automation':
    case 'unknown-bot':
    case 'platform':
      return `${identity.kind}:${identity.name}`;
    case 'self':
    case 'undisclosed':
      return identity.kind;
  }
}

const CODER = { coder: { apps: [1001], accounts: [9001, 'fws-coder'] } };

describe('who an account is', () => {
  test.each<[string, Roster, Account, string]>([
    ['a declared id is the agent', rosterOf(CODER), bot(9001, 'coder[bot]'), 'agent:coder'],
    ['a declared id is the agent under any login', rosterOf(CODER), bot(9001, 'renamed[bot]'), 'agent:coder'],
    ['a declared id decides alone, whatever the type', rosterOf(CODER), user(9001, 'coder'), 'agent:coder'],
    ['a declared login is the agent', rosterOf(CODER), user(5, 'fws-coder'), 'agent:coder'],
    ['a declared login is compared without case', rosterOf(CODER), user(5, 'FWS-Coder'), 'agent:coder'],
    [
      'a login that begins like a declared one is another',
      rosterOf(CODER),
      user(5, 'fws-coder2'),
      'undisclosed',
    ],
    [
      'a declared login is not its bot',
      rosterOf(CODER),
      bot(5, 'fws-coder[bot]'),
      'unknown-bot:fws-coder[bot]',
    ],
    [
      'the bot of a declared App slug is the agent',
      rosterOf({ x: { apps: ['Acme-Fix'] } }),
      bot(5, 'acme-fix[bot]'),
      'agent:x',
    ],
    [
      'a person with the slug as login is not',
      rosterOf({ x: { apps: ['acme-fix'] } }),
      user(5, 'acme-fix'),
      'undisclosed',
    ],
    [
      'nor is one called like its bot',
      rosterOf({ x: { apps: ['acme-fix'] } }),
      user(5, 'acme-fix[bot]'),
      'undisclosed',
    ],
    [
      'a declared slug of the catalogue brings its account',
      rosterOf({ x: { apps: ['copilot-swe-agent'] } }),
      COPILOT,
      'agent:x',
    ],
    [
      'a declared App id of the catalogue brings its account',
      rosterOf({ x: { apps: [15368] } }),
      ACTIONS,
      'agent:x',
    ],
    ["a catalogue account nobody listed is the family's", rosterOf(), COPILOT, 'agent:copilot'],
    ['a renamed catalogue account still is', rosterOf(), bot(198982749, 'Autopilot'), 'agent:copilot'],
    ['the login Copilot with another id is not', rosterOf(), bot(4242, 'Copilot'), 'unknown-bot:Copilot'],
    ['a person called Copilot is not', rosterOf(), user(4242, 'Copilot'), 'undisclosed'],
    ["the catalogue's id with another type is not", rosterOf(), user(198982749, 'Copilot'), 'undisclosed'],
    ['User claude (81847) is not the bot', rosterOf({ claude: {} }), user(81847, 'claude'), 'undisclosed'],
    ['a catalogue account of type User is the agent by id', rosterOf(), CURSOR_USER, 'agent:cursor'],
    ['its login with another id is not', rosterOf({ cursor: {} }), user(77, 'cursoragent'), 'undisclosed'],
    [
      'a listed family has all its accounts',
      rosterOf({ claude: {} }),
      bot(242468646, 'Claude'),
      'agent:claude',
    ],
    [
      'a listed id has its own account only',
      rosterOf({ 'claude-github-app': {} }),
      bot(242468646, 'Claude'),
      'agent:claude',
    ],
    [
      'a listed id is told under that id',
      rosterOf({ 'claude-github-app': {} }),
      CLAUDE_APP,
      'agent:claude-github-app',
    ],
    [
      'an id listed beside its family leaves the family',
      rosterOf({ claude: { level: 'none' }, 'claude-github-app': { level: 'merge' } }),
      CLAUDE_APP,
      'agent:claude-github-app',
    ],
    [
      'an account without a known id needs its name listed',
      rosterOf(),
      bot(6, 'sweep-ai[bot]'),
      'unknown-bot:sweep-ai[bot]',
    ],
    [
      'and is the agent by login where it is',
      rosterOf({ sweep: {} }),
      bot(6, 'sweep-ai[bot]'),
      'agent:sweep',
    ],
    ['if the type agrees', rosterOf({ sweep: {} }), user(6, 'sweep-ai[bot]'), 'undisclosed'],
    ['listed automation is left alone', rosterOf(), DEPENDABOT, 'automation:dependabot'],
    [
      'a bot whose name begins like it is not',
      rosterOf(),
      bot(8, 'dependabot-pro[bot]'),
      'unknown-bot:dependabot-pro[bot]',
    ],
    [
      'its login with another id is not',
      rosterOf(),
      bot(8, 'dependabot[bot]'),
      'unknown-bot:dependabot[bot]',
    ],
    ['its id with another type is not', rosterOf(), user(49699333, 'dependabot'), 'undisclosed'],
    ['an empty automation list is a choice', rosterOf({}, []), DEPENDABOT, 'unknown-bot:dependabot[bot]'],
    [
      'automation may be an exact bot login',
      rosterOf({}, ['acme-sync[bot]']),
      bot(8, 'Acme-Sync[bot]'),
      'automation:acme-sync[bot]',
    ],
    [
      'a person never is automation by login',
      rosterOf({}, ['acme-sync']),
      user(8, 'acme-sync'),
      'undisclosed',
    ],
    [
      'automation may name a reviewer of the catalogue',
      rosterOf({}, ['coderabbit']),
      bot(136622811, 'coderabbitai[bot]'),
      'automation:coderabbit',
    ],
    [
      'an agent of the policy is no automation, though listed as both',
      rosterOf({ renovate: {} }, ['renovate']),
      bot(29139614, 'renovate[bot]'),
      'agent:renovate',
    ],
    ["a workflow's token is the platform's", rosterOf(), ACTIONS, 'platform:github-actions'],
    [
      'unless the policy has it left alone',
      rosterOf({}, ['github-actions']),
      ACTIONS,
      'automation:github-actions',
    ],
    ["the merge queue is the platform's", rosterOf(), QUEUE, 'platform:merge-queue'],
    ['whatever the policy leaves alone', rosterOf({}, ['merge-queue']), QUEUE, 'platform:merge-queue'],
    [
      'another account of that login is not',
      rosterOf(),
      bot(9, 'github-actions[bot]'),
      'unknown-bot:github-actions[bot]',
    ],
    ['our own bot is ours', rosterOf(), bot(7770, 'agent-policy[bot]'), 'self'],
    [
      'also where an entry lists it',
      rosterOf({ x: { accounts: [7770] } }),
      bot(7770, 'agent-policy[bot]'),
      'self',
    ],
    [
      'our login on another id is not ours',
      rosterOf(),
      bot(7771, 'agent-policy[bot]'),
      'unknown-bot:agent-policy[bot]',
    ],
    ['our id on a person is not ours', rosterOf(), user(7770, 'agent-policy[bot]'), 'undisclosed'],
    ['a bot nobody listed is unknown', rosterOf(), bot(3, 'helper[bot]'), 'unknown-bot:helper[bot]'],
    [
      'an organization is undisclosed',
      rosterOf(),
      { id: 3, login: 'acme', type: 'Organization' },
      'undisclosed',
    ],
    ['everybody else is undisclosed', rosterOf(CODER), RAE, 'undisclosed'],
  ])('%s', (_rule, roster, account, expected) => {
    expect(told(roster, account)).toBe(expected);
  });

  test("while our bot's id is unknown, its login on a bot is ours and on a person is not", () => {
    const roster = makeRoster(policyOf(), { appId: 777, botId: null, botLogin: 'agent-policy[bot]' });
    expect(told(roster, bot(1, 'Agent-Policy[bot]'))).toBe('self');
    expect(told(roster, user(1, 'agent-policy[bot]'))).toBe('undisclosed');
  });
});

describe("an App that acts on a person's grant", () => {
  test("makes the act the agent's, with the App as evidence", () => {
    expect(identify(rosterOf(CODER), RAE, { viaApp: 1001 })).toEqual({
      kind: 'agent',
      agent: 'coder',
      shared: false,
      account: RAE,
      evidence: {
        class: 'app-id',
        tier: 'certain',
        agent: 'coder',
        field: 'performed_via_github_app.id',
        value: '1001',
      },
    });
  });
  test.each<[string, Roster, number]>([
    ['an App nobody declared says nothing', rosterOf(CODER), 1002],
    ['an account id is no App id', rosterOf(CODER), 9001],
    ["our own App on a person's grant is that person", rosterOf(CODER), 777],
  ])('%s', (_rule, roster, viaApp) => {
    expect(told(roster, RAE, { viaApp })).toBe('undisclosed');
  });
});

describe('evidence of an account', () => {
  test.each<[string, Roster, Account, object]>([
    [
      'a declared id',
      rosterOf(CODER),
      bot(9001, 'c[bot]'),
      { class: 'declared-account', field: 'merged_by.id', value: '9001' },
    ],
    [
      'a declared login',
      rosterOf(CODER),
      user(5, 'FWS-coder'),
      { class: 'declared-account', field: 'merged_by.login', value: 'FWS-coder' },
    ],
    [
      'a catalogue id',
      rosterOf(),
      COPILOT,
      { class: 'account-id', field: 'merged_by.id', value: '198982749' },
    ],
    [
      'a catalogue id of a listed family',
      rosterOf({ copilot: {} }),
      COPILOT,
      { class: 'account-id', field: 'merged_by.id', value: '198982749' },
    ],
  ])('%s names the field it was seen in', (_rule, roster, account, expected) => {
    const identity = identify(roster, account, { field: 'merged_by' });
    expect(identity).toMatchObject({ kind: 'agent', evidence: { tier: 'certain', ...expected } });
  });
});

describe("a login that is also a person's", () => {
  const otto = user(12, 'otto');
  test('shared: yes is the agent, and shared', () => {
    expect(identify(rosterOf({ robot: { accounts: [12], shared: 'yes' } }), otto)).toMatchObject({
      kind: 'agent',
      agent: 'robot',
      shared: true,
    });
  });
  test('shared: marked is undisclosed by the account alone, and its agent can be asked', () => {
    const roster = rosterOf({ robot: { accounts: [12], shared: 'marked' } });
    expect(told(roster, otto)).toBe('undisclosed');
    expect(sharedMarked(roster, otto)).toBe('robot');
    expect(sharedMarked(roster, RAE)).toBeNull();
    expect(sharedMarked(rosterOf({ robot: { accounts: [12], shared: 'yes' } }), otto)).toBeNull();
  });
  test.each(['yes', 'marked'] as const)(
    "a bot is never a person's, though its entry is shared: %s",
    (shared) => {
      const roster = rosterOf({ robot: { accounts: [9001, 12], shared } });
      const account = bot(9001, 'alpha[bot]');
      expect(identify(roster, account)).toMatchObject({ kind: 'agent', agent: 'robot', shared: false });
      expect(sharedMarked(roster, account)).toBeNull();
    },
  );
  test("what the catalogue brings along is no person's, though the entry is shared", () => {
    const roster = rosterOf({ cursor: { accounts: [12], shared: 'marked' } });
    expect(identify(roster, CURSOR_USER)).toMatchObject({ kind: 'agent', agent: 'cursor', shared: false });
    expect(told(roster, otto)).toBe('undisclosed');
  });
  test('an App that acts on a shared login is not shared', () => {
    const roster = rosterOf({ robot: { apps: [1001], accounts: [12], shared: 'yes' } });
    expect(identify(roster, RAE, { viaApp: 1001 })).toMatchObject({ agent: 'robot', shared: false });
  });
});

describe('an account that two entries list', () => {
  test.each<[string, Record<string, AgentGiven>, string]>([
    [
      'is judged at the lower level',
      { a: { accounts: [1], level: 'merge' }, b: { accounts: [1], level: 'none' } },
      'b',
    ],
    [
      'whatever their order',
      { b: { accounts: [1], level: 'none' }, a: { accounts: [1], level: 'merge' } },
      'b',
    ],
    ['by login or id alike', { a: { accounts: [1], level: 'merge' }, b: { accounts: ['one'] } }, 'b'],
    [
      'then under the one that gates',
      { a: { accounts: [1] }, b: { accounts: [1], onEvidence: 'gate' } },
      'b',
    ],
    [
      'then under the one that is not shared',
      { a: { accounts: [1], shared: 'yes' }, b: { accounts: [1] } },
      'b',
    ],
    ['then under the first name', { b: { accounts: [1] }, a: { accounts: [1] } }, 'a'],
    [
      'a marked entry gives way to one that lists it outright',
      { a: { accounts: [1], shared: 'marked', level: 'none' }, b: { accounts: [1], level: 'merge' } },
      'b',
    ],
  ])('%s', (_rule, agents, expected) => {
    expect(told(rosterOf(agents), user(1, 'one'))).toBe(`agent:${expected}`);
  });
  test('is shared only where both say so', () => {
    const both = rosterOf({ a: { accounts: [1], shared: 'yes' }, b: { accounts: [1], shared: 'yes' } });
    const one = rosterOf({ a: { accounts: [1], shared: 'yes', level: 'none' }, b: { accounts: [1] } });
    expect(identify(both, user(1, 'one'))).toMatchObject({ shared: true });
    expect(identify(one, user(1, 'one'))).toMatchObject({ agent: 'a', shared: false });
  });
});

describe('a control group', () => {
  const roster = rosterOf({
    fleet: { apps: ['acme-fix'], accounts: [9001, 'otto'], shared: 'marked' },
    claude: { accounts: [13] },
  });
  test.each<[string, string, Account, boolean]>([
    ['has the ids an entry lists', 'fleet', bot(9001, 'x[bot]'), true],
    ['has the logins it lists', 'fleet', user(12, 'Otto'), true],
    ['has the bot of an App it lists by slug', 'fleet', bot(5, 'acme-fix[bot]'), true],
    ["has the catalogue's accounts", 'claude', CLAUDE_APP, true],
    ["has what the entry adds to the catalogue's", 'claude', RAE, true],
    ["has not another entry's", 'fleet', RAE, false],
    ['has not a look-alike', 'claude', user(81847, 'claude'), false],
    ['of a family nobody listed has its accounts', 'copilot', bot(175728472, 'Copilot'), true],
    ['of a family nobody listed has no others', 'copilot', CLAUDE_APP, false],
    [
      'of a family nobody listed has no account of another type',
      'copilot',
      user(175728472, 'Copilot'),
      false,
    ],
  ])('%s', (_rule, agent, account, expected) => {
    expect(sameGroup(roster, agent, account)).toBe(expected);
  });
  test('an account declared elsewhere is out of its catalogue family', () => {
    expect(sameGroup(rosterOf({ x: { accounts: [198982749] } }), 'copilot', COPILOT)).toBe(false);
  });
});

describe('whatever an account is called', () => {
  const ids = new Set(
    CATALOGUE.flatMap(({ accounts }) => accounts.flatMap(({ id }) => (id === null ? [] : [id]))),
  );
  const logins = CATALOGUE.flatMap(({ accounts }) => accounts.flatMap((account) => account.logins));
  const named = fc.oneof(fc.string(), fc.constantFrom(...logins, 'agent-policy', 'otto[bot]', '__proto__'));
  const listed = rosterOf({
    claude: {},
    copilot: {},
    cursor: {},
    coder: { apps: [1001], accounts: [9001] },
  });

  test('no login makes an undeclared account an agent, automation or ours', () => {
    fc.assert(
      fc.property(
        fc.nat().filter((id) => !ids.has(id) && id !== 9001 && id !== SELF.botId),
        named,
        fc.constantFrom<Account['type']>('User', 'Bot', 'Organization'),
        (id, login, type) => {
          const { kind } = identify(listed, { id, login, type });
          expect(kind).toBe(type === 'Bot' ? 'unknown-bot' : 'undisclosed');
        },
      ),
      { numRuns: 500 },
    );
  });

  test('no login takes anything from a known id', () => {
    fc.assert(
      fc.property(named, (login) => {
        expect(told(listed, { ...COPILOT, login })).toBe('agent:copilot');
        expect(told(listed, { ...DEPENDABOT, login })).toBe('automation:dependabot');
        expect(told(listed, { ...QUEUE, login })).toBe('platform:merge-queue');
      }),
    );
  });
});
