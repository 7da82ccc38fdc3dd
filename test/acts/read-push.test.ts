import { describe, expect, test } from '@jest/globals';
import { readActs } from '../../src/acts/read.js';
import { ALPHA, NOBODY, READING, actOf, delivery, kindsOf, push, touching } from './deliveries.js';

const pushed = (over: object = {}, id = 'guid-1') => delivery('push', push({ ...over }), id);
const ref = (name: 'create' | 'delete', ref_type: string, named: string) =>
  delivery(name, { ref: named, ref_type });

const SIDE = { ref: 'refs/heads/feature' };
const TAG = { ref: 'refs/tags/v1' };

describe('pushes to branches', () => {
  test.each([
    ['a push to a trunk -> push.trunk', {}, ['push.trunk']],
    ['a push to a trunk named by a glob -> push.trunk', { ref: 'refs/heads/release/1' }, ['push.trunk']],
    ['a forced push to a trunk -> push.trunk and push.force', { forced: true }, ['push.trunk', 'push.force']],
    ['a push to another branch -> no act', SIDE, []],
    ['a branch that is made -> no act', { ...SIDE, created: true, before: NOBODY }, []],
    ['a forced push to another branch -> push.force', { ...SIDE, forced: true }, ['push.force']],
    ['a note or another ref -> no act', { ref: 'refs/notes/commits', forced: true }, []],
    ['a short name is no ref -> no act', { ref: 'main' }, []],
    [
      'the policy file put on a trunk -> policy.edit beside the push',
      touching('.github/agent-policy.yml'),
      ['push.trunk', 'policy.edit'],
    ],
    [
      'the policy file by its other name and in another case -> policy.edit',
      touching('.GitHub/Agent-Policy.yaml'),
      ['push.trunk', 'policy.edit'],
    ],
    [
      'the policy file on another branch -> no act, since nothing is in force from there',
      { ...SIDE, ...touching('.github/agent-policy.yml') },
      [],
    ],
    [
      'a workflow on a trunk -> workflow.edit beside the push',
      touching('.github/workflows/ci.yml'),
      ['push.trunk', 'workflow.edit'],
    ],
    [
      'a workflow on another branch -> workflow.edit, since GitHub runs it from there',
      { ...SIDE, ...touching('.github/workflows/ci.yml') },
      ['workflow.edit'],
    ],
    [
      'a file in a folder under workflows -> no workflow',
      { ...SIDE, ...touching('.github/workflows/x/ci.yml') },
      [],
    ],
    [
      'a forced push of policy and workflow to a trunk -> all four',
      { forced: true, ...touching('.github/agent-policy.yml', '.github/workflows/ci.yml') },
      ['push.trunk', 'push.force', 'policy.edit', 'workflow.edit'],
    ],
  ])('%s', (_, over, kinds) => {
    expect(kindsOf(pushed(over))).toEqual(kinds);
  });

  test.each(['added', 'modified', 'removed'])('a policy file that was %s in any commit counts', (how) => {
    const commit = { id: 'b1', message: '', added: [], modified: [], removed: [] };
    const commits = [{ ...commit }, { ...commit, [how]: ['.github/agent-policy.yml'] }];
    expect(kindsOf(pushed({ commits }))).toEqual(['push.trunk', 'policy.edit']);
  });

  test('the act says ref, both ends, whether it was forced, and the paths of each commit', () => {
    expect(readActs(pushed({ forced: true, ...SIDE }), READING)).toEqual([
      {
        kind: 'push.force',
        key: 'push.force:push:feature:a1:b2',
        telling: 'push',
        pair: false,
        actor: ALPHA,
        ref: 'feature',
        before: 'a1',
        after: 'b2',
        forced: true,
        commits: [{ sha: 'b2', message: 'Work', author: { name: '', email: '' }, paths: ['src/a.ts'] }],
        trunk: false,
      },
    ]);
  });

  test('acts of one push have keys of their own, the same on every delivery of it', () => {
    const keys = (id: string) => readActs(pushed({ forced: true }, id), READING).map(({ key }) => key);
    expect(keys('guid-1')).toEqual(keys('guid-2'));
    expect(new Set(keys('guid-1')).size).toBe(2);
  });

  test('a push back to where the branch was is another act', () => {
    const keys = [pushed(), pushed({ before: 'b2', after: 'a1' })].map((told) => actOf(told).key);
    expect(new Set(keys).size).toBe(2);
  });

  test('a push without a sender -> no act', () => {
    expect(kindsOf(pushed({ sender: undefined }))).toEqual([]);
  });

  test('a push whose after is nobody, and that is not a deletion -> no act', () => {
    expect(kindsOf(pushed({ after: NOBODY, forced: true }))).toEqual([]);
  });
});

describe('branches that are deleted', () => {
  const gone = { after: NOBODY, deleted: true, forced: true, commits: [] };

  test('a push that deletes is a deletion and no forced push', () => {
    expect(actOf(pushed({ ...SIDE, ...gone }))).toEqual({
      kind: 'branch.delete',
      key: 'branch.delete:feature',
      telling: 'push',
      pair: true,
      actor: ALPHA,
      ref: 'feature',
      tip: 'a1',
      trunk: false,
    });
  });

  test('`delete` tells the same act without the tip: one key, two tellings, a pair', () => {
    const byPush = actOf(pushed({ ...SIDE, ...gone }));
    const byDelete = actOf(ref('delete', 'branch', 'feature'));
    expect(byDelete).toEqual({ ...byPush, telling: 'delete', tip: null });
  });

  test('a trunk that is deleted is told as one, by both webhooks', () => {
    expect(actOf(pushed(gone))).toMatchObject({ kind: 'branch.delete', trunk: true });
    expect(actOf(ref('delete', 'branch', 'release/1'))).toMatchObject({ kind: 'branch.delete', trunk: true });
  });

  test('a branch that is created -> no act', () => {
    expect(kindsOf(ref('create', 'branch', 'feature'))).toEqual([]);
  });
});

describe('tags', () => {
  test('a new tag: `create` and the push tell one act, and the push has the sha', () => {
    const byPush = actOf(pushed({ ...TAG, created: true, before: NOBODY }));
    const byCreate = actOf(ref('create', 'tag', 'v1'));
    expect(byPush).toMatchObject({
      kind: 'tag.create',
      key: 'tag.create:v1',
      pair: true,
      ref: 'v1',
      sha: 'b2',
    });
    expect(byCreate).toEqual({ ...byPush, telling: 'create', sha: null });
  });

  test('a tag that is gone: `delete` and the push tell one act, and the push has where it was', () => {
    const byPush = actOf(pushed({ ...TAG, deleted: true, after: NOBODY }));
    const byDelete = actOf(ref('delete', 'tag', 'v1'));
    expect(byPush).toMatchObject({
      kind: 'tag.delete',
      key: 'tag.delete:v1',
      pair: true,
      ref: 'v1',
      sha: 'a1',
    });
    expect(byDelete).toEqual({ ...byPush, telling: 'delete', sha: null });
  });

  test('a tag that pointed elsewhere before -> tag.move, by no other webhook', () => {
    expect(actOf(pushed({ ...TAG, forced: true }))).toMatchObject({
      kind: 'tag.move',
      key: 'tag.move:v1:a1:b2',
      pair: false,
      sha: 'a1',
    });
  });

  test('a tag named like a trunk is no push to it', () => {
    expect(kindsOf(pushed({ ref: 'refs/tags/main', created: true, before: NOBODY }))).toEqual(['tag.create']);
  });

  test('a tag with workflow files in its push is told as a tag alone', () => {
    expect(kindsOf(pushed({ ...TAG, forced: true, ...touching('.github/workflows/ci.yml') }))).toEqual([
      'tag.move',
    ]);
  });

  test('what is neither branch nor tag -> no act', () => {
    expect(kindsOf(ref('create', 'repository', 'v1'))).toEqual([]);
    expect(kindsOf(ref('delete', 'repository', 'v1'))).toEqual([]);
  });

  test.each(['create', 'delete'])('%s without a sender -> no act', (name) => {
    expect(kindsOf(delivery(name, { ref: 'v1', ref_type: 'tag', sender: null }))).toEqual([]);
  });
});
