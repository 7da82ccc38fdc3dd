/** `30s`, `45m`, `6h`, `1d`: a whole number above zero and a unit. */
export const DURATION = /^[1-9][0-9]{0,5}[smhd]$/;

const UNITS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/**
 * A duration in milliseconds.
 * @throws {RangeError} where the text is not one; a loaded policy holds none such
 */
export const milliseconds = (duration: string): number => {
  const unit = duration.at(-1);
  if (!DURATION.test(duration) || !(unit === 's' || unit === 'm' || unit === 'h' || unit === 'd')) {
    throw new RangeError(`"${duration}" is not a duration such as 45m`);
  }
  return Number(duration.slice(0, -1)) * UNITS[unit];
};
