import { describe, expect, test } from '@jest/globals';
import { RequestFailure } from '../../src/github/failure.js';
import { PerformError } from '../../src/github/perform.js';
import { UnreadPayload } from '../../src/intake/unread-payload.js';
import { failureOfWork, nextTry, type Failure } from '../../src/intake/failure-of-work.js';

const failure = (kind: RequestFailure['failure'], retryAfter: number | null = null): RequestFailure =>
  new RequestFailure('GET /x', 0, 'a hint', kind, null, retryAfter);
const performed = (...failures: readonly RequestFailure[]): PerformError =>
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
});
