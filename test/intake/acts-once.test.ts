import { describe, expect, test } from '@jest/globals';
import type { Act } from '../../src/acts/act.js';
import { firstTelling, rowOf } from '../../src/intake/acts-once.js';
import { openStore } from '../../src/store/open.js';
import type { Ledger } from '../../src/store/ledger.js';

const alpha = { id: 9001, login: 'alpha-agent[bot]', type: 'Bot' } as const;
const mara = { id: 11, login: 'mara', type: 'User' } as const;
const SHA = 'a'.repeat(40);
const NONE = '0'.repeat(40);

const at = (minutes: number): string =>
  new Date(Date.parse('2026-11-30T09:00:00Z') + minutes * 60_000).toISOString();
const DAYS = 24 * 60;

const deletion = (telling: string, actor: Act['actor'] = alpha, tip: string | null = null): Act => ({
  kind: 'branch.delete',
  key: 'branch.delete:x',
  telling,
  pair: true,
  actor,
  ref: 'x',
  tip,
  trunk: false,
});
const tag = (kind: 'tag.create' | 'tag.delete', telling: string, actor: Act['actor'] = alpha): Act => ({
  kind,
  key: `${kind}:v1`,
  telling,
  pair: true,
  actor,
  ref: 'v1',
  sha: null,
});
const release = (telling: string): Act => ({
  kind: 'release.publish',
  key: 'release.publish:5',
  telling,
  pair: true,
  actor: alpha,
  release: 'v1',
});
const merge = (telling: string, actor: Act['actor'] = alpha): Act => ({
  kind: 'pull.merge',
  key: `pull.merge:1:${SHA}`,
  telling,
  pair: false,
  actor,
  pull: 1,
  nodeId: '',
  base: 'main',
  headRef: 'x',
  headSha: SHA,
  mergeSha: SHA,
  intent: null,
  at: null,
  armedBy: null,
  body: '',
});

/** `act` at some minute; the branch made or moved at some minute. */
type Step =
  | readonly [minute: number, act: Act]
  | readonly [minute: number, pushed: { readonly before: string; readonly after: string }];

/** Tells one thing after the other, and answers which were told for the first time. */
const told = async (...steps: readonly Step[]): Promise<readonly boolean[]> => {
  const store = await openStore({ file: ':memory:' });
  const ledger: Ledger = store.repository(1);
  const answers: boolean[] = [];
  for (const [minute, what] of steps) {
    if ('kind' in what) {
      const first = await firstTelling(what, at(minute), ledger);
      answers.push(first);
      if (first) await ledger.saveAct(rowOf(what, at(minute), 'deny', 'alpha', null));
    } else await ledger.savePush({ ref: 'x', ...what, by: alpha, at: at(minute) });
  }
  await store.close();
  return answers;
};

const made = { before: NONE, after: SHA };

describe('two webhooks of one act are one, however late the second comes', () => {
  test.each<[string, readonly Step[], readonly boolean[]]>([
    [
      'a branch is gone: push, delete',
      [
        [0, deletion('push')],
        [1, deletion('delete')],
      ],
      [true, false],
    ],
    [
      'a branch is gone: delete, and push two days later',
      [
        [0, deletion('delete')],
        [2 * DAYS, deletion('push')],
      ],
      [true, false],
    ],
    [
      'made again in between -> another deletion',
      [
        [0, deletion('push')],
        [5, made],
        [9, deletion('delete')],
      ],
      [true, true],
    ],
    [
      'made again in between, and the late telling is known to be of before -> the same',
      [
        [0, deletion('push')],
        [9, made],
        [5, deletion('delete')],
      ],
      [true, false],
    ],
    [
      'the move that led to the deleted tip is told late -> the same',
      [
        [0, deletion('push', alpha, SHA)],
        [1, { before: 'b'.repeat(40), after: SHA }],
        [2, deletion('delete')],
      ],
      [true, false],
    ],
    [
      'the same webhook again -> another deletion',
      [
        [0, deletion('delete')],
        [1, deletion('delete')],
      ],
      [true, true],
    ],
    [
      'by somebody else -> another deletion',
      [
        [0, deletion('push')],
        [1, deletion('delete', mara)],
      ],
      [true, true],
    ],
    [
      'a tag is made: create, and push a day later',
      [
        [0, tag('tag.create', 'create')],
        [DAYS, tag('tag.create', 'push')],
      ],
      [true, false],
    ],
    [
      'taken away in between -> another one is made',
      [
        [0, tag('tag.create', 'create')],
        [5, tag('tag.delete', 'delete')],
        [9, tag('tag.create', 'push')],
      ],
      [true, true, true],
    ],
    [
      'a tag is gone: push, and delete a day later',
      [
        [0, tag('tag.delete', 'push')],
        [DAYS, tag('tag.delete', 'delete')],
      ],
      [true, false],
    ],
    [
      'made again in between -> it is gone once more',
      [
        [0, tag('tag.delete', 'push')],
        [5, tag('tag.create', 'create')],
        [9, tag('tag.delete', 'delete')],
      ],
      [true, true, true],
    ],
    [
      'a release: published, released',
      [
        [0, release('release.published')],
        [1, release('release.released')],
      ],
      [true, false],
    ],
    [
      'a release published again, weeks later',
      [
        [0, release('release.published')],
        [20 * DAYS, release('release.released')],
      ],
      [true, true],
    ],
    [
      'a prerelease, and then a release',
      [
        [0, release('release.prereleased')],
        [1, release('release.released')],
      ],
      [true, true],
    ],
    [
      'a merge, by whichever webhook',
      [
        [0, merge('pull_request.closed')],
        [9 * DAYS, merge('pull_request.closed')],
      ],
      [true, false],
    ],
  ])('%s', async (_rule, steps, expected) => {
    expect(await told(...steps)).toEqual(expected);
  });
});

describe('what a sweep told', () => {
  test.each<[string, readonly Step[], readonly boolean[]]>([
    [
      'both webhooks come late -> nothing more',
      [
        [0, deletion('activity')],
        [DAYS, deletion('push')],
        [DAYS, deletion('delete')],
      ],
      [true, false, false],
    ],
    [
      'the webhook names somebody else -> nothing more',
      [
        [0, deletion('activity')],
        [DAYS, deletion('push', mara)],
      ],
      [true, false],
    ],
    [
      'told again by a sweep -> nothing more',
      [
        [0, deletion('activity')],
        [DAYS, deletion('activity')],
      ],
      [true, false],
    ],
    [
      'told again by a sweep, and made again in between -> another one',
      [
        [0, deletion('activity')],
        [5, made],
        [9, deletion('activity')],
      ],
      [true, true],
    ],
    [
      'after its webhook -> nothing more',
      [
        [0, deletion('push')],
        [DAYS, deletion('activity', mara)],
      ],
      [true, false],
    ],
    [
      'a merge, and its webhook a day later',
      [
        [0, merge('activity')],
        [DAYS, merge('pull_request.closed')],
      ],
      [true, false],
    ],
  ])('%s', async (_rule, steps, expected) => {
    expect(await told(...steps)).toEqual(expected);
  });

  test('by nobody known, then a webhook says by whom -> told now', async () => {
    const store = await openStore({ file: ':memory:' });
    const ledger = store.repository(1);
    const act = tag('tag.create', 'create');
    await ledger.saveAct({
      ...rowOf(act, at(0), 'unattributed', null, null),
      actor: null,
      tellings: ['sweep'],
    });
    expect(await firstTelling(act, at(5), ledger)).toBe(true);
    await ledger.saveAct(rowOf(act, at(5), 'deny', 'alpha', 'tag'));
    expect(await firstTelling(tag('tag.create', 'push'), at(9), ledger)).toBe(false);
    await store.close();
  });
});
