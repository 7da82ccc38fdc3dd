import { distance } from 'fastest-levenshtein';

/** `did you mean "push"?`, or every choice when nothing is near. */
export const didYouMean = (word: string, choices: readonly string[]): string => {
  const near = choices
    .map((choice) => ({ choice, far: distance(word.toLowerCase(), choice) }))
    .sort((a, b) => a.far - b.far)[0];
  if (near !== undefined && near.far <= Math.max(2, Math.floor(word.length / 3))) {
    return `did you mean "${near.choice}"?`;
  }
  return `one of: ${choices.join(', ')}`;
};
