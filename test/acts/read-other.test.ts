import { describe, expect, test } from '@jest/globals';
import { ALPHA, RAE, actOf, delivery, kindsOf } from './deliveries.js';

const release = (action: string, over: object = {}, id = 'guid-1') =>
  delivery('release', { action, release: { id: 5, tag_name: 'v1', draft: false, ...over } }, id);

const issue = (action: string, over: object = {}, id = 'guid-1') =>
  delivery(
    'issues',
    { action, issue: { number: 12, user: RAE, closed_at: '2026-11-30T09:00:00Z', ...over } },
    id,
  );

describe('releases', () => {
  test.each(['published', 'released', 'prereleased'])(
    '%s -> release.publish, one act whichever webhook tells it',
    (action) => {
      expect(actOf(release(action))).toEqual({
        kind: 'release.publish',
        key: 'release.publish:5',
        telling: `release.${action}`,
        pair: true,
        actor: ALPHA,
        release: 'v1',
      });
    },
  );

  test.each([
    ['edited', {}, ['release.edit']],
    ['edited', { draft: true }, []],
    ['unpublished', { draft: true }, ['release.edit']],
    ['deleted', {}, ['release.delete']],
    ['deleted', { draft: true }, ['release.delete']],
    ['created', {}, []],
    ['created', { draft: true }, []],
  ])('%s %j -> %j', (action, over, kinds) => {
    expect(kindsOf(release(action, over))).toEqual(kinds);
  });

  test('two edits are two acts, two tellings of one deletion are one', () => {
    const keys = (action: string) => ['guid-1', 'guid-2'].map((id) => actOf(release(action, {}, id)).key);
    expect(new Set(keys('edited')).size).toBe(2);
    expect(new Set(keys('deleted')).size).toBe(1);
  });

  test('a release without a sender -> no act', () => {
    expect(
      kindsOf(delivery('release', { action: 'published', release: { id: 5, tag_name: 'v1' }, sender: null })),
    ).toEqual([]);
  });
});

describe('issues', () => {
  test('closed -> issue.close, by the sender, of the author’s issue', () => {
    expect(actOf(issue('closed'))).toEqual({
      kind: 'issue.close',
      key: 'issue.close:12:guid-1',
      telling: 'issues.closed',
      pair: false,
      actor: ALPHA,
      issue: 12,
      author: RAE,
      closedAt: '2026-11-30T09:00:00Z',
    });
  });

  test('an issue of an account that is gone has no author', () => {
    expect(actOf(issue('closed', { user: null, closed_at: null }))).toMatchObject({
      author: null,
      closedAt: null,
    });
  });

  test.each(['opened', 'reopened', 'edited', 'deleted', 'labeled'])('%s -> no act', (action) => {
    expect(kindsOf(issue(action))).toEqual([]);
  });

  test('closed again after it was reopened is another act', () => {
    const keys = ['guid-1', 'guid-2'].map((id) => actOf(issue('closed', {}, id)).key);
    expect(new Set(keys).size).toBe(2);
  });

  test('closed without a sender -> no act', () => {
    expect(kindsOf(delivery('issues', { action: 'closed', issue: { number: 12 }, sender: null }))).toEqual(
      [],
    );
  });
});

describe('protection', () => {
  const RULESET = { repository_ruleset: { id: 41, name: 'agent-policy/gates' } };
  const RULE = { rule: { id: 4, name: 'main' } };
  const key = (read_only: boolean) => ({ key: { id: 55, read_only } });
  const role = (to: string) => ({ member: RAE, changes: { role_name: { to } } });
  const permission = (to: string) => ({ member: RAE, changes: { permission: { to } } });

  test.each([
    ['repository_ruleset', 'edited', RULESET, 'ruleset edited'],
    ['repository_ruleset', 'deleted', RULESET, 'ruleset deleted'],
    ['branch_protection_rule', 'deleted', RULE, 'branch protection deleted'],
    ['branch_protection_configuration', 'disabled', {}, 'branch protection disabled'],
    ['deploy_key', 'created', key(false), 'deploy key added'],
    ['repository', 'edited', { changes: { default_branch: { from: 'main' } } }, 'default branch changed'],
    ['member', 'added', role('admin'), 'role admin given'],
    ['member', 'edited', permission('maintain'), 'role maintain given'],
  ])('%s.%s -> protection.edit: %s %s', (name, action, payload, what) => {
    expect(actOf(delivery(name, { action, ...payload }))).toMatchObject({
      kind: 'protection.edit',
      key: 'protection.edit:guid-1',
      telling: name,
      pair: false,
      actor: ALPHA,
      what,
      ruleset: name === 'repository_ruleset' ? { id: 41, name: 'agent-policy/gates' } : null,
    });
  });

  test.each([
    ['a deploy key that can only read', 'deploy_key', 'created', key(true)],
    ['a deploy key that is taken away', 'deploy_key', 'deleted', key(false)],
    ['an edit of anything but the default branch', 'repository', 'edited', { changes: { description: {} } }],
    ['a repository that is made', 'repository', 'created', { changes: { default_branch: { from: 'x' } } }],
    ['a role below maintain', 'member', 'added', role('write')],
    ['a member who is taken out', 'member', 'removed', role('admin')],
    ['a member whose role is not told', 'member', 'added', { member: RAE }],
    ['a ruleset without a name', 'repository_ruleset', 'edited', { repository_ruleset: { id: 41 } }],
    ['protection without its rule', 'branch_protection_rule', 'deleted', {}],
    ['an event that is about something else', 'star', 'created', {}],
  ])('%s -> no act', (_, name, action, payload) => {
    expect(kindsOf(delivery(name, { action, ...payload }))).toEqual([]);
  });

  test('without a sender -> no act', () => {
    expect(kindsOf(delivery('repository_ruleset', { action: 'edited', ...RULESET, sender: null }))).toEqual(
      [],
    );
  });
});
