import { createRequire } from 'node:module';
import { describe, expect, test } from '@jest/globals';
import { actionOf, unreadableField } from '../../src/acts/readable.js';
import { triggeringEvents } from '../../src/decide/triggers.js';
import { delivery, merged, pullRequest, push } from './deliveries.js';

const samples = createRequire(import.meta.url)('@octokit/webhooks-examples') as readonly {
  readonly name: string;
  readonly examples: readonly object[];
}[];

const without = (field: string, from: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(from).filter(([key]) => key !== field));

describe('every published payload of an event that is listened to can be read', () => {
  const listened = samples.filter(({ name }) => triggeringEvents().includes(name));

  test('there are 135 of them', () => {
    expect(listened.flatMap(({ examples }) => examples)).toHaveLength(135);
  });

  test.each(
    listened.flatMap(({ name, examples }) =>
      examples.map((payload, at) => [`${name} #${at}`, name, payload]),
    ),
  )('%s', (_title, name, payload) => {
    expect(unreadableField({ name: String(name), payload })).toBeNull();
  });
});

describe('what cannot be read is named by its path', () => {
  const sha = { ...pullRequest(), head: { ref: 'x', sha: 5, repo: null } };
  test.each<[string, string, Readonly<Record<string, unknown>>, string]>([
    ['no PR', 'pull_request', { action: 'closed' }, 'pull_request'],
    [
      'no head',
      'pull_request',
      { action: 'opened', pull_request: without('head', pullRequest()) },
      'pull_request.head',
    ],
    [
      'a head of another type',
      'pull_request',
      { action: 'opened', pull_request: sha },
      'pull_request.head.sha',
    ],
    ['a ref of another type', 'push', push({ ref: 5 }), 'ref'],
    ['no ref', 'create', { ref_type: 'tag' }, 'ref'],
    ['no repository', 'push', push({ repository: null }), 'repository'],
    ['a repository without an id', 'push', push({ repository: { name: 'x', owner: {} } }), 'repository.id'],
    ['a sender of another shape', 'push', push({ sender: { id: '5' } }), 'sender.id'],
    ['an installation of another shape', 'push', push({ installation: 'one' }), 'installation'],
    ['an action that is no text', 'issues', { action: 5, issue: { number: 1 } }, 'action'],
    ['no repository of a protection', 'branch_protection_configuration', { repository: null }, 'repository'],
    ['no check', 'check_run', { action: 'rerequested' }, 'check_run'],
    ['no group', 'merge_group', { action: 'checks_requested' }, 'merge_group'],
    ['no member', 'member', { action: 'added' }, 'member'],
  ])('%s', (_what, name, payload, field) => {
    expect(unreadableField(delivery(name, payload))).toBe(field);
  });

  test('the first of several', () => {
    expect(unreadableField(delivery('push', { ref: 1, before: 2 }))).toBe('ref');
  });

  test('a text in place of the payload', () => {
    expect(unreadableField({ name: 'push', payload: 'text' })).toBe('payload');
  });
});

describe('what can be read', () => {
  test.each<[string, string, Readonly<Record<string, unknown>>]>([
    ['a push whose optional fields are broken', 'push', push({ created: 5, commits: 'none', forced: null })],
    [
      'a PR whose optional fields are broken',
      'pull_request',
      { action: 'closed', pull_request: merged({ labels: 5, title: null, draft: 'no', node_id: 7 }) },
    ],
    ['a push without a sender', 'push', push({ sender: null })],
    ['a push without an installation', 'push', push({ installation: null })],
    [
      'a PR of an author that is gone',
      'pull_request',
      { action: 'closed', pull_request: merged({ user: null }) },
    ],
    [
      'a ruleset of an organization',
      'repository_ruleset',
      { action: 'edited', repository: undefined, repository_ruleset: { id: 1, name: 'all' } },
    ],
    ['an event that nobody reads', 'star', { action: 5, repository: 7 }],
    ['one whose name every object has', 'constructor', { action: 5, repository: 7 }],
  ])('%s', (_what, name, payload) => {
    expect(unreadableField(delivery(name, payload))).toBeNull();
  });
});

test('the action is read apart from everything else', () => {
  expect(actionOf({ action: 'closed', sender: 5, repository: 'x' })).toBe('closed');
  for (const payload of [{}, { action: 5 }, { action: null }, [], 'closed', null])
    expect(actionOf(payload)).toBeNull();
});
