/**
 * Milliseconds until a remembered time; 0: it has passed. `longest`: how far ahead it can have been when it was noted.
 * What is further ahead was noted by a clock that has been set back since, and counts as passed: else all that waits for
 * it would stand still until that date. So does what is no time. All are milliseconds, times since 1970, UTC.
 */
export const leftUntil = (time: number, now: number, longest: number): number => {
  const left = time - now;
  return left > 0 && left <= longest ? left : 0;
};

/** Whether `span` milliseconds have passed since a remembered time. One that is still to come counts as long ago. */
export const isLongAgo = (time: number, now: number, span: number): boolean =>
  leftUntil(time + span, now, span) === 0;
