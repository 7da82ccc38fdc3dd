import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { runCli } from '../../src/cli/program.js';
import { EVENT_KEYS, FAMILIES } from '../../src/sandbox/event-table.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** A command line of a page, run where the page says: in the checkout. */
const run = async (line: string): Promise<{ status: number; out: string; err: string }> => {
  const said = { out: '', err: '' };
  const status = await runCli(line.split(' ').slice(2), {
    out: (text) => (said.out += text),
    err: (text) => (said.err += text),
    readFile: (path) => readFileSync(join(root, path)),
    exists: (path) => existsSync(join(root, path)),
  });
  return { status, ...said };
};

const shown = (page: string, command: string): readonly string[] =>
  read(page)
    .split('\n')
    .filter((line) => line.startsWith(`npx agent-policy ${command} `));

describe('what the pages show works in the checkout, as it stands', () => {
  const lines = ['README.md', 'docs/cli.md'].flatMap((page) => [
    ...shown(page, 'validate'),
    ...shown(page, 'explain'),
  ]);

  test('there is something to try', () => {
    expect(lines.length).toBeGreaterThanOrEqual(4);
  });

  test.each(lines)('%s', async (line) => {
    const { status, out, err } = await run(line);
    expect({ status, err }).toEqual({ status: 0, err: '' });
    expect(out).not.toBe('');
  });
});

describe('examples/agent-policy.yml', () => {
  const file = 'examples/agent-policy.yml';

  test('is valid, and asks for nothing of a later version', async () => {
    expect(await run(`npx agent-policy validate ${file}`)).toEqual({
      status: 0,
      out: `${file}: valid\n`,
      err: '',
    });
  });

  test('with a misspelled level -> refused at its place', async () => {
    const said = { out: '' };
    const status = await runCli(['validate', file], {
      out: (text) => (said.out += text),
      err: () => undefined,
      readFile: () => new TextEncoder().encode(read(file).replace(/^merge: pr$/m, 'merge: prr')),
      exists: () => false,
    });
    expect(status).toBe(1);
    expect(said.out).toMatch(/^examples\/agent-policy\.yml:\d+:8: .*did you mean "pr"\?\)\n$/);
  });

  test.each([
    ['claude', 'pull.open', 'allow'],
    ['claude', 'pull.merge', 'deny'],
    ['coder', 'pull.merge', 'allow'],
    ['coder', 'release.publish', 'allow'],
    ['coder', 'tag.create', 'deny'],
  ])('it says of %s and %s: %s', async (agent, act, verdict) => {
    const { out } = await run(
      `npx agent-policy explain --policy ${file} --agent ${agent} --act ${act} --json`,
    );
    expect(JSON.parse(out)).toMatchObject({ agent, act, verdict, file });
  });
});

describe('docs/simulate.md', () => {
  const page = read('docs/simulate.md');
  const block = (language: string, at: number): string =>
    [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))][at]?.[1] ?? '';

  test('its case holds, and its JSON is what is printed', async () => {
    let out = '';
    const status = await runCli(['simulate', '--check', '--json', 'CASE.yml'], {
      out: (text) => (out += text),
      err: (text) => (out += text),
      readFile: () => new TextEncoder().encode(block('yaml', 0)),
      exists: () => true,
    });
    const printed = out
      .trimEnd()
      .split('\n')
      .map((line): unknown => JSON.parse(line));
    expect(status).toBe(0);
    expect(printed[1]).toEqual(JSON.parse(block('json', 0)));
    expect(printed.at(-1)).toEqual(JSON.parse(block('json', 1)));
  });

  const events = page.slice(page.indexOf('\n## Events\n'));
  /** Cells of the table of events, without their padding. */
  const rowOf = (name: string): readonly string[] =>
    (events.split('\n').find((line) => line.startsWith(`| \`${name}\` `)) ?? '')
      .split('|')
      .map((cell) => cell.trim());
  const words = (cell: string | undefined): readonly string[] =>
    [...(cell ?? '').matchAll(/`(\w+)`/g)].map(([, word = '']) => word);

  const all = Object.values(FAMILIES).map(({ keys }) => Object.keys(keys.shape));
  const common = (all[0] ?? []).filter((key) => all.every((keys) => keys.includes(key)));

  test.each(Object.entries(FAMILIES))('has the actions and keys of %s', (name, { actions, keys }) => {
    const [, , shownActions, shownKeys] = rowOf(name);
    expect(words(shownActions)).toEqual(actions ?? []);
    expect(words(shownKeys)).toEqual(Object.keys(keys.shape).filter((key) => !common.includes(key)));
  });

  test.each([...common, ...EVENT_KEYS.slice(-3)])('names %s', (key) => {
    expect(page).toMatch(new RegExp(`\`${key}[:\`]`));
  });
});
