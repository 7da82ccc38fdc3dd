import { describe, expect, test } from '@jest/globals';
import { measure } from '../../src/agents/measure.js';

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

function run(argv: readonly string[], files: Readonly<Record<string, string>> = {}): Ran {
  const out: string[] = [];
  const err: string[] = [];
  const code = measure(argv, {
    read: (path) => {
      const text = files[path];
      if (text === undefined) throw Object.assign(new Error('no such file'), { code: 'ENOENT' });
      return text;
    },
    out: (text) => out.push(text),
    err: (text) => err.push(text),
  });
  return { code, out: out.join(''), err: err.join('') };
}

const person = (label: string, rest: object = {}): object => ({
  label,
  author: { login: 'human-1', id: null, type: 'User' },
  created_at: '2025-05-08T03:30:00Z',
  body_markers: [],
  commits: [],
  ...rest,
});
const bot = (label: string, login: string, id: number | null): object => ({
  ...person(label),
  author: { login, id, type: 'Bot' },
});
const file = (...rows: readonly object[]): Record<string, string> => ({
  f: rows.map((row) => `${JSON.stringify(row)}\n`).join(''),
});
const json = (rows: Readonly<Record<string, string>>): unknown =>
  JSON.parse(run(['--file', 'f', '--json'], rows).out);

describe('what is measured', () => {
  test('outcomes by label, agents by tier, and that no person is called an agent', () => {
    const rows = file(
      bot('Copilot', 'Copilot', 198982749),
      bot('Copilot', 'copilot-swe-agent[bot]', null),
      bot('Dependabot', 'dependabot[bot]', null),
      person('Claude', { body_markers: ['Co-Authored-By: Claude <noreply@anthropic.com>'] }),
      person('Claude', {
        commits: [
          {
            author: 'human-1',
            committer: 'web-flow',
            trailers: ['Claude-Session: https://claude.ai/code/x'],
          },
        ],
      }),
      person('Claude', { commits: [{ author: 'cursoragent', committer: null, trailers: [] }] }),
      person('Codex', { head: 'codex/fix' }),
      person('Codex', {
        commits: [{ author: null, committer: null, trailers: ['Co-authored-by: Human <h@e.com>'] }],
      }),
    );
    const none = { certain: 0, strong: 0, indicative: 0, weak: 0 };
    expect(json(rows)).toEqual({
      people_called_agent: 0,
      by_label: {
        Claude: { n: 3, agent: 0, 'likely-agent': 3, undisclosed: 0 },
        Codex: { n: 2, agent: 0, 'likely-agent': 1, undisclosed: 1 },
        Copilot: { n: 2, agent: 2, 'likely-agent': 0, undisclosed: 0 },
        Dependabot: { n: 1, agent: 0, 'likely-agent': 0, automation: 1, undisclosed: 0 },
      },
      by_agent: {
        claude: { ...none, indicative: 2 },
        codex: { ...none, weak: 1 },
        copilot: { ...none, certain: 2 },
        cursor: { ...none, indicative: 1 },
      },
      with_branch: 1,
    });
  });

  test.each([
    ["a person with a bot's login", { login: 'Copilot', id: null, type: 'User' }],
    ["a person with a login of the catalogue's User", { login: 'cursoragent', id: null, type: 'User' }],
    ['a person with a login in other letters', { login: 'claude', id: null, type: 'User' }],
    ['a bot with a look-alike login', { login: 'copilot', id: null, type: 'Bot' }],
    ["a bot with a login of the catalogue's User", { login: 'cursoragent', id: null, type: 'Bot' }],
    ['a bot with its login and another id', { login: 'Copilot', id: 7, type: 'Bot' }],
  ])('no id is made up for %s', (_who, author) => {
    expect(json(file({ ...person('X'), author }))).toMatchObject({
      people_called_agent: 0,
      by_label: { X: { n: 1, agent: 0, undisclosed: 1 } },
    });
  });

  test('a person whose id the catalogue has as a User is counted as one called an agent', () => {
    const rows = file({ ...person('X'), author: { login: 'kiro-agent', id: 244629292, type: 'User' } });
    expect(json(rows)).toMatchObject({ people_called_agent: 1 });
  });

  test('for people it is two tables', () => {
    const rows = file(bot('Devin', 'devin-ai-integration[bot]', null), person('Esc\u001b[31m'));
    expect(run(['--file', 'f'], rows)).toEqual({
      code: 0,
      err: '',
      out: [
        'Outcome by label',
        'label     PRs  agent  likely-agent  automation  undisclosed  recognized',
        'Devin       1      1             0           0            0      100.0%',
        'Esc·[31m    1      0             0           0            1        0.0%',
        '',
        'PRs by agent found and its strongest evidence',
        'agent  certain  strong  indicative  weak',
        'devin        1       0           0     0',
        '',
        'People called agent: 0',
        'No row names its head branch, so evidence from branches is not measured.',
        '',
      ].join('\n'),
    });
  });
});

describe('what cannot be measured ends with exit code 2 and says where', () => {
  const good = JSON.stringify(person('X'));
  test.each<[string, readonly string[], Readonly<Record<string, string>>, string]>([
    ['no file named', [], {}, "required option '--file <path>' not specified"],
    ['an unknown option', ['--file', 'f', '--csv'], { f: good }, "unknown option '--csv'"],
    ['a file that is not there', ['--file', 'gone'], {}, 'gone: cannot be read (ENOENT). Check the path.'],
    ['an empty file', ['--file', 'f'], { f: '\n\n' }, 'f: no pull request in it.'],
    ['a line that is not JSON', ['--file', 'f'], { f: `${good}\n\n{"secret":` }, 'f:3: is not JSON.'],
    ['a line that is no object', ['--file', 'f'], { f: '[]' }, 'f:1: row:'],
    ['a row without an author', ['--file', 'f'], { f: `${good}\n{"label":"X"}` }, 'f:2: author:'],
    [
      'a row with a wrong type of account',
      ['--file', 'f'],
      { f: good.replace('"User"', '"Robot"') },
      'f:1: author.type:',
    ],
    [
      'a row with commits that are none',
      ['--file', 'f'],
      { f: good.replace('"commits":[]', '"commits":[1]') },
      'f:1: commits.0:',
    ],
  ])('%s', (_what, argv, files, message) => {
    const ran = run(argv, files);
    expect(ran.code).toBe(2);
    expect(ran.err).toContain(message);
    expect(ran.err).not.toContain('secret');
    expect(ran.out).toBe('');
  });

  test('help is no fault', () => {
    const ran = run(['--help']);
    expect(ran.code).toBe(0);
    expect(ran.out).toContain('--file <path>');
  });
});
