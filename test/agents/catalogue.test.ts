import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { CATALOGUE, catalogueEntries, catalogueEntry, catalogueNames } from '../../src/agents/catalogue.js';
import type { CatalogueEntry } from '../../src/agents/catalogue.js';

const accounts = CATALOGUE.flatMap((entry) => entry.accounts);
const lines = (entry: CatalogueEntry): readonly RegExp[] => [
  ...entry.trailers,
  ...entry.sharedTrailers,
  ...entry.prBody,
  ...entry.branches,
  ...entry.titles,
  ...entry.messages,
  ...entry.commitNames,
];
const patterns = CATALOGUE.flatMap((entry) => lines(entry).map((pattern) => [entry.id, pattern] as const));
const links = CATALOGUE.flatMap((entry) => entry.prLinks.map((pattern) => [entry.id, pattern] as const));

describe('names', () => {
  test('there are 33 entries, each with an id of its own', () => {
    expect(CATALOGUE).toHaveLength(33);
    expect(new Set(CATALOGUE.map(({ id }) => id)).size).toBe(33);
  });
  test('every family and every id is a name, once', () => {
    const names = catalogueNames();
    expect(new Set(names).size).toBe(names.length);
    for (const { id, family } of CATALOGUE) expect(names).toEqual(expect.arrayContaining([id, family]));
  });
  test('a family that has the id of an entry has no other entry', () => {
    for (const { family } of CATALOGUE.filter((entry) => entry.id === entry.family)) {
      expect(catalogueEntries(family).map(({ id }) => id)).toEqual([family]);
    }
  });
  test.each<[string, readonly string[]]>([
    ['claude', ['claude-github-app', 'claude-on-github', 'claude-code']],
    ['claude-code', ['claude-code']],
    ['copilot', ['copilot-cloud-agent', 'copilot-code-review', 'copilot-cli', 'copilot-vscode']],
    ['codex', ['codex-cloud', 'codex-on-github', 'codex-cli']],
    ['gemini', ['gemini-code-assist', 'gemini-cli']],
    ['devin', ['devin']],
    ['Claude', []],
    ['toString', []],
    ['', []],
  ])('%j brings %j', (name, ids) => {
    expect(catalogueEntries(name).map(({ id }) => id)).toEqual(ids);
  });
  test('an entry is found by its id, not by its family', () => {
    expect(catalogueEntry('claude-code')?.family).toBe('claude');
    expect(catalogueEntry('claude')).toBeNull();
  });
  test('every name may stand in a policy and in an escalation key', () => {
    for (const name of catalogueNames()) expect(name).toMatch(/^[a-z0-9][a-z0-9-]{0,63}$/);
  });
});

describe('facts', () => {
  test('no account id, App id or slug stands twice', () => {
    for (const values of [
      accounts.map(({ id }) => id),
      accounts.map(({ appId }) => appId),
      accounts.map(({ appSlug }) => appSlug),
    ]) {
      const known = values.filter((value) => value !== null && value !== undefined);
      expect(new Set(known).size).toBe(known.length);
    }
  });
  test('26 account ids are known', () => {
    expect(accounts.filter(({ id }) => id !== null)).toHaveLength(26);
  });
  test("the User claude (81847) is nobody's account", () => {
    expect(accounts.some(({ id }) => id === 81847)).toBe(false);
  });
  test('every entry or each of its accounts has a source', () => {
    for (const entry of CATALOGUE) {
      const sources = [...entry.sources, ...entry.accounts.flatMap((account) => account.sources)];
      expect([entry.id, sources.length > 0]).toEqual([entry.id, true]);
    }
    for (const { logins, sources } of accounts) expect([logins, sources.length > 0]).toEqual([logins, true]);
  });
  test("addresses and labels are lower case, and each address is one entry's", () => {
    const addresses = CATALOGUE.flatMap(({ commitEmails }) => commitEmails);
    expect(new Set(addresses).size).toBe(addresses.length);
    for (const address of addresses) {
      expect(address).toBe(address.toLowerCase());
      expect(address).toMatch(/^[^\s@<>]+@[a-z0-9.-]+$/);
    }
    for (const label of CATALOGUE.flatMap(({ labels }) => labels)) expect(label).toBe(label.toLowerCase());
  });
  test("a bot's address on GitHub has the id of an account of the entry, or of none", () => {
    for (const entry of CATALOGUE) {
      for (const address of entry.commitEmails) {
        const id = /^(\d+)\+/.exec(address)?.[1];
        if (id === undefined || entry.accounts.length === 0) continue;
        // claude-code-action puts the id of github-actions[bot] in front of its own name.
        if (address === '41898282+claude[bot]@users.noreply.github.com') continue;
        expect(entry.accounts.map((account) => String(account.id))).toContain(id);
      }
    }
  });
  test("VS Code's setting is weak and means nothing while it was written unasked", () => {
    expect(catalogueEntry('copilot-vscode')).toMatchObject({
      trailerTier: 'weak',
      falseWindow: { from: '2026-04-22', to: '2026-05-06' },
    });
  });
  test("a reviewer's trailer, which a person's click writes, is weak", () => {
    for (const entry of CATALOGUE.filter(({ kind, trailers }) => kind === 'review' && trailers.length > 0)) {
      expect([entry.id, entry.trailerTier]).toEqual([entry.id, 'weak']);
    }
  });
});

/** What stands outside of all groups and classes of a pattern's source. */
function withoutGroups(source: string): string {
  let bare = source.replace(/\\./g, '').replace(/\[[^\]]*\]/g, '');
  while (/\([^()]*\)/.test(bare)) bare = bare.replace(/\([^()]*\)/g, '');
  return bare;
}

describe('patterns', () => {
  test.each(patterns)('%s: %s begins at the start of a line', (_id, pattern) => {
    expect(pattern.source.startsWith('^')).toBe(true);
    // An alternative at the top level would go free of the anchor.
    expect(withoutGroups(pattern.source)).not.toContain('|');
    expect(pattern.flags).toMatch(/^[iu]*$/);
  });
  test.each(links)('%s: %s is a whole address with an id', (_id, pattern) => {
    expect(pattern.source).toMatch(/^https:\\\/\\\//);
    expect(pattern.source).toMatch(/\{\d+,\d+\}$/);
    expect(pattern.flags).toBe('');
  });

  const hostile = [
    ...['a', ' ', '<', '-', '1', '@', '\t', 'codex', 'claude', 'gemini-cli', 'x@', '🤖'].map((unit) =>
      unit.repeat(Math.ceil(100_000 / unit.length)),
    ),
  ];
  const starts = [
    '',
    'Co-authored-by: ',
    'Co-authored-by: codex',
    'Co-authored-by: Aider',
    'Co-authored-by: x <',
    'Signed-off-by: codex ',
    'AI-Agent: openai codex ',
    'Co-authored-by: claude ',
    'Agent-Logs-Url: https://',
    'Amp-Thread-ID: https://ampcode.com/threads/',
    'https://claude.ai/code/session_',
    'https://app.devin.ai/sessions/',
    'https://cursor.com/agents?id=bc-',
    '<!-- gh-aw-workflow-id: ',
    'jules-1234567890-',
  ];
  test.each([...patterns, ...links])('%s: %s takes linear time on 100 KB', (_id, pattern) => {
    const before = performance.now();
    for (const start of starts) for (const rest of hostile) pattern.test(`${start}${rest}\u0000`);
    // 180 strings of 100 KB: a scan of each takes a few milliseconds in all, the square of one would take minutes.
    expect(performance.now() - before).toBeLessThan(2_000);
  });
});

describe('docs/agents.md', () => {
  const doc = readFileSync(new URL('../../docs/agents.md', import.meta.url), 'utf8');
  test.each(CATALOGUE.map((entry) => [entry.id, entry] as const))(
    'has %s as it is in the catalogue',
    (id, entry) => {
      const row = doc
        .split('\n')
        .find((line) => line.startsWith('| `') && line.split('|')[2]?.trim() === `\`${id}\``);
      const ids = entry.accounts.flatMap((account) => [
        account.id === null ? 'id not known' : String(account.id),
        ...account.logins.map((login) => `\`${login}\``),
      ]);
      const cells = row?.split('|').map((cell) => cell.trim()) ?? [];
      expect(cells[1]).toBe(`\`${entry.family}\``);
      expect(cells[3]).toBe(entry.kind);
      for (const known of ids) expect(cells[4]).toContain(known);
      if (ids.length === 0) expect(cells[4]).toBe('**none**');
    },
  );
});
