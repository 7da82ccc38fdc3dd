import type { Impatience } from '../../sandbox/faults/told-to-wait.js';
import type { Difference } from './difference.js';

/** An answer that came in so many milliseconds before a kill may never have been read, or not been kept yet. */
const UNREAD = 300;
/** And one that was given while the process died. */
const DYING = 50;

/** Requests that came although their sender had been told to wait, and had been told. `kills` by GitHub's clock. */
export const verifyPatience = (
  impatient: readonly Impatience[],
  kills: readonly number[],
): readonly Difference[] =>
  impatient
    .filter(({ toldAt }) => !kills.some((at) => toldAt > at - UNREAD && toldAt < at + DYING))
    .map(({ identity, request, kind, at, toldAt, until }) => ({
      where: identity,
      expected: `no request while told to wait (${kind}, ${until - toldAt} ms)`,
      seen: `${request}, ${at - toldAt} ms after it was told`,
      deliveries: [],
    }));
