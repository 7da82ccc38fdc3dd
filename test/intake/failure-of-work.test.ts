import { describe, expect, test } from '@jest/globals';
import { RequestFailure } from '../../src/github/failure.js';
import { PerformError } from '../../src/github/perform.js';
import { UnreadPayload } from '../../src/intake/unread-payload.js';
import { counts, failureOfWork, nextTry, storeWait, type Failure } from '../../src/intake/failure-of-work.js';
import { StoreError } from '../../src/store/store.js';

const failure = (kind: RequestFailure['failure'], retryAfter: number | null = null): RequestFailure =>
  new RequestFailure('GET /x', 0, 'a hint', kind, null, retryAfter);
const performed = (...failures: readonly Error[]): PerformError =>
  new PerformError(
    failures.map((error) => ({ effect: { kind: 'reopen-issue', issue: 1 }, error })),
    [],
  );

describe('why it failed', () => {
  test.each<[string, unknown, Failure['kind'], number | null]>([
    ['no answer', failure('network'), 'later', null],
    ['GitHub is failing', failure('server'), 'later', null],
    ['GitHub is failing and says when', failure('server', 5_000), 'later', 5_000],
    ['a rate limit', failure('rate-limit', 90_000), 'told-to-wait', 90_000],
    ['a refusal', failure('refused'), 'refused', null],
    ['not signed in', new RequestFailure('GET /x', 401, 'a hint', 'refused'), 'later', null],
    ['one of the effects refused', performed(failure('refused')), 'refused', null],
    ['one refused, one not answered', performed(failure('refused'), failure('server')), 'later', null],
    [
      'two limits: the longer',
      performed(failure('rate-limit', 1_000), failure('rate-limit', 3_000)),
      'told-to-wait',
      3_000,
    ],
    ['a limit and no answer', performed(failure('rate-limit', 1_000), failure('network')), 'later', 1_000],
    ['a payload that lacks what is read', new UnreadPayload('push', 'ref'), 'unreadable', null],
    ['a fault of ours', new TypeError('a payload said this'), 'unexpected', null],
    ['no error at all', 'text', 'unexpected', null],
  ])('%s', (_name, error, kind, retryAfter) => {
    expect(failureOfWork(error)).toMatchObject({ kind, retryAfter });
  });

  const FULL = 'The store a.db cannot grow, the disk is full: make room. (SQLITE_FULL)';
  const full = new StoreError(FULL, 'full');
  test.each<[string, unknown]>([
    ['a full disk', full],
    ['a store that is closed', new StoreError('The store a.db is closed.', 'closed')],
    ['a damaged store', new StoreError('The store a.db is damaged. (SQLITE_CORRUPT)', 'unreadable')],
    ['a store kept busy', new StoreError('The store a.db was kept busy. (SQLITE_BUSY_SNAPSHOT)', 'failed')],
    ['no room for the index of its log', new StoreError('The disk failed. (SQLITE_IOERR_SHMSIZE)', 'failed')],
    ['a full disk, met by one of the effects', performed(full)],
    ['a full disk beside a refusal', performed(failure('refused'), full)],
    ['a full disk beside a limit', performed(failure('rate-limit', 1_000), full)],
  ])('%s is trouble of the store, which counts as no failure', (_name, error) => {
    const why = failureOfWork(error);
    expect(why.about).toBe('store');
    expect(counts(why)).toBe(false);
  });

  test('its own sentence is what is told of it, also where it kept an effect from being done', () => {
    expect([failureOfWork(full).why, failureOfWork(performed(full)).why]).toEqual([FULL, FULL]);
  });

  test.each<[string, unknown]>([
    ['a row that no store takes', new StoreError('A row was to be stored whose time is no time.', 'failed')],
    [
      'a constraint',
      new StoreError(
        'It could not do what it was asked for: (SQLITE_BUSY) is no name. (SQLITE_CONSTRAINT)',
        'failed',
      ),
    ],
    ['no answer', failure('network')],
    ['effects that were not answered', performed(failure('server'), failure('rate-limit'))],
  ])('%s is a failure of the delivery: it would never end', (_name, error) => {
    const why = failureOfWork(error);
    expect(why.about).toBeUndefined();
    expect(counts(why)).toBe(true);
  });

  test('what a fault says is not repeated: it may be the words of a payload', () => {
    expect(failureOfWork(new TypeError('a payload said this')).why).toBe(
      'a fault of this program (TypeError); the log has more',
    );
  });
});

describe('what follows', () => {
  const of = (kind: Failure['kind'], retryAfter: number | null = null): Failure => ({
    kind,
    why: '',
    retryAfter,
  });
  const waits = (kind: Failure['kind']): number[] => {
    const all: number[] = [];
    for (let attempts = 0; ;) {
      const next = nextTry(of(kind), attempts, 1);
      if (next.kind === 'bury') return all;
      all.push(next.wait);
      attempts = next.attempts;
    }
  };

  test('waits double from 2 s to 10 min, and end after an hour and a half', () => {
    const all = waits('later');
    expect(all.slice(0, 4)).toEqual([2_000, 4_000, 8_000, 16_000]);
    expect(Math.max(...all)).toBe(600_000);
    const total = all.reduce((sum, one) => sum + one, 0);
    expect(total).toBeGreaterThan(75 * 60_000);
    expect(total).toBeLessThan(120 * 60_000);
  });

  test('a fault of ours is tried four times, what is no payload once', () => {
    expect([waits('unexpected').length, waits('unreadable').length]).toEqual([3, 0]);
  });

  test('a refusal is tried for two minutes: the API lags behind the webhooks', () => {
    expect(waits('refused')).toEqual([2_000, 4_000, 8_000, 16_000, 32_000, 64_000]);
  });

  test('they differ by up to half, so that what failed together does not come back together', () => {
    const [least, most] = [nextTry(of('later'), 3, 0), nextTry(of('later'), 3, 1)];
    expect([least, most]).toEqual([
      { kind: 'retry', attempts: 4, wait: 8_000 },
      { kind: 'retry', attempts: 4, wait: 16_000 },
    ]);
  });

  test('never before GitHub allows it', () => {
    expect(nextTry(of('later', 90_000), 0, 0)).toEqual({ kind: 'retry', attempts: 1, wait: 90_000 });
  });

  test('being told to wait is no failure of the delivery, however often', () => {
    expect(nextTry(of('told-to-wait', 3_600_000), 17, 0)).toEqual({
      kind: 'retry',
      attempts: 17,
      wait: 3_600_000,
    });
  });

  test('trouble of the store neither counts nor ends, and is waited out from 5 s to 2 min', () => {
    const store: Failure = { ...of('unexpected'), about: 'store' };
    const all = [0, 1, 2, 3, 4, 5, 6, 400].map((inARow) => nextTry(store, 17, 1, inARow));
    expect(all.map(({ kind, attempts }) => [kind, attempts])).toEqual(all.map(() => ['retry', 17]));
    expect(all.map((next) => 'wait' in next && next.wait)).toEqual([
      5_000, 10_000, 20_000, 40_000, 80_000, 120_000, 120_000, 120_000,
    ]);
    expect(storeWait(0, 0)).toBe(2_500);
  });

  test('where nobody counted how often, the store is given its longest wait; and never less than GitHub asks for', () => {
    const store = (retryAfter: number | null): Failure => ({ ...of('later', retryAfter), about: 'store' });
    expect(nextTry(store(null), 0, 1)).toEqual({ kind: 'retry', attempts: 0, wait: 120_000 });
    expect(nextTry(store(600_000), 0, 1, 0)).toEqual({ kind: 'retry', attempts: 0, wait: 600_000 });
  });
});
