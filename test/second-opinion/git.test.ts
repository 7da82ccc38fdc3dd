import { expect } from '@jest/globals';
import { asInstallation, onBoth, statusOf } from './both.js';
import { PLACE } from './hub.js';

const NOWHERE = '0123456789012345678901234567890123456789';

onBoth('refs', (check) => {
  const read = 'GET /repos/{owner}/{repo}/git/ref/{ref}';
  const create = 'POST /repos/{owner}/{repo}/git/refs';
  const remove = 'DELETE /repos/{owner}/{repo}/git/refs/{ref}';

  check('a branch is read', async (hub) => {
    const { data } = await (await asInstallation(hub)).request(read, { ...PLACE, ref: 'heads/main' });
    expect(data).toMatchObject({ ref: 'refs/heads/main', object: { sha: hub.main, type: 'commit' } });
  });
  check('one there is not -> 404, also where another begins like it', async (hub) => {
    const app = await asInstallation(hub);
    for (const ref of ['heads/nothing', 'heads/mai']) {
      expect({ ref, status: await statusOf(app.request(read, { ...PLACE, ref })) }).toEqual({
        ref,
        status: 404,
      });
    }
  });
  check('one is made, and is there', async (hub) => {
    const app = await asInstallation(hub);
    const made = await app.request(create, { ...PLACE, ref: 'refs/heads/backup/one', sha: hub.main });
    expect(made.status).toBe(201);
    expect(made.data).toMatchObject({ ref: 'refs/heads/backup/one', object: { sha: hub.main } });
    const { data } = await app.request(read, { ...PLACE, ref: 'heads/backup/one' });
    expect(data.object.sha).toBe(hub.main);
  });
  check('one that exists already -> 422, and GitHub says so', async (hub) => {
    const app = await asInstallation(hub);
    const again = app.request(create, { ...PLACE, ref: 'refs/heads/main', sha: hub.main });
    await expect(again).rejects.toMatchObject({
      status: 422,
      response: { data: { message: 'Reference already exists' } },
    });
  });
  check('at a commit there is not -> 422', async (hub) => {
    const app = await asInstallation(hub);
    const made = app.request(create, { ...PLACE, ref: 'refs/heads/backup/two', sha: NOWHERE });
    expect(await statusOf(made)).toBe(422);
  });
  check('without refs/ -> 422', async (hub) => {
    const app = await asInstallation(hub);
    expect(await statusOf(app.request(create, { ...PLACE, ref: 'heads/x', sha: hub.main }))).toBe(422);
  });
  check('those that begin alike are listed', async (hub) => {
    const app = await asInstallation(hub);
    for (const name of ['a', 'b'])
      await app.request(create, { ...PLACE, ref: `refs/heads/alike/${name}`, sha: hub.main });
    const { data } = await app.request('GET /repos/{owner}/{repo}/git/matching-refs/{ref}', {
      ...PLACE,
      ref: 'heads/alike/',
    });
    expect(data.map(({ ref }) => ref)).toEqual(['refs/heads/alike/a', 'refs/heads/alike/b']);
  });
  check('of those that begin like nothing there are none', async (hub) => {
    const { data } = await (
      await asInstallation(hub)
    ).request('GET /repos/{owner}/{repo}/git/matching-refs/{ref}', { ...PLACE, ref: 'tags/' });
    expect(data).toEqual([]);
  });
  check('one is removed, and gone', async (hub) => {
    const app = await asInstallation(hub);
    await app.request(create, { ...PLACE, ref: 'refs/heads/backup/three', sha: hub.main });
    expect(await statusOf(app.request(remove, { ...PLACE, ref: 'heads/backup/three' }))).toBe(204);
    expect(await statusOf(app.request(read, { ...PLACE, ref: 'heads/backup/three' }))).toBe(404);
  });
  check('removing one there is not -> 422', async (hub) => {
    const app = await asInstallation(hub);
    expect(await statusOf(app.request(remove, { ...PLACE, ref: 'heads/nothing' }))).toBe(422);
  });
});

onBoth('contents', (check) => {
  const contents = 'GET /repos/{owner}/{repo}/contents/{path}';

  check('a file, in base64', async (hub) => {
    const { data } = await (await asInstallation(hub)).request(contents, { ...PLACE, path: 'docs/a.md' });
    expect(data).toMatchObject({
      type: 'file',
      name: 'a.md',
      path: 'docs/a.md',
      size: 3,
      encoding: 'base64',
    });
    const text = 'content' in data ? Buffer.from(data.content, 'base64').toString() : '';
    expect(text).toBe('hi\n');
  });
  check('a file names the blob that Git would', async (hub) => {
    const { data } = await (await asInstallation(hub)).request(contents, { ...PLACE, path: 'docs/a.md' });
    expect(data).toMatchObject({ sha: '45b983be36b73c0788dc9cbcb76cbb80fc7bb057' });
  });
  check('a file as it is', async (hub) => {
    const { data } = await (
      await asInstallation(hub)
    ).request(contents, {
      ...PLACE,
      path: 'docs/a.md',
      headers: { accept: 'application/vnd.github.raw+json' },
    });
    // Octokit makes a text of bytes whose type names a charset, and leaves others as they are.
    const raw: unknown = data;
    expect(raw instanceof ArrayBuffer ? Buffer.from(raw).toString() : raw).toBe('hi\n');
  });
  check('a folder, and the root', async (hub) => {
    const app = await asInstallation(hub);
    const folder = await app.request(contents, { ...PLACE, path: 'docs' });
    expect(folder.data).toMatchObject([{ type: 'file', path: 'docs/a.md' }]);
    const root = await app.request(contents, { ...PLACE, path: '' });
    expect(root.data).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ type: 'dir', path: 'docs' }),
        expect.objectContaining({ type: 'file', path: 'README.md' }),
      ]),
    );
  });
  check('at a branch and at a sha', async (hub) => {
    const app = await asInstallation(hub);
    for (const ref of ['feature', hub.pull.head]) {
      const { data } = await app.request(contents, { ...PLACE, path: 'src/b.ts', ref });
      expect(data).toMatchObject({ path: 'src/b.ts' });
    }
  });
  check('what is not there -> 404: a file, a folder, a ref', async (hub) => {
    const app = await asInstallation(hub);
    const asked = [{ path: 'nothing.md' }, { path: 'nothing/at/all' }, { path: 'README.md', ref: 'nothing' }];
    for (const one of asked)
      expect({ ...one, status: await statusOf(app.request(contents, { ...PLACE, ...one })) }).toEqual({
        ...one,
        status: 404,
      });
  });
  check('a file of another branch is not on main', async (hub) => {
    const asked = (await asInstallation(hub)).request(contents, { ...PLACE, path: 'src/b.ts' });
    expect(await statusOf(asked)).toBe(404);
  });
});
