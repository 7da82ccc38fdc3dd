/** One thing that is not as the story says it has to be. */
export interface Difference {
  /** `acme/one`, or what else it is about. */
  readonly where: string;
  readonly expected: string;
  readonly seen: string;
  /** GUIDs of the webhooks that told it. */
  readonly deliveries: readonly string[];
}

/** How often each thing stands in a list. */
export const tally = (things: readonly string[]): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const thing of things) counts.set(thing, (counts.get(thing) ?? 0) + 1);
  return counts;
};

/** What two lists do not have in common, each thing with how often it is expected and seen. */
export const compare = (
  expected: readonly string[],
  seen: readonly string[],
): readonly { readonly thing: string; readonly expected: number; readonly seen: number }[] => {
  const [wanted, found] = [tally(expected), tally(seen)];
  return [...new Set([...wanted.keys(), ...found.keys()])]
    .map((thing) => ({ thing, expected: wanted.get(thing) ?? 0, seen: found.get(thing) ?? 0 }))
    .filter((one) => one.expected !== one.seen);
};
