import { describe, expect, test } from '@jest/globals';
import {
  about,
  ASKED_FOR,
  changed,
  doctor,
  events,
  gitHub,
  permissions,
  type Fetch,
  type Json,
} from './doctor-harness.js';

describe('permissions and events', () => {
  const granting = (app: Json, installation: Json = {}): Fetch =>
    changed(gitHub().fetch, {
      '/app': (json: Json) => ({ ...json, permissions, events, ...app }),
      '/app/installations': (all: Json[]) =>
        all.map((one) => ({ ...one, permissions, events, ...installation })),
    });
  const { checks: _checks, ...noChecks } = permissions;

  test.each<[string, Json, string]>([
    ['all of it', {}, 'ok: the App has what app.yml lists, and nothing more.'],
    [
      'one is missing',
      { permissions: noChecks },
      "fail: the App lacks checks: write. Add them on the App's settings page, under Permissions & events; every owner who installed it must accept them then.",
    ],
    [
      'read where write is needed',
      { permissions: { ...permissions, contents: 'read' } },
      "fail: the App lacks contents: write. Add them on the App's settings page, under Permissions & events; every owner who installed it must accept them then.",
    ],
    [
      'an event is missing',
      { events: events.filter((event) => event !== 'push') },
      "fail: the App lacks event push. Add them on the App's settings page, under Permissions & events; every owner who installed it must accept them then.",
    ],
    [
      'more than is used',
      { permissions: { ...permissions, actions: 'write', members: 'write' }, events: [...events, 'star'] },
      "warn: the App has more than this version uses: members: write, actions: write and event star. Take that away on the App's settings page, under Permissions & events.",
    ],
  ])('of the App: %s', async (_name, app, line) => {
    expect(about(await doctor({ fetch: granting(app) }), 'permissions')).toBe(line);
  });

  const PAGE = 'https://github.com/organizations/acme/settings/installations/424242';
  test.each<[string, Json, string]>([
    ['all of it', {}, 'ok: 1 installation granted all of it.'],
    [
      'an owner has not accepted',
      { permissions: { ...noChecks, contents: 'read' } },
      `fail: acme has not accepted checks: write and contents: write. An owner accepts the new permissions at ${PAGE}.`,
    ],
    ['an event', { events: [] }, `fail: acme has not accepted event pull_request, `],
    [
      'suspended',
      { suspended_at: '2026-11-30T00:00:00Z', permissions: {} },
      `warn: acme has suspended the App: nothing comes from there. An owner can lift that at ${PAGE}.`,
    ],
    [
      'a person, who has no members',
      {
        account: { login: 'otto', type: 'User' },
        permissions: Object.fromEntries(Object.entries(permissions).filter(([name]) => name !== 'members')),
        events: events.filter((event) => event !== 'member'),
      },
      'ok: 1 installation granted all of it.',
    ],
  ])('of an installation: %s', async (_name, installation, line) => {
    expect(
      about(await doctor({ fetch: granting({}, installation) }), 'installations').slice(0, line.length),
    ).toBe(line);
  });

  test('what the App itself lacks is told once, not at every installation', async () => {
    const said = await doctor({ fetch: granting({ permissions: noChecks }, { permissions: noChecks }) });
    expect(about(said, 'installations')).toBe('ok: 1 installation granted all of it.');
  });

  test('installed nowhere', async () => {
    const fetch = changed(gitHub().fetch, { ...ASKED_FOR, '/app/installations': () => [] });
    expect(about(await doctor({ fetch }), 'installations')).toBe(
      'warn: the App is installed nowhere. Install it on a repository, from its settings page.',
    );
  });
});
