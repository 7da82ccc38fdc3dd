import { describe, expect, test } from '@jest/globals';
import { createFacts } from '../../src/github/read-facts.js';
import { REPOSITORY, standIn, type Handler, type Reply } from './stand-in.js';

const ROOT = '/repos/acme/widgets/contents';
const W = `${ROOT}/`;
const ORG = '/repos/acme/.github';
const entry = (path: string, type = 'file') => ({ type, path, name: path, sha: `sha-${path}`, size: 10 });
const listing =
  (...entries: readonly unknown[]): Handler =>
  () => ({ body: entries });
const failing =
  (status: number, message = 'Not Found'): Handler =>
  () => ({ status, body: { message } });
const widgets = { owner: 'acme', name: 'widgets' };
const dotGithub = { owner: 'acme', name: '.github' };
const POLICY = '.github/agent-policy.yml';

const facts = (handlers: Readonly<Record<string, Handler>>) => {
  const hub = standIn(handlers);
  return { ...hub, facts: createFacts({ client: hub.client, repository: REPOSITORY, appId: 777 }) };
};

const base64 = (text: string): Reply => ({
  body: {
    ...entry(POLICY),
    encoding: 'base64',
    content: Buffer.from(text).toString('base64').replace(/.{20}/g, '$&\n'),
  },
});

describe('a folder', () => {
  test('that is there -> its files and links, not its folders', async () => {
    const { facts: read } = facts({
      [`GET ${W}.github`]: listing(
        entry(POLICY),
        entry('.github/workflows', 'dir'),
        entry('.github/l', 'symlink'),
      ),
    });
    expect(await read.folder(widgets, '.github')).toEqual({
      kind: 'found',
      value: [
        { path: POLICY, blob: `sha-${POLICY}`, size: 10 },
        { path: '.github/l', blob: 'sha-.github/l', size: 10 },
      ],
    });
  });

  test('at a ref -> that ref is asked for, of the parent too', async () => {
    const hub = facts({ [`GET ${W}.github`]: failing(404), [`GET ${ROOT}`]: listing(entry('src', 'dir')) });
    await hub.facts.folder(widgets, '.github', 'h1');
    expect(hub.sent.map(({ query }) => query.ref)).toEqual(['h1', 'h1']);
  });

  test.each<[string, Readonly<Record<string, Handler>>, string]>([
    [
      '404, and the root does not list it -> absent',
      { [`GET ${W}.github`]: failing(404), [`GET ${ROOT}`]: listing(entry('src', 'dir')) },
      'absent',
    ],
    [
      '404, though the root lists it -> unreadable',
      { [`GET ${W}.github`]: failing(404), [`GET ${ROOT}`]: listing(entry('.github', 'dir')) },
      'unreadable',
    ],
    [
      '404, and the root is 404 -> unreadable',
      { [`GET ${W}.github`]: failing(404), [`GET ${ROOT}`]: failing(404) },
      'unreadable',
    ],
    [
      '404, and the root is 502 -> unreadable',
      { [`GET ${W}.github`]: failing(404), [`GET ${ROOT}`]: failing(502) },
      'unreadable',
    ],
    [
      '404, and the repository is empty -> absent',
      { [`GET ${W}.github`]: failing(404), [`GET ${ROOT}`]: failing(404, 'This repository is empty.') },
      'absent',
    ],
    ['502 for ever -> unreadable', { [`GET ${W}.github`]: failing(502) }, 'unreadable'],
    ['403 -> unreadable', { [`GET ${W}.github`]: failing(403) }, 'unreadable'],
    ['a file of that name -> absent', { [`GET ${W}.github`]: () => base64('x') }, 'absent'],
  ])('%s', async (_, handlers, kind) => {
    expect((await facts(handlers).facts.folder(widgets, '.github')).kind).toBe(kind);
  });

  test.each<[string, Readonly<Record<string, Handler>>, string]>([
    ['404, and so is the repository -> absent', { [`GET ${ORG}`]: failing(404) }, 'absent'],
    [
      '404, though the repository is there -> unreadable',
      { [`GET ${ORG}`]: () => ({ body: { id: 2 } }) },
      'unreadable',
    ],
    ['404, and the repository is 502 -> unreadable', { [`GET ${ORG}`]: failing(502) }, 'unreadable'],
    ['404, and the repository is 403 -> unreadable', { [`GET ${ORG}`]: failing(403) }, 'unreadable'],
  ])("the owner's .github, everything %s", async (_, handlers, kind) => {
    const all = {
      [`GET ${ORG}/contents/.github`]: failing(404),
      [`GET ${ORG}/contents`]: failing(404),
      ...handlers,
    };
    expect((await facts(all).facts.folder(dotGithub, '.github')).kind).toBe(kind);
  });

  test("another owner's .github that is not visible -> unreadable", async () => {
    const { facts: read } = facts({
      'GET /repos/evil/.github/contents': failing(404),
      'GET /repos/evil/.github': failing(404),
    });
    expect((await read.folder({ owner: 'evil', name: '.github' }, '')).kind).toBe('unreadable');
  });

  test('of a thousand entries is read from its tree: the listing leaves out the rest', async () => {
    const thousand = Array.from({ length: 1000 }, (_, index) => entry(`.github/a${index}`));
    const tree = [
      ...thousand.map(({ path }) => ({
        path: path.slice(8),
        mode: '100644',
        type: 'blob',
        sha: 's',
        size: 1,
      })),
      { path: 'agent-policy.yml', mode: '100644', type: 'blob', sha: 'p', size: 5 },
      { path: 'workflows', mode: '040000', type: 'tree', sha: 't' },
    ];
    const { facts: read } = facts({
      [`GET ${W}.github`]: listing(...thousand),
      [`GET ${ROOT}`]: listing(entry('.github', 'dir')),
      'GET /repos/acme/widgets/git/trees/sha-.github': () => ({ body: { truncated: false, tree } }),
    });
    const found = await read.folder(widgets, '.github');
    expect(found.kind === 'found' && found.value.length).toBe(1001);
    expect(found.kind === 'found' && found.value.at(-1)).toEqual({ path: POLICY, blob: 'p', size: 5 });
  });

  test('whose tree is cut too is unreadable', async () => {
    const { facts: read } = facts({
      [`GET ${ROOT}`]: listing(...Array.from({ length: 1000 }, (_, index) => entry(`a${index}`))),
      'GET /repos/acme/widgets/git/trees/HEAD': () => ({ body: { truncated: true, tree: [] } }),
    });
    expect((await read.folder(widgets, '')).kind).toBe('unreadable');
  });
});

describe('a file', () => {
  test('that is there -> its bytes', async () => {
    const bytes = 'version: 1\nmerge: pr # naïve 名\n';
    const { facts: read } = facts({ [`GET ${W}${POLICY}`]: () => base64(bytes) });
    const found = await read.file(widgets, POLICY);
    expect(found.kind === 'found' && Buffer.from(found.value).toString('utf8')).toBe(bytes);
  });

  test.each<[string, Readonly<Record<string, Handler>>, string]>([
    [
      '404, and its folder does not list it -> absent',
      { [`GET ${W}${POLICY}`]: failing(404), [`GET ${W}.github`]: listing(entry('.github/x')) },
      'absent',
    ],
    [
      '404, and its folder is absent -> absent',
      {
        [`GET ${W}${POLICY}`]: failing(404),
        [`GET ${W}.github`]: failing(404),
        [`GET ${ROOT}`]: listing(entry('src', 'dir')),
      },
      'absent',
    ],
    [
      '404, though its folder lists it -> unreadable',
      { [`GET ${W}${POLICY}`]: failing(404), [`GET ${W}.github`]: listing(entry(POLICY)) },
      'unreadable',
    ],
    ['502 for ever -> unreadable', { [`GET ${W}${POLICY}`]: failing(502) }, 'unreadable'],
    ['a folder of that name -> absent', { [`GET ${W}${POLICY}`]: listing() }, 'absent'],
    [
      'larger than 1 MiB -> unreadable',
      {
        [`GET ${W}${POLICY}`]: () => ({
          body: { ...entry(POLICY), size: 1_048_577, encoding: 'none', content: '' },
        }),
      },
      'unreadable',
    ],
    [
      'a link that leads nowhere -> unreadable',
      { [`GET ${W}${POLICY}`]: () => ({ body: entry(POLICY, 'symlink') }) },
      'unreadable',
    ],
  ])('%s', async (_, handlers, kind) => {
    expect((await facts(handlers).facts.file(widgets, POLICY)).kind).toBe(kind);
  });

  test('with a strange name is asked for by that name', async () => {
    const hub = standIn({});
    const read = createFacts({ client: hub.client, repository: REPOSITORY, appId: 777 });
    await read.file(widgets, 'a b/{x}?#%2e.yml');
    expect(hub.sent[0]?.path).toBe('/repos/acme/widgets/contents/a b/{x}%3F%23%2e.yml');
  });

  test('whose path would lead elsewhere is not asked for', async () => {
    const hub = standIn({});
    const read = createFacts({ client: hub.client, repository: REPOSITORY, appId: 777 });
    await expect(read.file(widgets, '../../other/repo')).rejects.toThrow(RangeError);
    expect(hub.sent).toEqual([]);
  });
});
