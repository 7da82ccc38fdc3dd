import { Unplayable } from './case-error.js';

const UNITS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const DURATION = /^(?:\d+(?:ms|s|m|h|d))+$/;
const PART = /(\d+)(ms|s|m|h|d)/g;
const TIME_OF_DAY = /^([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?$/;

/** When every case starts: 2026-11-30T09:00:00Z. */
export const CASE_START_MS = Date.UTC(2026, 10, 30, 9);

/** Midnight of the day a case starts on; `at: "22:16:21"` counts from it. */
export const CASE_DAY_MS = Date.UTC(2026, 10, 30);

/** How long a case may last: far beyond any term of a policy, and well inside of what a date can hold. */
const LONGEST_DAYS = 36_500;
const CASE_END_MS = CASE_START_MS + LONGEST_DAYS * UNITS.d;

/** `90s`, `1h30m` in milliseconds; undefined when the text is no duration. */
export const durationMs = (text: string): number | undefined => {
  if (!DURATION.test(text)) return undefined;
  let total = 0;
  for (const [, count, unit] of text.matchAll(PART)) {
    total += Number(count) * UNITS[unit as keyof typeof UNITS];
  }
  return total;
};

/** True for what `instantOf` reads: `+11s` or `22:16:21`. */
export const isAt = (text: string): boolean =>
  TIME_OF_DAY.test(text) || (text.startsWith('+') && durationMs(text.slice(1)) !== undefined);

/**
 * `ms` after an instant.
 * @throws {Unplayable} where that is later than a case can last
 */
export const laterBy = (previousMs: number, ms: number): number => {
  const instant = previousMs + ms;
  if (instant > CASE_END_MS) {
    throw new Unplayable('this is too far ahead', `a case lasts at most ${LONGEST_DAYS} days; write less`);
  }
  return instant;
};

/**
 * The instant of an event, in milliseconds since 1970. No `at`: the instant before it. `+11s`: that much later.
 * `22:16:21`: that time of the day that starts at `dayStartMs`.
 * @throws {Unplayable} when time would go backwards or too far ahead, and on anything that is no time
 */
export const instantOf = (at: string | undefined, previousMs: number, dayStartMs = CASE_DAY_MS): number => {
  if (at === undefined) return previousMs;
  const later = at.startsWith('+') ? durationMs(at.slice(1)) : undefined;
  if (later !== undefined) return laterBy(previousMs, later);
  const clock = TIME_OF_DAY.exec(at);
  if (clock === null)
    throw new Unplayable(`"${at}" is no time`, 'write +11s, +1m, +1h or a time of day like 22:16:21');
  const [, hours, minutes, seconds] = clock;
  const instant =
    dayStartMs + Number(hours) * UNITS.h + Number(minutes) * UNITS.m + Number(seconds ?? 0) * UNITS.s;
  if (instant < previousMs) {
    throw new Unplayable(
      `${at} is before the event that precedes it`,
      'time in a case only goes forward: write a later time, or +11s for that much after it',
    );
  }
  return instant;
};
