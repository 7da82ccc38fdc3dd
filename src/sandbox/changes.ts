/** What a commit does to one path, against its first parent. */
export interface Change {
  readonly path: string;
  readonly was?: string;
  readonly status: 'added' | 'modified' | 'removed' | 'renamed';
  /** Git's file mode; `120000` is a symbolic link, whose content is its target. */
  readonly mode?: string;
  readonly content?: string;
}

/** Two changes of one path, one after the other, as one; null: they undo each other. */
const joined = (first: Change | undefined, next: Change): Change | null => {
  if (first === undefined) return next;
  if (next.status === 'removed') return first.status === 'added' ? null : { ...next };
  if (first.status === 'added') return { ...next, status: 'added' };
  if (first.status === 'renamed')
    return { ...next, status: 'renamed', ...(first.was === undefined ? {} : { was: first.was }) };
  return first.status === 'removed' ? { ...next, status: 'modified' } : next;
};

/** Changes of many commits, oldest first, as one list in order of path. */
export const netChanges = (lists: readonly (readonly Change[])[]): Change[] => {
  const net = new Map<string, Change>();
  for (const change of lists.flat()) {
    const origin = change.was === undefined ? undefined : net.get(change.was);
    if (change.was !== undefined) net.delete(change.was);
    const whole: Change = origin?.status === 'added' ? { ...change, status: 'added' } : change;
    const result = joined(net.get(whole.path), whole);
    if (result === null) net.delete(whole.path);
    else net.set(whole.path, result);
  }
  return [...net.values()].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
};
