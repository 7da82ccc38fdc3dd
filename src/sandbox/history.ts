import type { SandboxAccount } from './accounts.js';
import type { CommitWorld } from './case.js';
import { type Change, netChanges } from './changes.js';
import type { CommitNode } from './graph.js';
import { NO_SHA } from './shas.js';
import type { Activity, ActivityType, State } from './state.js';

interface Person {
  readonly author: SandboxAccount | null;
  readonly name: string;
  readonly email: string;
}

const MAILBOX = /^(?<name>[^<]*?)\s*<(?<email>[^>]+)>$/;

/** The author a case names: an account, or `Name <address>` for somebody GitHub knows no account of. */
export const personOf = (state: State, given: string | SandboxAccount): Person => {
  const mailbox = typeof given === 'string' ? MAILBOX.exec(given)?.groups : undefined;
  if (mailbox !== undefined) {
    return { author: null, name: mailbox['name'] ?? '', email: mailbox['email'] ?? '' };
  }
  const author = typeof given === 'string' ? state.accounts.named(given) : given;
  return { author, name: author.login, email: `${author.id}+${author.login}@users.noreply.github.com` };
};

const changesOf = (commit: CommitWorld): Change[] => [
  ...(commit.added ?? []).map((path): Change => ({ path, status: 'added' })),
  ...(commit.modified ?? []).map((path): Change => ({ path, status: 'modified' })),
  ...(commit.removed ?? []).map((path): Change => ({ path, status: 'removed' })),
];

/** Adds a commit, or lays anew one that was only implied so far. One that a case spelled out is left as it is. */
export const putCommit = (
  state: State,
  sha: string,
  parents: readonly string[],
  by: string | SandboxAccount,
  more: {
    readonly message?: string;
    readonly changes?: Change[];
    readonly at?: number;
    readonly implied?: boolean;
  },
): CommitNode => {
  const known = state.graph.get(sha);
  if (known !== undefined && !known.implied) return known;
  const own = parents.filter((parent) => parent !== sha && !state.graph.reaches(parent, sha));
  return state.graph.add({
    sha,
    parents: own.length > 0 ? own : [...(known?.parents ?? [])],
    ...personOf(state, by),
    message: more.message ?? known?.message ?? `Work ${state.shas.short(sha)}`,
    at: more.at ?? known?.at ?? state.clock.now(),
    changes: more.changes ?? known?.changes ?? [],
    implied: more.implied ?? false,
    ...(known?.tree === undefined ? {} : { tree: known.tree }),
    verified: known?.verified ?? false,
  });
};

/**
 * Puts commits one on another, from `fork` to `tip`. A commit that stands already is kept where it is; a tip the
 * list does not hold is implied, by whoever pushed it.
 */
export const layCommits = (
  state: State,
  fork: string,
  commits: readonly CommitWorld[],
  tip: string,
  by: string | SandboxAccount,
  at = state.clock.now(),
): void => {
  let last = fork;
  for (const commit of commits) {
    const sha = state.shas.full(commit.sha);
    const message = commit.message === undefined ? {} : { message: commit.message };
    const listed = changesOf(commit);
    const changes = listed.length === 0 ? {} : { changes: listed };
    putCommit(state, sha, last === NO_SHA ? [] : [last], commit.author ?? by, { ...message, ...changes, at });
    last = sha;
  }
  if (!state.graph.commits.has(tip)) {
    putCommit(state, tip, last === NO_SHA ? [] : [last], by, { at, implied: true });
  }
};

/** Gives paths of a commit a new text. */
export const writeContent = (state: State, sha: string, content: Readonly<Record<string, string>>): void => {
  const commit = state.graph.get(sha);
  if (commit === undefined) return;
  const parent = commit.parents[0];
  const before = parent === undefined ? new Map<string, unknown>() : state.graph.files(parent);
  const changes = Object.entries(content).map(([path, text]): Change => ({
    path,
    status: before.has(path) ? 'modified' : 'added',
    content: text,
  }));
  state.graph.amend(commit, { changes: netChanges([commit.changes, changes]) });
};

/**
 * Keeps one row of the activity list. Two webhooks that tell the same move are one row, and the more telling type
 * stays; a row that only came from the world's `branches` gives way; a row the case spelled out stays as it is. Once the
 * ref was put back to where the move began, it is another.
 */
export const noteActivity = (
  state: State,
  row: {
    readonly type: ActivityType;
    readonly ref: string;
    readonly before: string;
    readonly after: string;
    readonly actor: SandboxAccount | null;
    readonly at?: number;
    readonly origin?: Activity['origin'];
  },
): void => {
  const all = state.activity.of(row.ref);
  const ofRef = all.slice(all.findLastIndex(({ after }) => after === row.before) + 1);
  const latest = ofRef.at(-1);
  const known = ofRef.findLast(
    (other) =>
      other.after === row.after &&
      other.type !== 'branch_deletion' &&
      (other.before === row.before || other === latest || other.origin === 'world'),
  );
  const at = row.at ?? state.clock.now();
  state.pushedAt = Math.max(state.pushedAt, at);
  if (known === undefined || row.type === 'branch_deletion') {
    state.activity.add({ id: state.nextId('activity'), origin: 'event', ...row, at });
  } else if (known.origin === 'branches') {
    Object.assign(known, { type: row.type, before: row.before, actor: row.actor, at, origin: 'event' });
  } else if (known.origin === 'event' && known.type === 'push' && row.type !== 'branch_creation') {
    known.type = row.type;
    known.before = row.before;
  }
};

/** Where the commits of a rewritten branch start: its trunk's parent for the trunk itself, else where it left it. */
export const rootOf = (state: State, branch: string, oldTip: string): string => {
  const trunk = state.branches.get(state.defaultBranch);
  if (branch === state.defaultBranch || trunk === undefined) {
    return state.graph.get(oldTip)?.parents[0] ?? NO_SHA;
  }
  return state.graph.mergeBase(trunk, oldTip) ?? trunk;
};

/** Makes the tip known that a push says it came from, under the tip that followed it where that one stands already. */
export const knowBefore = (
  state: State,
  branch: string,
  before: string,
  after: string,
  by: string | SandboxAccount,
): void => {
  if (before === NO_SHA || state.graph.commits.has(before)) return;
  const next = state.graph.get(after);
  const under =
    next?.parents[0] ?? state.branches.get(branch) ?? state.branches.get(state.defaultBranch) ?? NO_SHA;
  putCommit(state, before, under === NO_SHA ? [] : [under], by, { implied: true });
  if (next !== undefined) state.graph.amend(next, { parents: [before, ...next.parents.slice(1)] });
};

/** Removes a branch. A second telling of the same deletion changes nothing. Gives the tip that went. */
export const deleteBranch = (state: State, branch: string, by: SandboxAccount, said?: string): string => {
  const tip = state.branches.get(branch);
  const gone = state.deleted.get(branch);
  if (tip === undefined && gone !== undefined) return gone;
  const before = tip ?? said ?? NO_SHA;
  state.branches.delete(branch);
  state.deleted.set(branch, before);
  noteActivity(state, {
    type: 'branch_deletion',
    ref: `refs/heads/${branch}`,
    before,
    after: NO_SHA,
    actor: by,
  });
  return before;
};

/** Sets a branch's tip, and the head of every open PR of this branch with it. */
export const moveBranch = (state: State, branch: string, tip: string): void => {
  state.branches.set(branch, tip);
  state.deleted.delete(branch);
  for (const pull of state.pulls.ofBranch(branch)) {
    if (pull.state === 'open' && pull.fork === null && pull.headSha !== tip) {
      pull.previousSha = pull.headSha;
      state.pulls.moveHead(pull, tip);
      pull.updatedAt = state.clock.now();
    }
  }
};
