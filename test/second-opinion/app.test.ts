import { expect } from '@jest/globals';
import { as, asInstallation, jwtOf, onBoth, statusOf, tokenOf } from './both.js';
import { INSTALLATION, PLACE } from './hub.js';

const seconds = (): number => Math.floor(Date.now() / 1_000);

onBoth("the App's JWT", (check) => {
  check('signed with its key, it is the App', async (hub) => {
    const { data } = await as(hub, jwtOf()).request('GET /app');
    expect(data).toMatchObject({ id: 777, slug: 'agent-policy' });
  });
  check('the issuer may be text', async (hub) => {
    expect(await statusOf(as(hub, jwtOf({ iss: '777' })).request('GET /app'))).toBe(200);
  });
  check('expired -> 401', async (hub) => {
    expect(await statusOf(as(hub, jwtOf({ exp: seconds() - 1 })).request('GET /app'))).toBe(401);
  });
  check('good for more than ten minutes -> 401', async (hub) => {
    expect(await statusOf(as(hub, jwtOf({ exp: seconds() + 900 })).request('GET /app'))).toBe(401);
  });
  check('issued in the future -> 401', async (hub) => {
    expect(await statusOf(as(hub, jwtOf({ iat: seconds() + 300 })).request('GET /app'))).toBe(401);
  });
  check('not what was signed -> 401', async (hub) => {
    const [header, , signature] = jwtOf().split('.');
    const [, payload] = jwtOf({ iss: 777, exp: seconds() + 500 }).split('.');
    const forged = `${header ?? ''}.${payload ?? ''}.${signature ?? ''}`;
    expect(await statusOf(as(hub, forged).request('GET /app'))).toBe(401);
  });
  check('of an App there is not -> refused', async (hub) => {
    expect([401, 404]).toContain(await statusOf(as(hub, jwtOf({ iss: 778 })).request('GET /app')));
  });
  check('no token -> 401', async (hub) => {
    expect(await statusOf(as(hub).request('GET /app'))).toBe(401);
  });
  check('it sees its installations, one by one too', async (hub) => {
    const app = as(hub, jwtOf());
    const { data: all } = await app.request('GET /app/installations');
    expect(all).toMatchObject([{ id: INSTALLATION, account: { login: 'acme' }, app_id: 777 }]);
    const { data: one } = await app.request('GET /app/installations/{installation_id}', {
      installation_id: INSTALLATION,
    });
    expect(one).toMatchObject({ id: INSTALLATION, permissions: { contents: 'write', issues: 'write' } });
    const { data: ofRepository } = await app.request('GET /repos/{owner}/{repo}/installation', PLACE);
    expect(ofRepository).toMatchObject({ id: INSTALLATION });
  });
  check('an installation there is not -> 404', async (hub) => {
    const asked = as(hub, jwtOf()).request('GET /app/installations/{installation_id}', {
      installation_id: 5,
    });
    expect(await statusOf(asked)).toBe(404);
  });
  check('an installation token is none -> 401', async (hub) => {
    expect(await statusOf((await asInstallation(hub)).request('GET /app'))).toBe(401);
  });
  check('of a repository it reads nothing private', async (hub) => {
    const asked = as(hub, jwtOf()).request('GET /repos/{owner}/{repo}', { owner: 'acme', repo: 'gears' });
    expect(await statusOf(asked)).toBe(401);
  });
});

onBoth('an installation token', (check) => {
  const mint = 'POST /app/installations/{installation_id}/access_tokens';

  check('is minted for an hour, with the permissions of the installation', async (hub) => {
    const { status, data } = await as(hub, jwtOf()).request(mint, { installation_id: INSTALLATION });
    expect(status).toBe(201);
    expect(data.token).toMatch(/^ghs_/);
    expect(data.permissions).toMatchObject({ contents: 'write', issues: 'write', metadata: 'read' });
    const life = Date.parse(data.expires_at) - Date.now();
    expect(life).toBeGreaterThan(3_540_000);
    expect(life).toBeLessThanOrEqual(3_601_000);
  });
  check('of an installation there is not -> 404', async (hub) => {
    expect(await statusOf(as(hub, jwtOf()).request(mint, { installation_id: 5 }))).toBe(404);
  });
  check('asked for by no App -> 401', async (hub) => {
    expect(await statusOf(as(hub).request(mint, { installation_id: INSTALLATION }))).toBe(401);
  });
  check('for some repositories says which, and reaches no other', async (hub) => {
    const { data } = await as(hub, jwtOf()).request(mint, {
      installation_id: INSTALLATION,
      repositories: ['widgets'],
    });
    expect(data.repository_selection).toBe('selected');
    expect(data.repositories?.map(({ full_name }) => full_name)).toEqual(['acme/widgets']);
    const token = as(hub, data.token);
    expect(await statusOf(token.request('GET /repos/{owner}/{repo}', PLACE))).toBe(200);
    const gears = { owner: 'acme', repo: 'gears' };
    expect([403, 404]).toContain(await statusOf(token.request('GET /repos/{owner}/{repo}', gears)));
    const written = token.request('POST /repos/{owner}/{repo}/issues', { ...gears, title: 't' });
    expect([403, 404]).toContain(await statusOf(written));
  });
  check('a private repository out of its reach is not there: 404', async (hub) => {
    const token = as(hub, await tokenOf(hub, { repositories: ['widgets'] }));
    const asked = token.request('GET /repos/{owner}/{repo}', { owner: 'acme', repo: 'gears' });
    expect(await statusOf(asked)).toBe(404);
  });
  check('for all of them reaches the private one', async (hub) => {
    const asked = (await asInstallation(hub)).request('GET /repos/{owner}/{repo}', {
      owner: 'acme',
      repo: 'gears',
    });
    expect(await statusOf(asked)).toBe(200);
  });
  check('for a repository the installation has not -> 422', async (hub) => {
    const asked = as(hub, jwtOf()).request(mint, {
      installation_id: INSTALLATION,
      repositories: ['nothing'],
    });
    expect(await statusOf(asked)).toBe(422);
  });
  check('for a permission the installation has not -> 422', async (hub) => {
    const asked = as(hub, jwtOf()).request(mint, {
      installation_id: INSTALLATION,
      permissions: { workflows: 'write' },
    });
    expect(await statusOf(asked)).toBe(422);
  });
  check('with fewer permissions may do what they say and no more', async (hub) => {
    const token = as(hub, await tokenOf(hub, { permissions: { contents: 'read', issues: 'write' } }));
    const issue = token.request('POST /repos/{owner}/{repo}/issues', { ...PLACE, title: 't' });
    expect(await statusOf(issue)).toBe(201);
    const ref = token.request('POST /repos/{owner}/{repo}/git/refs', {
      ...PLACE,
      ref: 'refs/heads/not-allowed',
      sha: hub.main,
    });
    expect(await statusOf(ref)).toBe(403);
  });
  check('that nobody minted -> 401', async (hub) => {
    const asked = as(hub, 'ghs_nobody_minted_this').request('POST /repos/{owner}/{repo}/issues', {
      ...PLACE,
      title: 't',
    });
    expect(await statusOf(asked)).toBe(401);
  });
  check('none at all writes nothing: 401', async (hub) => {
    expect(
      await statusOf(as(hub).request('POST /repos/{owner}/{repo}/issues', { ...PLACE, title: 't' })),
    ).toBe(401);
  });
  check('lists the repositories it reaches', async (hub) => {
    const { data } = await as(hub, await tokenOf(hub, { repositories: ['widgets'] })).request(
      'GET /installation/repositories',
    );
    expect(data.repositories.map(({ full_name }) => full_name)).toEqual(['acme/widgets']);
  });
});
