import { describe, expect, test } from '@jest/globals';
import type { FileFact } from '../../src/decide/facts.js';
import { touchedBy } from '../../src/decide/protected.js';
import { at, file } from './make.js';

const BUILT_IN = at('pr').policy;
const DOCS = at('pr', 'protected-paths: ["docs/**", "**/secret.txt"]\n').policy;
const NONE = at('pr', 'protected-paths: []\n').policy;

const touched = (files: readonly FileFact[], policy = BUILT_IN) =>
  touchedBy({ kind: 'complete', files }, policy);

describe('files', () => {
  test.each([
    ['src/app.ts', 'nothing'],
    ['docs/AGENTS.md', 'other'],
    ['AGENTS.md', 'other'],
    ['claude.md', 'other'],
    ['.GITHUB/dependabot.yml', 'other'],
    ['.github/agent-policy.yml', 'policy'],
    ['.github/agent-policy.yaml', 'policy'],
    ['.GitHub/Agent-Policy.YML', 'policy'],
    ['.github/workflows/ci.yml', 'workflows'],
    ['.github/workflows/deep/ci.yml', 'other'],
    ['packages/a/.github/agent-policy.yml', 'nothing'],
  ])('%s -> %s', (path, where) => {
    const { policy, workflows, other } = touched([file(path)]);
    const expected = { policy: [] as string[], workflows: [] as string[], other: [] as string[] };
    if (where !== 'nothing') expected[where as keyof typeof expected] = [path];
    expect({ policy, workflows, other }).toEqual(expected);
  });

  test('policy and workflows are kept for people also where no path is protected', () => {
    const files = ['.github/agent-policy.yml', '.github/workflows/ci.yml', '.github/CODEOWNERS'].map((path) =>
      file(path),
    );
    expect(touched(files, NONE)).toEqual({
      policy: ['.github/agent-policy.yml'],
      workflows: ['.github/workflows/ci.yml'],
      other: [],
      unknown: null,
    });
  });

  test.each(['added', 'removed', 'modified', 'changed'] as const)('a protected file that is %s', (status) => {
    expect(touched([file('docs/a.md', { status })], DOCS).other).toEqual(['docs/a.md']);
  });
});

describe('renames', () => {
  const renamed = (path: string, previousPath: string, status: FileFact['status'] = 'renamed') =>
    touched([file(path, { previousPath, status })], DOCS).other;

  test('away from a protected path: its old name counts', () => {
    expect(renamed('src/a.md', 'docs/a.md')).toEqual(['docs/a.md']);
  });

  test('to a protected path: its new name counts', () => {
    expect(renamed('docs/a.md', 'src/a.md')).toEqual(['docs/a.md']);
  });

  test('from one to another: both count, in the order of their names', () => {
    expect(renamed('docs/b.md', 'docs/a.md')).toEqual(['docs/a.md', 'docs/b.md']);
  });

  test('a copy from a protected path touches nothing there', () => {
    expect(renamed('src/a.md', 'docs/a.md', 'copied')).toEqual([]);
  });

  test('the policy file renamed away is still an edit of it', () => {
    const away = file('old.yml', { status: 'renamed', previousPath: '.github/agent-policy.yml' });
    expect(touched([away]).policy).toEqual(['.github/agent-policy.yml']);
  });
});

describe('symbolic links', () => {
  const kept = (linksTo: string, policy = DOCS) => touched([file('src/link', { linksTo })], policy);
  const linked = (linksTo: string, policy = DOCS) => {
    const { policy: edits, workflows, other } = kept(linksTo, policy);
    return [...edits, ...workflows, ...other];
  };

  test.each([
    ['a folder above a protected one', 'a', ['a/b/**'], 'other'],
    ['a folder that a pattern names files of', 'docs', ['docs/*.md'], 'other'],
    ['the folder of workflows', '.github/workflows', [], 'workflows'],
    ['the folder above the policy file, in other letters', '.GitHub', [], 'policy'],
    ['a folder that only everywhere-patterns could hold something in', 'v2', ['**/CODEOWNERS'], null],
  ] as const)('to %s', (_, target, protectedPaths, keeper) => {
    const found = kept(target, at('pr', `protected-paths: ${JSON.stringify(protectedPaths)}\n`).policy);
    const expected = { policy: [], workflows: [], other: [], unknown: null };
    expect(found).toEqual(keeper === null ? expected : { ...expected, [keeper]: ['src/link'] });
  });

  test('a policy file that is itself a link is told once', () => {
    const found = touched([file('.github/agent-policy.yml', { linksTo: '.github/x.yml' })]);
    expect(found).toMatchObject({ policy: ['.github/agent-policy.yml'], other: [] });
  });

  test.each([
    ['to a protected file', 'docs/a.md', true],
    ['to a protected folder', 'docs', true],
    ['to a protected folder, with a slash', 'docs/', true],
    ['to a folder in a protected one', 'docs/deep', true],
    ['to an unprotected file', 'src/a.ts', false],
    ['to a folder beside', 'docs-old', false],
    ['to the policy file', '.github/agent-policy.yml', true],
    ['to the folder of the policy file', '.github', true],
    ['to the folder of the policy file, with a slash', '.github/', true],
    ['to the root', '', true],
  ])('%s (%s): protected as what it points to -> %s', (_, target, counts) => {
    expect(linked(target)).toEqual(counts ? ['src/link'] : []);
  });

  test('in another case, as some checkouts follow it', () => {
    expect(linked('DOCS/A.md')).toEqual(['src/link']);
  });
});

describe('lists that are not complete', () => {
  const files = [file('src/a.ts'), file('docs/a.md')];

  test('say how many are listed and how many there are, beside what is seen', () => {
    expect(touchedBy({ kind: 'partial', files, changed: 3_400 }, DOCS)).toEqual({
      policy: [],
      workflows: [],
      other: ['docs/a.md'],
      unknown: { listed: 2, changed: 3_400 },
    });
  });

  test('complete ones leave nothing unknown', () => {
    expect(touched(files, DOCS).unknown).toBeNull();
  });
});

test('a name longer than any real one is protected: what cannot be judged is not let through', () => {
  const long = `${'a/'.repeat(600)}x`;
  expect(touched([file(long)], DOCS).other).toEqual([long]);
});

test('a path is told once, in the order of names, whatever the order of the list', () => {
  const files = [file('docs/b.md'), file('docs/a.md'), file('docs/b.md')];
  expect(touched(files, DOCS).other).toEqual(['docs/a.md', 'docs/b.md']);
});
