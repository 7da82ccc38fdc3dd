import { describe, expect, test } from '@jest/globals';
import { notInThisVersion } from '../../src/policy/later.js';
import {
  bothExtensions,
  loadPolicyFile,
  originOf,
  type PolicyFile,
  type Scope,
} from '../../src/policy/load.js';
import { NAMES, ORG_SAMPLE, SAMPLE } from './sample.js';

const FILE = '.github/agent-policy.yml';

const load = (text: string | Uint8Array, scope: Scope = 'repo') =>
  loadPolicyFile(text, FILE, scope, { catalogue: NAMES });

/** `line:column path`, with the suggestion behind an arrow. */
const places = (text: string | Uint8Array, scope: Scope = 'repo'): readonly string[] => {
  const result = load(text, scope);
  if (result.kind === 'valid') return [];
  return result.problems.map(({ line, column, path, suggestion }) =>
    `${String(line)}:${String(column)} ${path}${suggestion === undefined ? '' : ` -> ${suggestion}`}`.trimEnd(),
  );
};

const messages = (text: string | Uint8Array, scope: Scope = 'repo'): string => {
  const result = load(text, scope);
  return result.kind === 'valid' ? '' : result.problems.map(({ message }) => message).join('\n');
};

const valid = (text: string, scope: Scope = 'repo'): PolicyFile => {
  const result = load(text, scope);
  if (result.kind === 'invalid') throw new Error(JSON.stringify(result.problems));
  return result.file;
};

describe('a file that loads', () => {
  test('every key of the reference', () => {
    expect(places(SAMPLE)).toEqual([]);
    expect(valid(SAMPLE).content.agents?.['coder']?.accounts).toEqual([9003, 'fws-coder']);
  });

  test.each([
    ['the version alone', 'version: 1'],
    ['a byte order mark', '\uFEFFversion: 1\n'],
    ['line ends of Windows', 'version: 1\r\nmerge: pr\r\n'],
    ['the JSON that YAML includes', '{"version": 1, "merge": "none"}'],
    ['a document marker at the beginning', '---\nversion: 1\n'],
    ['quotes around a word', 'version: 1\n"merge": "pr"\n'],
    ['an anchor used twice', 'version: 1\npeople: { approvers: &us [otto] }\nescalate: { assignees: *us }\n'],
    ['an agent named like a property of objects', 'version: 1\nagents: { constructor: { accounts: [1] } }\n'],
    ['a bot as an exact login', 'version: 1\nautomation: ["acme-sync[bot]", github-actions]\n'],
    ['empty lists', 'version: 1\nautomation: []\ntrunk: []\npeople: { approvers: [] }\n'],
    ['the default branch by its name in rulesets', 'version: 1\ntrunk: ["~DEFAULT_BRANCH", "release/*"]\n'],
    ['a shared login by its marks', 'version: 1\nagents: { claude: { accounts: [12], shared: marked } }\n'],
    ['a folder in parentheses', 'version: 1\nprotected-paths: ["app/(shop)/**"]\n'],
    ['no limit', 'version: 1\nlimits: { open-pulls: unlimited, merges-per-day: 0 }\n'],
  ])('%s', (_, text) => {
    expect(places(text)).toEqual([]);
  });

  test('bytes and text load alike', () => {
    expect(load(new TextEncoder().encode(SAMPLE))).toEqual(load(SAMPLE));
  });

  test('an origin names layer, file, line and column', () => {
    expect(originOf(valid(SAMPLE), ['agents', 'coder', 'merge'])).toEqual({
      layer: 'repo',
      file: FILE,
      line: 12,
      column: 12,
    });
    expect(originOf(valid(SAMPLE), ['agents', 'coder'])).toEqual({
      layer: 'repo',
      file: FILE,
      line: 7,
      column: 3,
    });
  });
});

describe('each kind of bad file names line, column and path', () => {
  test.each<[string, string, readonly string[]]>([
    ['unknown key: at the key', 'version: 1\nmerg: pr\n', ['2:1 merg -> merge']],
    ['unknown key with no near one', 'version: 1\nzzzzzz: 1\n', ['2:1 zzzzzz']],
    [
      'unknown key of an agent',
      'version: 1\nagents:\n  claude:\n    merges: pr\n',
      ['4:5 agents.claude.merges -> merge'],
    ],
    ['unknown act', 'version: 1\nacts: { pull.merg: deny }\n', ['2:9 acts.pull.merg -> pull.merge']],
    [
      'underscore for hyphen',
      'version: 1\nprotected_paths: []\n',
      ['2:1 protected_paths -> protected-paths'],
    ],
    ['a key that belongs elsewhere', 'version: 1\napprovals: 2\n', ['2:1 approvals -> people.approvals']],
    ['wrong value: at the value', 'version: 1\nmerge: prr\n', ['2:8 merge -> pr']],
    [
      'wrong value of an agent',
      'version: 1\nagents: { claude: { merge: mrge } }\n',
      ['2:28 agents.claude.merge -> merge'],
    ],
    ['yes is text in YAML 1.2', 'version: 1\npeople: { gated: yes }\n', ['2:18 people.gated -> true']],
    ['duplicate key: at the second', 'version: 1\nmerge: none\nmerge: merge\n', ['3:1 merge']],
    ['duplicate key in quotes', 'version: 1\nmerge: none\n"merge": merge\n', ['3:1 merge']],
    [
      'nested duplicate key',
      'version: 1\npeople: { approvals: 1, approvals: 0 }\n',
      ['2:25 people.approvals'],
    ],
    [
      'duplicate agent',
      'version: 1\nagents:\n  claude: {}\n  claude: { merge: merge }\n',
      ['4:3 agents.claude'],
    ],
    ['wrong type: a text for a list', 'version: 1\ntrunk: main\n', ['2:8 trunk']],
    ['wrong type: a list for a map', 'version: 1\npeople: [otto]\n', ['2:9 people']],
    ['wrong type: a number in quotes', 'version: "1"\n', ['1:10 version -> 1']],
    [
      'an account id in quotes',
      'version: 1\nagents: { coder: { accounts: ["9003"] } }\n',
      ['2:31 agents.coder.accounts[0] -> 9003'],
    ],
    ['a key left empty', 'version: 1\nmerge:\n', ['2:7 merge']],
    ['an agent left empty', 'version: 1\nagents:\n  claude:\n', ['3:10 agents.claude']],
    ['version missing', 'merge: pr\n', ['1:1 version']],
    ['version newer', 'version: 2\nmerge: maybe\n', ['1:10 version']],
    ['version not whole', 'version: 1.5\n', ['1:10 version']],
    ['a list at the top', '- version: 1\n', ['1:1']],
    ['a scalar', 'version 1\n', ['1:1']],
    ['empty', '', ['1:1']],
    ['only spaces and line ends', '\n  \n', ['1:1']],
    ['only comments', '# version: 1\n', ['1:1']],
    ['only a document marker', '---\n', ['1:1']],
    ['tabs for indentation', 'version: 1\npeople:\n\tapprovals: 1\n', ['3:1']],
    ['a bracket never closed', 'version: 1\ntrunk: [main\nmerge: pr\n', ['3:1']],
    ['several documents', 'version: 1\n---\nversion: 1\n', ['3:1']],
    ['a directive', '%YAML 1.1\n---\nversion: 1\n', ['1:1']],
    ['a merge key', 'version: 1\nagents:\n  claude: { <<: { merge: pr } }\n', ['3:13 agents.claude.<<']],
    ['a number as key', 'version: 1\n1: 2\n', ['2:1']],
    ['a list as key', 'version: 1\n? [a]\n: 1\n', ['2:3']],
    ['no key at all', 'version: 1\n: pr\n', ['2:1']],
    ['a tag', 'version: 1\nmerge: !!str pr\n', ['2:14 merge']],
    ['an alias of nothing', 'version: 1\nmerge: *level\n', ['2:8 merge']],
    ['an anchor inside itself', 'version: 1\ntrunk: &t [*t]\n', ['2:12 trunk[0]']],
    ['__proto__ as key', 'version: 1\n__proto__: { merge: merge }\n', ['2:1 __proto__']],
    ['__proto__ as agent', 'version: 1\nagents: { __proto__: {} }\n', ['2:11 agents.__proto__']],
    ['constructor as key', 'version: 1\nconstructor: 1\n', ['2:1 constructor']],
    ['a colon in an agent name', 'version: 1\nagents: { "a:b": { accounts: [1] } }\n', ['2:11 agents.a:b']],
    ['a NUL', 'version: 1\nmerge: p\0r\n', ['2:9']],
    ['an escape character', 'version: 1 # \u001b[2J\n', ['1:14']],
    ['a bidirectional override', 'version: 1\n# \u202e none :egrem\n', ['2:3']],
    ['own where nobody can tell', 'version: 1\nacts: { tag.create: own }\n', ['2:21 acts.tag.create']],
    ['a negative limit', 'version: 1\nlimits: { open-pulls: -1 }\n', ['2:23 limits.open-pulls']],
    ['a fraction', 'version: 1\npeople: { approvals: 1.5 }\n', ['2:22 people.approvals']],
    ['not a number', 'version: 1\npeople: { approvals: .nan }\n', ['2:22 people.approvals']],
    [
      'an id too large to count',
      'version: 1\nagents: { a: { accounts: [99999999999999999999] } }\n',
      ['2:27 agents.a.accounts[0]'],
    ],
    ['a duration without unit', 'version: 1\nruns: { quiet: 45 }\n', ['2:16 runs.quiet']],
    ['a duration too long', 'version: 1\nruns: { quiet: 9999d }\n', ['2:16 runs.quiet']],
    ['a negated pattern', 'version: 1\nprotected-paths: ["!src/**"]\n', ['2:19 protected-paths[0]']],
    [
      'a pattern from the root',
      'version: 1\nprotected-paths: [/docs/**]\n',
      ['2:19 protected-paths[0] -> docs/**'],
    ],
    [
      'a folder without its files',
      'version: 1\nprotected-paths: [docs/]\n',
      ['2:19 protected-paths[0] -> docs/**'],
    ],
    ['a ref for a branch', 'version: 1\ntrunk: [refs/heads/main]\n', ['2:9 trunk[0] -> main']],
    [
      'a mention without its sign',
      'version: 1\nescalate: { mention: mara }\n',
      ['2:22 escalate.mention -> "@mara"'],
    ],
    [
      'a login with a sign',
      'version: 1\npeople: { approvers: ["@otto"] }\n',
      ['2:23 people.approvers[0] -> otto'],
    ],
  ])('%s', (_, text, expected) => {
    expect(places(text)).toEqual(expected);
    expect(messages(text)).toMatch(/\S/u);
  });

  test("invalid UTF-8 names the byte's place", () => {
    const bytes = new Uint8Array([...new TextEncoder().encode('version: 1\nmerge: '), 0xff, 0x0a]);
    expect(places(bytes)).toEqual(['2:8']);
    expect(messages(bytes)).toContain('UTF-8');
  });

  test('a picture', () => {
    expect(places(new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]))).toEqual(['1:1']);
  });

  test('1 MiB is refused before it is parsed', () => {
    const started = performance.now();
    expect(places(`version: 1\n${'# comment\n'.repeat(104_857)}`)).toEqual(['1:1']);
    expect(messages('x'.repeat(1024 * 1024))).toContain('1048576 bytes');
    expect(performance.now() - started).toBeLessThan(1_000);
  });

  test('64 KiB is the last size that loads', () => {
    const of = (size: number): string => `version: 1\n#${'x'.repeat(size - 12)}`;
    expect(places(of(65_536))).toEqual([]);
    expect(places(of(65_537))).toEqual(['1:1']);
  });

  test('an alias bomb', () => {
    const layers = Array.from({ length: 9 }, (_, n) =>
      n === 0
        ? 'a0: &a0 [lol]'
        : `a${String(n)}: &a${String(n)} [${Array(9)
            .fill(`*a${String(n - 1)}`)
            .join(', ')}]`,
    );
    const bomb = `version: 1\n${layers.join('\n')}\n`;
    const started = performance.now();
    expect(messages(bomb)).toContain('more than 100 times');
    expect(performance.now() - started).toBeLessThan(1_000);
  });

  test('100 uses of an anchor load, 101 do not', () => {
    const uses = (count: number): string =>
      `version: 1\ntrunk: [&m main, ${Array(count).fill('*m').join(', ')}]\n`;
    expect(places(uses(100))).toEqual([]);
    expect(messages(uses(101))).toContain('more than 100 times');
  });

  test('a large value behind many aliases', () => {
    const large = `version: 1\ntrunk: &t [${Array(5_000).fill('a').join(', ')}]\nx: [*t, *t, *t]\n`;
    expect(messages(large)).toContain('too large');
  });

  test.each([
    ['brackets', '['.repeat(60_000)],
    ['braces', '{a: '.repeat(16_000)],
    ['dashes', '- '.repeat(30_000)],
    ['question marks', '? '.repeat(30_000)],
    ['colons', 'a: '.repeat(20_000)],
    ['indentation', Array.from({ length: 330 }, (_, n) => `${' '.repeat(n)}a:`).join('\n')],
  ])('deep nesting by %s is refused without recursion', (_, text) => {
    expect(messages(text)).toContain('nested or indented more deeply');
  });
});

describe('all problems are told', () => {
  const TEXT = `version: 1
override: any
merge: prr
agents:
  claud: {}
  coder: { shared: yes, acts: { tag.move: own } }
automation: [dependabo, "x[bot]"]
merge: pr
forcepush: allow
`;

  test('in the order of their places', () => {
    expect(places(TEXT)).toEqual([
      '2:1 override',
      '3:8 merge -> pr',
      '5:3 agents.claud -> claude',
      '6:3 agents.coder -> codex',
      '6:20 agents.coder.shared -> true',
      '6:43 agents.coder.acts.tag.move',
      '7:14 automation[0] -> dependabot',
      '8:1 merge',
      '9:1 forcepush',
    ]);
  });

  test('as one text', () => {
    expect(messages(TEXT)).toMatchInlineSnapshot(`
     "override is only for an organization's file (.github/agent-policy.yml in the owner's .github repository); remove it here
     merge takes none, pr or merge, not "prr"
     no agent of the name "claud" is in the catalogue; list its apps or accounts
     no agent of the name "coder" is in the catalogue; list its apps or accounts
     agents.coder.shared takes true, false or marked, not "yes"
     agents.coder.acts.tag.move takes allow or deny, not "own" (own is only for push.force, branch.delete or issue.close: of nothing else can be told that only this agent made it)
     no bot of the name "dependabo" is in the catalogue; write its exact login, such as "dependabo[bot]"
     "merge" is here twice (first in line 3); keep one of them
     "forcepush" is not a key of a policy file; its keys are version, mode, preset, merge, on-evidence, agents, trunk, acts, people, protected-paths, automation, unknown-bots, limits, runs, enforce, remedies, escalate, report, advise, override, repositories"
    `);
  });

  test('the same way each time', () => {
    expect(load(TEXT)).toEqual(load(TEXT));
  });

  test('up to 200, with a count of the rest', () => {
    const text = `version: 1\n${Array.from({ length: 300 }, (_, n) => `zz${String(n)}: 1`).join('\n')}\n`;
    const problems = places(text);
    expect(problems).toHaveLength(201);
    expect(messages(text)).toContain('and 100 more problems');
  });
});

describe('what only an organization says', () => {
  test('override and repositories load in its file', () => {
    expect(places(ORG_SAMPLE, 'org')).toEqual([]);
  });

  test('and are refused in a repository, with the reason', () => {
    expect(places('version: 1\noverride: any\nrepositories: { include: [a] }\n')).toEqual([
      '2:1 override',
      '3:1 repositories',
    ]);
    expect(messages('version: 1\noverride: any\n')).toContain("only for an organization's file");
  });
});

describe('names', () => {
  test('an agent without accounts must be in the catalogue', () => {
    expect(messages('version: 1\nagents: { mycoder: { merge: pr } }\n')).toBe(
      'no agent of the name "mycoder" is in the catalogue; list its apps or accounts',
    );
    expect(places('version: 1\nagents: { mycoder: { merge: pr, accounts: [] } }\n')).toEqual([
      '2:11 agents.mycoder',
    ]);
  });

  test.each(['apps: [1]', 'accounts: [1]', 'deploy-keys: [1]'])(
    'an agent with %s may have any name',
    (list) => {
      expect(places(`version: 1\nagents: { mycoder: { ${list} } }\n`)).toEqual([]);
    },
  );

  test("an agent that the organization's file declares needs no accounts", () => {
    const known = { catalogue: NAMES, declared: ['mycoder'] };
    const text = 'version: 1\nagents: { mycoder: { merge: none } }\n';
    expect(loadPolicyFile(text, FILE, 'repo', known).kind).toBe('valid');
  });

  test('a look-alike of automation is not automation', () => {
    expect(places('version: 1\nautomation: [dependabot-pro]\n')).toEqual([
      '2:14 automation[0] -> dependabot',
    ]);
  });

  test('without a catalogue no name is judged', () => {
    expect(loadPolicyFile('version: 1\nagents: { mycoder: {} }\n', FILE).kind).toBe('valid');
  });
});

test('what a file says never reaches a message raw', () => {
  const text = 'version: 1\nmerge: "\\e[2J\\u202e@acme/all\\u200b"\n';
  expect(messages(text)).toBe('merge takes none, pr or merge, not "\\u001b[2J\\u202e@acme/all\\u200b"');
});

test('both extensions are one problem', () => {
  expect(bothExtensions()).toMatchObject({ line: 1, column: 1, path: '' });
  expect(bothExtensions('.github').message).toContain(
    '.github/agent-policy.yml and .github/agent-policy.yaml',
  );
});

test('keys of later releases are noted at their place', () => {
  const notes = notInThisVersion(valid('version: 1\nreport: off\npeople: { gated: true, approvals: 1 }\n'));
  expect(notes.map(({ line, column, path }) => [line, column, path])).toEqual([
    [2, 1, 'report'],
    [3, 11, 'people.gated'],
  ]);
  expect(notInThisVersion(valid('version: 1\nmerge: pr\n'))).toEqual([]);
});
