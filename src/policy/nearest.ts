import { distance } from 'fastest-levenshtein';

/** Words longer than this are nobody's typing error, and comparing them costs time. */
const LONGEST = 80;

const plain = (word: string): string => word.toLowerCase().replaceAll('_', '-');

/**
 * The word that was probably meant, by edit distance without case: at most two fifths of the longer word may
 * differ. Of several equally near words the first is taken, so lists should be in their natural order.
 */
export const nearest = (word: string, words: readonly string[]): string | undefined => {
  if (word.length === 0 || word.length > LONGEST) return undefined;
  let best: string | undefined;
  let bestDistance = Infinity;
  for (const candidate of words) {
    const apart = distance(plain(word), plain(candidate));
    const allowed = Math.max(1, Math.floor(Math.max(word.length, candidate.length) * 0.4));
    if (apart <= allowed && apart < bestDistance) {
      best = candidate;
      bestDistance = apart;
    }
  }
  return best;
};
