import type { Act, Repository } from '../acts/act.js';
import { type Delivery, envelopeOf, parsePayload } from '../acts/payload.js';
import { readActs } from '../acts/read.js';
import type { PushReading } from '../acts/read-push.js';
import { makeRoster } from '../agents/roster.js';
import { type Breach, breachEffects, toldAs } from '../decide/breach.js';
import type { Context } from '../decide/context.js';
import { doerOf } from '../decide/doer.js';
import type { Effect } from '../decide/effects.js';
import type { PullFact } from '../decide/facts.js';
import { valueFor } from '../decide/value.js';
import { together } from '../decide/together.js';
import { PerformError } from '../github/perform.js';
import type { Performed } from '../github/port.js';
import { isPolicyPath, isTrunk, isWorkflowPath } from '../policy/read.js';
import type { Policy } from '../policy/policy.js';
import type { SuspensionView } from '../decide/reasons.js';
import { checkHead } from './check-head.js';
import { type Desk, type Handled, NOTHING } from './deps.js';
import type { Round } from './gather-pull.js';
import { RECHECK } from './recheck.js';
import { escalationClosed } from './escalation-closed.js';
import { GRACE_MS } from './grace.js';
import { headsOf } from './heads.js';
import { judgeActs } from './judge-acts.js';
import { limitOver } from './limit-over.js';
import { lateObjection } from './late-objection.js';
import { policyFileEffects } from './policy-file-effects.js';
import { policyInForce, type PolicyState } from './policy-in-force.js';
import { heldPulls } from './held-pulls.js';
import { unreadableChecks } from './unreadable.js';

/**
 * Works on one delivery of one repository, from its acts to what GitHub is told. The caller works on one at a time
 * for a repository, and calls only where `mayMatter` says so. Throws when GitHub does not answer what a decision
 * needs, before anything of it is kept. `graceOver`: it waited, and is judged as it stands now.
 */
export async function handle(delivery: Delivery, desk: Desk, graceOver: boolean): Promise<Handled> {
  const state = await policyInForce(desk);
  switch (state.kind) {
    case 'absent':
      return state.rejected?.kind === 'invalid' ? firstFileInvalid(delivery, state, desk) : NOTHING;
    case 'unreadable':
      return state.known ? unreadableChecks(delivery, state, desk) : NOTHING;
    case 'in-force':
      return underPolicy(delivery, state, desk, graceOver);
  }
}

/** A first file that does not load: whoever pushed it is told, and nothing else is done where no policy is in force. */
async function firstFileInvalid(
  delivery: Delivery,
  { rejected, fallback }: Extract<PolicyState, { kind: 'absent' }>,
  desk: Desk,
): Promise<Handled> {
  const context: Context = {
    policy: fallback,
    roster: makeRoster(fallback, desk.self),
    repository: desk.repository,
    suspensions: [],
    now: desk.now(),
  };
  const sender = envelopeOf(delivery).sender;
  // One that an agent landed counts as absent.
  if (sender === null || doerOf(sender, context) !== null) return NOTHING;
  const effects = await policyFileEffects(delivery, rejected, context, desk);
  const performed = effects.length === 0 ? [] : await desk.perform(effects, fallback, delivery.id);
  return { performed, acts: [], mode: fallback.mode.value };
}

const readingUnder = (policy: Policy, repository: Repository): PushReading => ({
  isTrunk: (branch) => isTrunk(policy, branch, repository.defaultBranch),
  isPolicyPath,
  isWorkflowPath,
});

async function underPolicy(
  delivery: Delivery,
  state: Extract<PolicyState, { kind: 'in-force' }>,
  desk: Desk,
  graceOver: boolean,
): Promise<Handled> {
  const { policy } = state;
  const context: Context = {
    policy,
    roster: makeRoster(policy, desk.self),
    repository: desk.repository,
    suspensions: await suspensionViews(desk),
    now: desk.now(),
  };
  let open: Promise<readonly PullFact[]> | undefined;
  const openPulls = (): Promise<readonly PullFact[]> => (open ??= desk.facts.openPulls());

  const acts: readonly Act[] = readActs(delivery, readingUnder(policy, desk.repository));
  const { judged, effects: undone, told, waits, keep } = await judgeActs(acts, context, desk, graceOver);
  if (waits) await startGrace(delivery, desk);
  const mergedNow = judged
    .filter(({ act }) => act.kind === 'pull.merge' && act.mergeSha !== null)
    .map(({ doer }) => doer.agent);
  const round: Round = { context, desk, openPulls, present: state.present, mergedNow };
  const breaches = judged.filter(
    (one): one is Breach => one.verdict === 'deny' && !undone.some((effect) => isAbout(effect, one)),
  );
  const effects: Effect[] = [...undone, ...breachEffects(breaches, context)];
  await rememberDismissal(delivery, context, desk);
  if (!graceOver) {
    effects.push(...(await lateObjection(delivery, context, desk)));
    effects.push(...(await escalationClosed(delivery, context, desk)));
    effects.push(...(await limitOver(delivery, round)));
    effects.push(...(await policyFileEffects(delivery, state.rejected, context, desk)));
  }
  if (!graceOver || delivery.name === RECHECK) {
    for (const head of await headsOf(delivery, round)) {
      effects.push(...(await checkHead(head.sha, head.pulls, round, head)));
    }
  }
  const first = await attempt(together(effects), policy, delivery, desk);
  // What a suspension holds is written after it: the checks name the issue that lifts it.
  const held = await heldPulls(first.performed, round, await suspensionViews(desk));
  const second = await attempt(together(held), policy, delivery, desk);
  const performed = [...first.performed, ...second.performed];
  const failed = [...first.failed, ...second.failed];
  if (failed.length > 0) throw new PerformError(failed, performed);
  for (const row of keep.acts) await desk.ledger.saveAct(row);
  for (const pull of keep.pulls) await desk.ledger.savePull(pull);
  for (const key of keep.done) await desk.ledger.saveDone(key);
  return { performed, acts: [...told, ...judged.map(toldAs)], mode: policy.mode.value };
}

const isAbout = (effect: Effect, breach: Breach): boolean =>
  effect.kind === 'record' && effect.actKey === breach.act.key;

interface Attempt {
  readonly performed: readonly Performed[];
  readonly failed: PerformError['failed'];
}

/** Performs what can be performed: a comment that fails must not leave an agent's other PRs unheld. */
async function attempt(
  effects: readonly Effect[],
  policy: Policy,
  delivery: Delivery,
  desk: Desk,
): Promise<Attempt> {
  if (effects.length === 0) return { performed: [], failed: [] };
  try {
    return { performed: await desk.perform(effects, policy, delivery.id), failed: [] };
  } catch (error) {
    if (error instanceof PerformError) return { performed: error.performed, failed: error.failed };
    throw error;
  }
}

async function startGrace(delivery: Delivery, desk: Desk): Promise<void> {
  const due = new Date(Date.parse(desk.now()) + GRACE_MS).toISOString();
  await desk.ledger.wait({ id: delivery.id, due, delivery });
}

async function suspensionViews(desk: Desk): Promise<readonly SuspensionView[]> {
  const suspensions = await desk.ledger.suspensions();
  return Promise.all(
    suspensions.map(async ({ agent, since, cause, by, key }) => {
      const escalation = key === null ? undefined : await desk.ledger.escalation(key);
      return { agent, since, cause, by, issue: escalation?.issue ?? null };
    }),
  );
}

/** Who dismissed a review stands in the webhook alone; only an agent's dismissal is kept, since a person's is his. */
async function rememberDismissal(delivery: Delivery, context: Context, desk: Desk): Promise<void> {
  if (delivery.name !== 'pull_request_review') return;
  const payload = parsePayload('pull_request_review', delivery.payload);
  if (payload?.action !== 'dismissed' || payload.sender === null) return;
  const memory = await desk.ledger.pull(payload.pull_request.number);
  const doer = doerOf(payload.sender, context, memory.evidence);
  if (doer === null || valueFor(doer, 'review.dismiss', { trunk: false }, context).value === 'allow') return;
  const dismissedBy = { ...memory.dismissedBy, [String(payload.review.id)]: payload.sender };
  await desk.ledger.savePull({ ...memory, dismissedBy });
}
