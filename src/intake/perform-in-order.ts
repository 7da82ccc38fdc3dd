import type { Delivery } from '../acts/payload.js';
import type { Effect } from '../decide/effects.js';
import type { SuspensionView } from '../decide/reasons.js';
import { PerformError } from '../github/perform.js';
import type { Performed } from '../github/port.js';
import type { ActRow, Suspension } from '../store/ledger.js';
import { aside, standingOf } from './act-rows.js';
import { type Desk, NOTHING } from './deps.js';
import type { Round } from './gather-pull.js';
import { heldBy, heldKey } from './held-pulls.js';
import { type Attempt, type Cause, judgeAgain, type JudgedAgain, type Unread } from './judge-again.js';
import { type Kept, NO_MEMORY } from './judged-acts.js';
import { PutOff } from './put-off.js';

const ENDING: ReadonlySet<Effect['kind']> = new Set(['resume', 'settle-escalation']);

/**
 * Performs a delivery's effects so that one of them that fails loses none of the others and nothing is told twice:
 * what the delivery tells; then, head by head, what it touches on other open PRs and what suspensions hold there, those
 * of an earlier delivery that failed half-way too; and the end of a suspension last, since it is the trace by which a
 * redelivery finds the rest. Throws PerformError, or PutOff where only a look-up failed or GitHub asked to wait, with
 * everything that was done.
 */
export async function performInOrder(
  effects: readonly Effect[],
  touched: Cause | null,
  round: Round,
  delivery: Delivery,
  keep: Kept,
): Promise<readonly Performed[]> {
  const { desk } = round;
  const attempt = (some: readonly Effect[]): Promise<Attempt> => tryAll(some, round, delivery);
  const ending = effects.filter(({ kind }) => ENDING.has(kind));
  if (effects.length > 0) await keepActs({ ...NO_MEMORY, acts: keep.acts }, 'unfinished', desk);
  const first = await attempt(effects.filter(({ kind }) => !ENDING.has(kind)));
  await keepWhatIsTold(keep, first, desk);

  const resumed = new Set(ending.flatMap((effect) => (effect.kind === 'resume' ? [effect.agent] : [])));
  const all = await desk.ledger.suspensions();
  const suspensions = all.filter(({ agent }) => !resumed.has(agent));
  const unheld: Suspension[] = [];
  for (const suspension of suspensions)
    if (!(await desk.ledger.done(heldKey(suspension)))) unheld.push(suspension);
  const causes = [
    ...unheld.map((suspension) => heldBy(suspension, 'begins', round)),
    ...all.filter(({ agent }) => resumed.has(agent)).map((one) => heldBy(one, 'ends', round)),
    ...(touched === null ? [] : [touched]),
  ];
  const second =
    causes.length === 0
      ? NOTHING_AGAIN
      : await judgeAgain(causes, await withSuspensions(suspensions, round), attempt);
  const held = second.failed.length === 0 && second.unread === null && second.toldToWait === null;
  const third = held ? await attempt(ending) : { performed: [], failed: [] };

  const performed = [...first.performed, ...second.performed, ...third.performed];
  const failed = [...first.failed, ...second.failed, ...third.failed];
  if (held) for (const suspension of unheld) await desk.ledger.saveDone(heldKey(suspension));
  // Before what failed: there is more to do, and to be told to wait counts as no failure of the delivery.
  if (second.toldToWait !== null) throw putOff(second.toldToWait, performed);
  if (failed.length > 0) throw new PerformError(failed, performed);
  if (second.unread !== null) throw putOff(second.unread, performed);
  return performed;
}

const NOTHING_AGAIN: JudgedAgain = { performed: [], failed: [], unread: null, toldToWait: null };

const putOff = ({ why, retryAfter }: Unread, performed: readonly Performed[]): PutOff =>
  new PutOff(why, { ...NOTHING, performed }, retryAfter);

const withSuspensions = async (suspensions: readonly Suspension[], round: Round): Promise<Round> => ({
  ...round,
  context: { ...round.context, suspensions: await viewsOf(suspensions, round.desk) },
});

/**
 * Once a breach stands in its issue it is told: its act is kept, so that the same act by another webhook adds nothing.
 * Where something of it failed it stays unfinished, and the same webhook given again is judged again.
 */
async function keepWhatIsTold(keep: Kept, { performed, failed }: Attempt, desk: Desk): Promise<void> {
  const told = performed.some(({ effect }) => effect.kind === 'escalate' || effect.kind === 'record');
  if (failed.length > 0 && !told) return;
  if (failed.length > 0) await keepActs({ ...keep, done: [] }, 'unfinished', desk);
  else await keepActs(keep, 'finished', desk);
}

/**
 * Before anything is done about them, acts are kept as unfinished: a process that dies in the middle leaves their time
 * and who did them, so that the next one makes the very same rows. All of it or none: an act that is kept as finished
 * is not looked at again.
 */
async function keepActs(keep: Kept, how: 'unfinished' | 'finished', desk: Desk): Promise<void> {
  const { ledger } = desk;
  const rows = (await Promise.all(keep.acts.map((row) => rowsFor(row, how, desk)))).flat();
  await ledger.saveTogether([
    ...rows.map((row) => ({ kind: 'act', row }) as const),
    ...keep.pulls.map((memory) => ({ kind: 'pull', memory }) as const),
    ...keep.done.map((key) => ({ kind: 'done', key }) as const),
  ]);
}

/**
 * An act that was seen before, and not finished, keeps its time and the webhooks that told it. An earlier act of its
 * key, by whomever, keeps its row.
 */
async function rowsFor(
  row: ActRow,
  how: 'unfinished' | 'finished',
  { ledger }: Desk,
): Promise<readonly ActRow[]> {
  const { own, other } = await standingOf(row, ledger);
  const before = own?.unfinished === true ? own : undefined;
  const next: ActRow = {
    ...row,
    key: own?.key ?? row.key,
    at: before?.at ?? row.at,
    tellings: [...new Set([...(before?.tellings ?? []), ...row.tellings])],
    deliveries: [...new Set([...(before?.deliveries ?? []), ...(row.deliveries ?? [])])],
    ...(how === 'unfinished' ? { unfinished: true as const } : {}),
  };
  return other === undefined ? [next] : [aside(other), next];
}

/** Performs what can be performed: a comment that fails must not leave an agent's other PRs unheld. */
async function tryAll(
  effects: readonly Effect[],
  { context, desk }: Round,
  delivery: Delivery,
): Promise<Attempt> {
  if (effects.length === 0) return { performed: [], failed: [] };
  try {
    return { performed: await desk.perform(effects, context.policy, delivery.id), failed: [] };
  } catch (error) {
    if (error instanceof PerformError) return { performed: error.performed, failed: error.failed };
    throw error;
  }
}

/** The suspensions of the repository, each with the issue that tells of it. */
export const suspensionViews = async (desk: Desk): Promise<readonly SuspensionView[]> =>
  viewsOf(await desk.ledger.suspensions(), desk);

const viewsOf = (suspensions: readonly Suspension[], desk: Desk): Promise<readonly SuspensionView[]> =>
  Promise.all(
    suspensions.map(async ({ agent, since, cause, by, key }) => {
      const escalation = key === null ? undefined : await desk.ledger.escalation(key);
      return { agent, since, cause, by, issue: escalation?.issue ?? null };
    }),
  );
