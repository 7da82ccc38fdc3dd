import type { Account } from '../acts/act.js';
import type { ApprovalFacts } from '../decide/approvals.js';
import type { Context } from '../decide/context.js';
import type { CommitFact, FileFact, FilesFact, PullFact } from '../decide/facts.js';
import { type LimitFacts, openerOf } from '../decide/limits.js';
import type { PullFacts } from '../decide/judge-pull.js';
import { reviewersToLookUp } from '../decide/reviews.js';
import { bothExtensions, loadPolicyFile } from '../policy/load.js';
import { isPolicyPath, isTrunk } from '../policy/read.js';
import type { PullMemory } from '../store/ledger.js';
import { type Desk, NOTHING } from './deps.js';
import { PutOff } from './put-off.js';
import { lookUpApprovers } from './look-up.js';
import { namesFor } from './policy-names.js';
import { headBranchOf } from './remember.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NO_LIMITS: LimitFacts = {
  openPulls: [],
  openedLately: new Map(),
  mergedLately: new Map(),
  trees: new Map(),
};

/** What the judging of all PRs of one delivery shares. */
export interface Round {
  readonly context: Context;
  readonly desk: Desk;
  /** Open PRs of the repository, read once. */
  readonly openPulls: OpenPulls;
  /** Names of policy files on the default branch. */
  readonly present: readonly string[];
  /** The merges that this delivery tells; the ledger may hold them already, or not yet. */
  readonly mergedNow: readonly MergedNow[];
  /** Trees by their commits, as far as they were asked for: every PR of an agent is compared to all its others. */
  readonly trees: Map<string, string>;
}

export interface MergedNow {
  /** Of the act. */
  readonly key: string;
  readonly agent: string;
}

export type OpenPulls = () => Promise<readonly PullFact[]>;

/** Reads what a PR is judged by. */
export async function gatherPull(pull: PullFact, round: Round): Promise<PullFacts> {
  const { context, desk, openPulls, present } = round;
  const { facts, ledger } = desk;
  const opener = openerOf(pull, context);
  const [files, commits, reviews, memory, moves] = await Promise.all([
    facts.files(pull.number, pull.head.sha, pull.changedFiles),
    facts.commits(pull.number),
    facts.reviews(pull.number),
    ledger.pull(pull.number),
    movesOf(pull, desk),
  ]);
  const [looked, limits, policyFile] = await Promise.all([
    lookUpApprovers(facts, context, reviewersToLookUp(reviews)),
    opener === null
      ? Promise.resolve(NO_LIMITS)
      : openPulls().then((open) => gatherLimits(pull, opener, round, open)),
    policyFileAfter(pull, files, present, desk),
  ]);
  return {
    pull,
    commits,
    pushers: pushersOf(pull, commits, moves),
    remembered: memory.evidence ?? [],
    reviews,
    ...looked,
    ...rememberedOf(memory),
    files,
    limits,
    policyFile,
    toTrunk: isTrunk(context.policy, pull.base.ref, context.repository.defaultBranch),
  };
}

const rememberedOf = (
  memory: PullMemory,
): Pick<ApprovalFacts, 'baseChangedAt' | 'staleReviews' | 'dismissedBy'> => ({
  baseChangedAt: memory.baseChangedAt ?? null,
  staleReviews: new Set(memory.staleReviews),
  dismissedBy: new Map(
    Object.entries(memory.dismissedBy ?? {}).map(([id, account]) => [Number(id), account]),
  ),
});

interface Move {
  readonly after: string;
  readonly by: Account | null;
}

/** Who moved the head branch: from the deliveries that told it, and from GitHub's list where the branch is ours. */
async function movesOf(pull: PullFact, desk: Desk): Promise<readonly Move[]> {
  const fork = pull.sameRepository ? null : (pull.head.repo?.id ?? 0);
  const told = await desk.ledger.pushes(headBranchOf(pull.head.ref, fork));
  if (!pull.sameRepository) return told;
  const listed = await desk.facts.activity(pull.head.ref);
  return [...told, ...listed.map(({ after, actor }) => ({ after, by: actor }))];
}

/** Senders of the pushes whose commits are still in the PR, each once, without its author. */
function pushersOf(
  pull: PullFact,
  commits: readonly CommitFact[],
  moves: readonly Move[],
): readonly Account[] {
  const inPull = new Set([pull.head.sha, ...commits.map(({ sha }) => sha)]);
  const pushers = new Map<number, Account>();
  for (const { after, by } of moves) {
    if (by !== null && by.id !== pull.author.id && inPull.has(after)) pushers.set(by.id, by);
  }
  return [...pushers.values()];
}

/** How much an agent has open and did lately. */
export async function gatherLimits(
  pull: PullFact,
  opener: string,
  round: Round,
  open: readonly PullFact[],
): Promise<LimitFacts> {
  const { context, desk } = round;
  const now = Date.parse(context.now);
  const since = (ms: number): string => new Date(now - ms).toISOString();
  const [opened, merged] = await Promise.all([
    desk.ledger.acts({ kind: 'pull.open', agent: opener, since: since(HOUR) }),
    desk.ledger.acts({ kind: 'pull.merge', agent: opener, since: since(DAY) }),
  ]);
  const lately = [
    ...open
      .filter((other) => openerOf(other, context) === opener)
      .map(({ number, createdAt }) => ({ number, at: createdAt })),
    ...opened.flatMap(({ subject, at }) =>
      subject.pull === undefined ? [] : [{ number: subject.pull, at }],
    ),
  ].filter(({ at }) => now - Date.parse(at) < HOUR);
  const toldNow = new Set(round.mergedNow.map(({ key }) => key));
  const landed = [
    ...merged
      .filter(({ key, subject }) => subject.after !== undefined && !toldNow.has(key))
      .map(({ at }) => at),
    ...round.mergedNow.filter(({ agent }) => agent === opener).map(() => context.now),
  ];
  const ends = [
    ...lately.map(({ at }) => Date.parse(at) + HOUR),
    ...landed.map((at) => Date.parse(at) + DAY),
  ].filter((end) => end > now);
  return {
    openPulls: open.some(({ number }) => number === pull.number) ? open : [...open, pull],
    openedLately: new Map([[opener, lately.map(({ number }) => number)]]),
    mergedLately: new Map([[opener, landed.length]]),
    trees: await treesOf(pull, open, round),
    ...(ends.length === 0 ? {} : { nextEnd: new Date(Math.min(...ends)).toISOString() }),
  };
}

/** Trees are asked for only where an agent has two open PRs on one base; a commit's tree never changes. */
async function treesOf(
  pull: PullFact,
  open: readonly PullFact[],
  { context, desk, trees }: Round,
): Promise<ReadonlyMap<string, string>> {
  const others = open.filter(
    (other) =>
      other.number !== pull.number && other.base.ref === pull.base.ref && openerOf(other, context) !== null,
  );
  if (others.length === 0) return new Map();
  const shas = [...new Set([pull, ...others].map(({ head }) => head.sha))];
  await Promise.all(
    shas
      .filter((sha) => !trees.has(sha))
      .map(async (sha) => trees.set(sha, (await desk.ledger.tree(sha)) ?? (await desk.facts.tree(sha)))),
  );
  return new Map(shas.flatMap((sha) => entryOf(sha, trees)));
}

const entryOf = (sha: string, trees: ReadonlyMap<string, string>): readonly [string, string][] => {
  const tree = trees.get(sha);
  return tree === undefined ? [] : [[sha, tree]];
};

/** Problems of the policy file as the PR would leave it; null where it does not touch it or leaves it good. */
async function policyFileAfter(
  pull: PullFact,
  files: FilesFact,
  present: readonly string[],
  desk: Desk,
): Promise<PullFacts['policyFile']> {
  const touching = files.files.filter(
    (file) => isPolicyFile(file.path) || (file.previousPath !== undefined && isPolicyFile(file.previousPath)),
  );
  if (touching.length === 0) return null;
  const after = new Set(present);
  for (const file of touching) applyTo(after, file);
  const [path, second] = [...after].sort();
  if (path === undefined) return null;
  if (second !== undefined) {
    const added = touching.map((file) => file.path).find((name) => after.has(name)) ?? second;
    return { path: added, problems: [bothExtensions()] };
  }
  const read = await desk.facts.file(desk.repository, path, pull.head.sha);
  if (read.kind === 'absent') return null;
  if (read.kind === 'unreadable') {
    if (read.transient) throw new PutOff(read.why, NOTHING, read.retryAfter ?? null);
    const message = `GitHub did not give this file (${read.why}). Ask for the check again once it can be read.`;
    return { path, problems: [{ line: 1, column: 1, path: '', message }] };
  }
  const loaded = loadPolicyFile(read.value, path, 'repo', await namesFor(desk));
  return loaded.kind === 'invalid' ? { path, problems: loaded.problems } : null;
}

const isPolicyFile = (path: string): boolean => isPolicyPath(path) && path === path.toLowerCase();

function applyTo(names: Set<string>, file: FileFact): void {
  if (file.status === 'removed') names.delete(file.path);
  else names.add(file.path);
  if (file.status === 'renamed' && file.previousPath !== undefined) names.delete(file.previousPath);
}
