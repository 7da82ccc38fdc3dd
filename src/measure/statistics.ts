/** The value below which a share of the values lies (nearest rank); NaN of none. */
export const percentile = (values: readonly number[], share: number): number => {
  const sorted = [...values].sort((one, other) => one - other);
  const rank = Math.max(1, Math.ceil(share * sorted.length));
  return sorted[rank - 1] ?? Number.NaN;
};

/** NaN of none. */
export const median = (values: readonly number[]): number => percentile(values, 0.5);
