import type { SandboxAccount } from './accounts.js';
import type { CommitWorld, FileWorld, PullWorld, World } from './case.js';
import type { Change } from './changes.js';
import { layCommits, noteActivity } from './history.js';
import { mergePull } from './merge.js';
import { newPull } from './new-pull.js';
import { textOf } from './records.js';
import { NO_SHA } from './shas.js';
import type { Pull, State } from './state.js';

export const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** How long before the first instant of a case things stood already. */
export const AGE = { root: 29 * DAY, branches: 2 * DAY, pulls: DAY } as const;

/** Lays a branch whose tip was pushed by the last of `by`, on top of one commit by each of those before. */
export const layBranch = (
  state: State,
  name: string,
  from: string,
  tip: string,
  by: readonly string[],
  commits: readonly CommitWorld[],
  at: number,
): void => {
  const early = by
    .slice(0, -1)
    .map((who, index): CommitWorld => ({ sha: `${name}~${by.length - 1 - index}`, author: who }));
  const last = by.at(-1) ?? 'otto';
  layCommits(state, from, [...early, ...commits], tip, last, at);
  const exists = state.branches.has(name);
  state.branches.set(name, tip);
  let before = exists ? from : NO_SHA;
  for (const [index, who] of by.entries()) {
    const spec = early[index];
    const after = spec === undefined ? tip : state.shas.full(spec.sha);
    noteActivity(state, {
      type: before === NO_SHA ? 'branch_creation' : 'push',
      ref: `refs/heads/${name}`,
      before,
      after,
      actor: state.accounts.named(who),
      at: at + index * 60_000,
      origin: 'branches',
    });
    before = after;
  }
};

const changeOf = (state: State, base: string, file: string | FileWorld): Change => {
  const given: FileWorld = typeof file === 'string' ? { path: file } : file;
  const known = state.graph.files(base).has(given.path);
  return {
    path: given.path,
    status: given.status ?? (given.was !== undefined ? 'renamed' : known ? 'modified' : 'added'),
    ...(given.was === undefined ? {} : { was: given.was }),
    ...(given.mode === undefined ? {} : { mode: given.mode }),
    ...(given.content === undefined ? {} : { content: given.content }),
  };
};

/** A PR of the world, its head branch and its commits; without `files` it changes one file of its own. */
export const layPull = (
  state: State,
  number: number,
  given: PullWorld,
  opened: boolean,
  world: World,
  start: number,
): void => {
  const author = state.accounts.named(given.author ?? 'otto');
  const base = given.base ?? state.defaultBranch;
  const head = given.head ?? `pull-${number}`;
  const baseSha = state.branches.get(base) ?? state.branches.get(state.defaultBranch) ?? NO_SHA;
  if (!state.branches.has(base)) state.branches.set(base, baseSha);
  const fork =
    given.fork === true
      ? `${author.login}/${state.repo.name}`
      : typeof given.fork === 'string'
        ? given.fork
        : null;
  const listed = world.branches?.[head];
  const headSha = state.shas.full(given.sha ?? textOf(listed?.sha) ?? `pull-${number}`);
  const by = listed?.by ?? [given.author ?? 'otto'];
  const at = start - AGE.pulls;
  if (fork === null && state.branches.get(head) === undefined) {
    layBranch(state, head, baseSha, headSha, by, given.commits ?? [], at);
  } else {
    layCommits(state, baseSha, given.commits ?? [], headSha, author, at);
  }
  const own = state.graph.between(baseSha, headSha);
  const listsFiles = own.some((commit) => commit.changes.length > 0);
  const files =
    given.files ?? (listsFiles ? [] : [{ path: `src/pull-${number}.ts`, status: 'added' as const }]);
  const tip = state.graph.get(headSha);
  if (tip !== undefined) {
    const changes = files.map((file) => changeOf(state, baseSha, file));
    state.graph.amend(tip, { changes: [...tip.changes, ...changes] });
  }

  const pull = newPull(state, {
    number,
    exists: !opened,
    author,
    base,
    baseSha,
    head,
    headSha,
    createdAt: at,
    state: given.state ?? 'open',
    title: given.title ?? `Change ${number}`,
    body: given.body ?? '',
    labels: [...(given.labels ?? [])],
    reviews: (given.reviews ?? []).map((review) => ({
      id: state.nextId('review'),
      by: state.accounts.named(review.by),
      state: review.state,
      sha: state.shas.full(review.sha),
      at: at + 3_600_000,
      body: '',
      overlay: {},
    })),
    fork,
    autoMerge: given.auto_merge ? { by: state.accounts.named(given.auto_merge), at } : null,
    closedAt: given.state === 'closed' ? at : null,
  });
  state.pulls.add(pull);
  if (given.merged !== undefined) landInWorld(state, pull, given.merged, start);
};

/** A PR that was merged before the case starts: when and by whom, the activity list knows if it has the row. */
const landInWorld = (state: State, pull: Pull, merged: string, start: number): void => {
  const sha = state.shas.full(merged);
  const row = [...state.activity.of(`refs/heads/${pull.base}`)].find(
    (known) => known.origin === 'world' && known.after === sha,
  );
  const by: SandboxAccount = row?.actor ?? state.accounts.named('otto');
  mergePull(state, pull, sha, by, row?.at ?? start - AGE.pulls / 2);
};
