import { Unplayable } from '../case-error.js';
import type { CommitWorld } from '../case.js';
import {
  deleteBranch,
  knowBefore,
  layCommits,
  moveBranch,
  noteActivity,
  rootOf,
  writeContent,
} from '../history.js';
import type { CommitNode } from '../graph.js';
import { asRecord, isRecord, type Json, layOverRecord, listOf, textOf } from '../records.js';
import { pushCommitJson } from '../shapes/commit.js';
import { repositoryJson } from '../shapes/repository.js';
import { NO_SHA } from '../shas.js';
import type { State } from '../state.js';
import { fullRef } from '../world-rows.js';
import { ensureCommit, type Handler, type Happening, keySha } from './happening.js';

/** GitHub lists no more commits in one push. */
const MOST_COMMITS = 2_048;

interface Move {
  readonly ref: string;
  readonly before: string;
  readonly after: string;
  readonly created: boolean;
  readonly deleted: boolean;
  readonly forced: boolean;
}

const BRANCH = 'refs/heads/';
const TAG = 'refs/tags/';

const commitsOf = (happening: Happening): readonly CommitWorld[] =>
  listOf(happening.keys['commits']).filter(
    (commit): commit is CommitWorld & Json => isRecord(commit) && 'sha' in commit,
  );

const moveBranchOf = (happening: Happening, branch: string): Move => {
  const { state, keys, by } = happening;
  const ref = BRANCH + branch;
  const forced = keys['forced'] === true;
  const said = keySha(happening, 'before');
  if (keys['deleted'] === true) {
    const before = deleteBranch(state, branch, by, said);
    return { ref, before: said ?? before, after: NO_SHA, created: false, deleted: true, forced };
  }
  const commits = commitsOf(happening);
  const listed = commits.at(-1);
  const after =
    keySha(happening, 'after') ?? (listed === undefined ? undefined : state.shas.full(listed.sha));
  if (after === undefined)
    throw new Unplayable(`a push to ${branch} needs after, or commits`, 'add one of them');
  const created = keys['created'] === true;
  const before = created ? NO_SHA : (said ?? state.branches.get(branch) ?? NO_SHA);
  knowBefore(state, branch, before, after, by);
  const trunk = state.branches.get(state.defaultBranch) ?? NO_SHA;
  const fork = before === NO_SHA ? trunk : forced ? rootOf(state, branch, before) : before;
  const carried = forced && before !== NO_SHA ? state.graph.changes(fork, before) : [];
  layCommits(state, fork, commits, after, by);
  const tip = state.graph.get(after);
  const blank = state.graph.between(fork, after).every((commit) => commit.changes.length === 0);
  if (tip !== undefined && blank && branch !== state.defaultBranch)
    state.graph.amend(tip, { changes: carried });
  moveBranch(state, branch, after);
  noteActivity(state, {
    type: created ? 'branch_creation' : forced ? 'force_push' : 'push',
    ref,
    before,
    after,
    actor: by,
  });
  return { ref, before, after, created: before === NO_SHA, deleted: false, forced };
};

const moveTag = (happening: Happening, tag: string): Move => {
  const { state, keys, by } = happening;
  const ref = TAG + tag;
  const known = state.tags.get(tag);
  const before = keySha(happening, 'before') ?? (keys['created'] === true ? NO_SHA : (known ?? NO_SHA));
  if (keys['deleted'] === true) {
    state.tags.delete(tag);
    state.pushedAt = state.clock.now();
    return { ref, before, after: NO_SHA, created: false, deleted: true, forced: keys['forced'] === true };
  }
  const after = keySha(happening, 'after') ?? state.branches.get(state.defaultBranch) ?? NO_SHA;
  ensureCommit(state, after, by);
  state.tags.set(tag, after);
  state.pushedAt = state.clock.now();
  return { ref, before, after, created: before === NO_SHA, deleted: false, forced: keys['forced'] === true };
};

const newCommits = (state: State, move: Move): readonly CommitNode[] => {
  if (move.deleted || !move.ref.startsWith(BRANCH)) return [];
  const trunk = state.branches.get(state.defaultBranch) ?? NO_SHA;
  // GitHub lists what is new to the repository: nothing, for a branch made where the trunk stands.
  const first = move.ref === `${BRANCH}${state.defaultBranch}`;
  const since = move.before !== NO_SHA ? move.before : first ? NO_SHA : trunk;
  return state.graph.between(since, move.after).slice(-MOST_COMMITS);
};

/** The repository as `push` alone spells it: times in seconds, and more of its owner. */
const pushRepository = (state: State): Json => {
  const repository = repositoryJson(state);
  const owner = asRecord(repository['owner']);
  const seconds = (key: string): number => Math.floor(Date.parse(textOf(repository[key]) ?? '') / 1_000);
  return {
    ...repository,
    owner: { ...owner, name: owner['login'], email: null },
    created_at: seconds('created_at'),
    pushed_at: seconds('pushed_at'),
    stargazers: 0,
    master_branch: state.defaultBranch,
    organization: owner['login'],
  };
};

const payloadOf = (happening: Happening, move: Move): Json => {
  const { state, by, overlay } = happening;
  const laid = asRecord(overlay['head_commit']);
  const tip = state.graph.get(move.after);
  const tree = textOf(laid['tree_id']);
  const message = textOf(laid['message']);
  if (tip !== undefined && (tree !== undefined || message !== undefined)) {
    state.graph.amend(tip, {
      ...(tree === undefined ? {} : { tree }),
      ...(message === undefined ? {} : { message }),
    });
  }
  const head = tip === undefined ? null : layOverRecord(pushCommitJson(state, tip), laid);
  const short = (sha: string): string => sha.slice(0, 12);
  return {
    ref: move.ref,
    before: move.before,
    after: move.after,
    repository: pushRepository(state),
    pusher: { name: by.login, email: `${by.id}+${by.login}@users.noreply.github.com` },
    created: move.created,
    deleted: move.deleted,
    forced: move.forced,
    base_ref: null,
    compare: `${state.repo.html}/compare/${short(move.before)}...${short(move.after)}`,
    commits: newCommits(state, move).map((commit) => pushCommitJson(state, commit)),
    head_commit: head,
  };
};

/** A push of one ref or of several. More than three tags in one push send nothing, as on GitHub. */
export const push: Handler = (happening) => {
  const { keys, state } = happening;
  const refs = (Array.isArray(keys['ref']) ? keys['ref'] : [keys['ref']]).map((ref) => fullRef(String(ref)));
  const content = asRecord(keys['content']);
  const moves = refs.map((ref) =>
    ref.startsWith(TAG)
      ? moveTag(happening, ref.slice(TAG.length))
      : moveBranchOf(happening, ref.slice(BRANCH.length)),
  );
  for (const move of moves) {
    if (!move.deleted && Object.keys(content).length > 0) {
      writeContent(
        state,
        move.after,
        Object.fromEntries(Object.entries(content).map(([path, text]) => [path, String(text)])),
      );
    }
  }
  const tags = moves.filter((move) => move.ref.startsWith(TAG));
  const told = tags.length > 3 ? moves.filter((move) => !move.ref.startsWith(TAG)) : moves;
  const payloads = told.map((move) => payloadOf(happening, move));
  const [only] = payloads;
  return payloads.length === 1 && only !== undefined ? only : payloads;
};
