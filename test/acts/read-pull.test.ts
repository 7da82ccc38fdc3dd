import { describe, expect, test } from '@jest/globals';
import { ALPHA, RAE, actOf, delivery, kindsOf, merged, pullRequest } from './deliveries.js';

const pull = (action: string, pull_request: object, more: object = {}, id = 'guid-1') =>
  delivery('pull_request', { action, pull_request, ...more }, id);

const review = (action: string, state: string, more: object = {}) =>
  delivery('pull_request_review', {
    action,
    pull_request: { number: 283 },
    review: { id: 71, state, user: RAE, commit_id: 'h1', submitted_at: '2026-11-30T09:00:00Z' },
    ...more,
  });

describe('pull requests', () => {
  test.each(['opened', 'reopened', 'ready_for_review'])('%s -> pull.open', (action) => {
    expect(actOf(pull(action, pullRequest()))).toEqual({
      kind: 'pull.open',
      key: 'pull.open:283:2026-11-30T09:00:11Z',
      telling: `pull_request.${action}`,
      pair: false,
      actor: ALPHA,
      pull: 283,
    });
  });

  test.each(['synchronize', 'edited', 'labeled', 'converted_to_draft', 'auto_merge_disabled', 'dequeued'])(
    '%s -> no act',
    (action) => {
      expect(kindsOf(pull(action, pullRequest()))).toEqual([]);
    },
  );

  test('closed and merged -> pull.merge, by who merged, when, and onto what', () => {
    expect(actOf(pull('closed', merged({ body: 'Fixes #1' })))).toEqual({
      kind: 'pull.merge',
      key: 'pull.merge:283:m1',
      telling: 'pull_request.closed',
      pair: false,
      actor: ALPHA,
      pull: 283,
      nodeId: 'PR_283',
      base: 'main',
      headRef: 'staging',
      headSha: 'h1',
      mergeSha: 'm1',
      intent: null,
      at: '2026-11-30T09:00:22Z',
      armedBy: null,
      body: 'Fixes #1',
    });
  });

  test('closed and not merged -> no act, though the payload carries the sha of a test merge', () => {
    expect(kindsOf(pull('closed', pullRequest({ state: 'closed', merge_commit_sha: 't1' })))).toEqual([]);
  });

  test('merged without a merge commit -> no act', () => {
    expect(kindsOf(pull('closed', merged({ merge_commit_sha: null })))).toEqual([]);
  });

  test('one merge told by two deliveries has one key', () => {
    const [first, again] = ['guid-1', 'guid-2'].map((id) => actOf(pull('closed', merged(), {}, id)).key);
    expect(first).toBe(again);
  });

  test('two merges have two keys', () => {
    const keys = ['m1', 'm2'].map((merge_commit_sha) => actOf(pull('closed', merged({ merge_commit_sha }))));
    expect(keys[0]?.key).not.toBe(keys[1]?.key);
  });

  test.each([
    ['auto_merge_enabled', 'auto-merge'],
    ['enqueued', 'enqueue'],
  ])('%s -> the intent %s, which has merged nothing', (action, intent) => {
    expect(actOf(pull(action, pullRequest()))).toMatchObject({
      kind: 'pull.merge',
      intent,
      mergeSha: null,
      at: null,
      body: '',
    });
  });

  test('arming auto-merge again is another intent', () => {
    const keys = ['guid-1', 'guid-2'].map(
      (id) => actOf(pull('auto_merge_enabled', pullRequest(), {}, id)).key,
    );
    expect(new Set(keys).size).toBe(2);
  });

  test.each(['opened', 'closed', 'enqueued'])('%s without a sender -> no act', (action) => {
    expect(kindsOf(pull(action, merged(), { sender: null }))).toEqual([]);
  });

  test('a sender whose type is not told is a user', () => {
    const told = pull('opened', pullRequest(), { sender: { id: 13, login: 'rae' } });
    expect(actOf(told).actor).toEqual(RAE);
  });
});

describe('reviews', () => {
  test.each(['approved', 'APPROVED'])('submitted as %s -> review.approve, by the review’s id', (state) => {
    expect(actOf(review('submitted', state))).toEqual({
      kind: 'review.approve',
      key: 'review.approve:71',
      telling: 'pull_request_review.submitted',
      pair: false,
      actor: ALPHA,
      pull: 283,
      review: 71,
      sha: 'h1',
    });
  });

  test.each(['commented', 'changes_requested', 'dismissed'])('submitted as %s -> no act', (state) => {
    expect(kindsOf(review('submitted', state))).toEqual([]);
  });

  test('dismissed -> review.dismiss by the sender, of the reviewer’s review', () => {
    expect(actOf(review('dismissed', 'dismissed'))).toEqual({
      kind: 'review.dismiss',
      key: 'review.dismiss:71',
      telling: 'pull_request_review.dismissed',
      pair: false,
      actor: ALPHA,
      pull: 283,
      review: 71,
      reviewer: RAE,
    });
  });

  test('a dismissed review of an account that is gone -> review.dismiss of nobody’s', () => {
    const ghost = { review: { id: 71, state: 'dismissed', user: null, commit_id: null } };
    expect(actOf(review('dismissed', 'dismissed', ghost))).toMatchObject({ reviewer: null });
  });

  test.each(['submitted', 'dismissed'])('%s without a sender -> no act', (action) => {
    expect(kindsOf(review(action, 'approved', { sender: undefined }))).toEqual([]);
  });

  test('an edited approval -> no act', () => {
    expect(kindsOf(review('edited', 'approved'))).toEqual([]);
  });
});
