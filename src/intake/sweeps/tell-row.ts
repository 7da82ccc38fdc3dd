import { ACTIVITY_GUID, readActs } from '../../acts/read.js';
import type { Account } from '../../acts/act.js';
import type { PullFact } from '../../decide/facts.js';
import { type ActivityRow, type SweepReader } from '../../github/read-sweep.js';
import { GHOST } from '../../github/shapes.js';
import type { Policy } from '../../policy/policy.js';
import { subjectOf } from '../acts-once.js';
import { readingUnder } from '../context-under.js';
import type { Desk } from '../deps.js';
import { UNATTRIBUTED, type UnattributedPayload } from '../unattributed.js';
import { commitsOf } from './commits-of.js';
import { type Found, mergedPayload, pushPayload } from './synthetic.js';
import { branchOf, type Told } from './told.js';

/** What rows of one repository's activity are looked at with. */
export interface RowDesk {
  readonly desk: Desk;
  readonly github: SweepReader;
  readonly policy: Policy;
  readonly told: Told;
  /** The thirty closed PRs that changed last, asked for once a pass. */
  readonly lastClosed: () => Promise<readonly PullFact[]>;
}

/** A merge and its row in the list are noted within this. Milliseconds. */
const SAME_TIME = 5 * 60_000;

/**
 * What a row of a repository's activity tells that no webhook has told, as deliveries. The row says who did it, and
 * nothing else does: where it names nobody, it is kept as done by nobody known.
 */
export async function tellRow(row: ActivityRow, at: RowDesk): Promise<readonly Found[]> {
  const branch = branchOf(row);
  // What we do ourselves needs nobody to tell us.
  if (branch === null || row.type === null || row.actor?.login === at.desk.self.botLogin) return [];
  switch (row.type) {
    case 'pr_merge':
    case 'merge_queue_merge':
      return tellMerges(row, branch, at);
    case 'branch_deletion': {
      if (await at.told.deletion(row, branch)) return [];
      return found(row, 'push', [pushPayload({ ...pushOf(row), forced: true }, [], by(row))], at);
    }
    case 'push':
    case 'force_push':
    case 'branch_creation': {
      if (await at.told.push(row, branch)) return [];
      const commits = await commitsOf(row, at.desk.repository.defaultBranch, at.github);
      const push = { ...pushOf(row), forced: row.type === 'force_push' };
      return found(row, 'push', [pushPayload(push, commits, by(row))], at);
    }
  }
}

const pushOf = ({ ref, before, after }: ActivityRow) => ({ ref, before, after });

/** Stands in a payload that is read for what was done and not for who did it. */
const by = ({ actor }: ActivityRow): Account => actor ?? GHOST;

/** One row may be several merges: the queue and a stack land more than one PR at once. */
async function tellMerges(row: ActivityRow, branch: string, at: RowDesk): Promise<readonly Found[]> {
  const told = await at.told.merges(branch);
  const untold = new Map<number, PullFact>();
  const add = (pulls: readonly PullFact[]): void => {
    for (const pull of pulls)
      if (pull.merged && pull.base.ref === branch && !told.hasPull(pull)) untold.set(pull.number, pull);
  };
  const closed: PullFact[] = [];
  if (!told.has(row.after)) {
    const pulls = await at.desk.facts.pullsOfCommit(row.after);
    add(pulls.filter((pull) => pull.mergeCommitSha === row.after));
    closed.push(...pulls);
  }
  closed.push(...(await at.lastClosed()));
  const beside = closed.filter(
    (pull) => isOfThen(pull, row) && !told.hasPull(pull) && !untold.has(pull.number),
  );
  if (beside.length > 0) {
    const shas = await landedBy(row, at.github);
    const whole = beside.filter(({ mergeCommitSha: sha }) => sha !== null && shas.has(sha));
    const numbers = new Set(whole.map(({ number }) => number));
    add(await Promise.all([...numbers].map((number) => at.desk.facts.pull(number))));
  }
  const payloads = [...untold.values()].map((pull) => mergedPayload(pull, by(row)));
  return found(row, 'pull_request', payloads, at);
}

const isOfThen = ({ mergedAt }: PullFact, row: ActivityRow): boolean =>
  mergedAt !== null && Math.abs(Date.parse(mergedAt) - Date.parse(row.at)) <= SAME_TIME;

async function landedBy(row: ActivityRow, github: SweepReader): Promise<ReadonlySet<string>> {
  const commits = (await github.commitsBetween(row.before, row.after)) ?? [];
  return new Set([row.after, ...commits.map(({ sha }) => sha)]);
}

function found(
  row: ActivityRow,
  name: string,
  payloads: readonly Found['payload'][],
  at: RowDesk,
): readonly Found[] {
  return payloads.map((payload, index): Found => {
    const guid = `${ACTIVITY_GUID}${at.desk.repository.id}:${row.id}${index === 0 ? '' : `:${index}`}`;
    const when = { guid, happenedAt: row.at, lane: 'sweep', subject: null } as const;
    return row.actor === null
      ? { ...when, name: UNATTRIBUTED, payload: { ...nobodys(row, name, payload, at) } }
      : { ...when, name, payload };
  });
}

/** The acts of a payload, without who did them. */
function nobodys(
  row: ActivityRow,
  name: string,
  payload: Found['payload'],
  { desk, policy }: RowDesk,
): UnattributedPayload {
  const acts = readActs({ id: ACTIVITY_GUID, name, payload }, readingUnder(policy, desk.repository));
  return {
    acts: acts.map((act) => ({ key: act.key, kind: act.kind, subject: subjectOf(act) })),
    since: row.at,
  };
}
