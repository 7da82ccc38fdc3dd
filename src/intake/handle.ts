import { type Delivery, envelopeOf, parsePayload } from '../acts/payload.js';
import { type Breach, breachEffects, toldAs } from '../decide/breach.js';
import type { Context } from '../decide/context.js';
import { doerOf } from '../decide/doer.js';
import type { Effect } from '../decide/effects.js';
import type { PullFact } from '../decide/facts.js';
import { valueFor } from '../decide/value.js';
import { together } from '../decide/together.js';
import { judgeAtItsTime } from './at-its-time.js';
import { adopt } from './adopt.js';
import { checkHead } from './check-head.js';
import { contextUnder } from './context-under.js';
import { type Desk, type Handled, NOTHING } from './deps.js';
import type { Round } from './gather-pull.js';
import { RECHECK } from './recheck.js';
import { escalationClosed } from './escalation-closed.js';
import { GRACE_MS } from './grace.js';
import { headsOf } from './heads.js';
import { limitOver } from './limit-over.js';
import { lateObjection } from './late-objection.js';
import { policyFileEffects, touchesPolicy } from './policy-file-effects.js';
import { policyInForce, type PolicyState } from './policy-in-force.js';
import { performInOrder, suspensionViews } from './perform-in-order.js';
import { PutOff } from './put-off.js';
import { withoutSettled } from './settled.js';
import { touchedBy } from './touched-pulls.js';
import type { Turn } from './turn.js';
import { unreadableChecks } from './unreadable.js';

/**
 * Works on one delivery of one repository, from its acts to what GitHub is told. The caller works on one at a time
 * for a repository, and calls only where `mayMatter` says so. Throws when GitHub does not answer what a decision
 * needs, before anything of it is kept. `graceOver`: it waited, and is judged as it stands now.
 */
export async function handle(
  delivery: Delivery,
  desk: Desk,
  graceOver: boolean,
  turn: Turn,
): Promise<Handled> {
  const touched = touchesPolicy(delivery, desk.repository);
  const state = await policyInForce(desk, touched);
  switch (state.kind) {
    case 'absent':
      return state.rejected?.kind === 'invalid' ? firstFileInvalid(delivery, state, desk) : NOTHING;
    case 'unreadable': {
      const handled = state.known ? await unreadableChecks(delivery, state, desk) : NOTHING;
      desk.warn(
        `the policy of ${desk.repository.owner}/${desk.repository.name} cannot be read: ${state.why}`,
      );
      if (state.transient) throw new PutOff(state.why, handled, state.retryAfter ?? null);
      return handled;
    }
    case 'in-force': {
      const handled = await underPolicy(delivery, state, desk, graceOver, turn);
      const { rejected } = state;
      // What was pushed is told once it can be read: everything else of this delivery is done.
      if (touched && rejected?.kind === 'unread' && rejected.transient)
        throw new PutOff(rejected.why, handled, rejected.retryAfter ?? null);
      return handled;
    }
  }
}

/** A first file that does not load: whoever pushed it is told, and nothing else is done where no policy is in force. */
async function firstFileInvalid(
  delivery: Delivery,
  { rejected, fallback }: Extract<PolicyState, { kind: 'absent' }>,
  desk: Desk,
): Promise<Handled> {
  const context = contextUnder(fallback, desk);
  const sender = envelopeOf(delivery).sender;
  // One that an agent landed counts as absent.
  if (sender === null || doerOf(sender, context) !== null) return NOTHING;
  const effects = await policyFileEffects(delivery, rejected, context, desk);
  const performed = effects.length === 0 ? [] : await desk.perform(effects, fallback, delivery.id);
  return { performed, acts: [], mode: fallback.mode.value };
}

async function underPolicy(
  delivery: Delivery,
  state: Extract<PolicyState, { kind: 'in-force' }>,
  desk: Desk,
  graceOver: boolean,
  turn: Turn,
): Promise<Handled> {
  const { policy } = state;
  await adopt(contextUnder(policy, desk), desk, delivery.id);
  const context = contextUnder(policy, desk, await suspensionViews(desk));
  let open: Promise<readonly PullFact[]> | undefined;
  const openPulls = (): Promise<readonly PullFact[]> => (open ??= desk.facts.openPulls());

  const {
    judged,
    effects: undone,
    told,
    waits,
    keep,
  } = await judgeAtItsTime(delivery, context, desk, graceOver);
  if (waits) await startGrace(delivery, desk);
  const mergedNow = judged
    .filter(({ act }) => act.kind === 'pull.merge' && act.mergeSha !== null)
    .map(({ act, doer }) => ({ key: act.key, agent: doer.agent }));
  const round: Round = { context, desk, openPulls, present: state.present, mergedNow, trees: new Map() };
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
    for (const head of await headsOf(delivery, round, turn)) {
      effects.push(...(await checkHead(head.sha, head.pulls, round, head)));
    }
  }
  const untold = await withoutSettled(together(effects), desk.ledger);
  const touched = graceOver ? null : await touchedBy(delivery, round);
  const performed = await performInOrder(untold, touched, round, delivery, keep);
  return { performed, acts: [...told, ...judged.map(toldAs)], mode: policy.mode.value };
}

const isAbout = (effect: Effect, breach: Breach): boolean =>
  effect.kind === 'record' && effect.actKey === breach.act.key;

async function startGrace(delivery: Delivery, desk: Desk): Promise<void> {
  const due = new Date(Date.parse(desk.now()) + GRACE_MS).toISOString();
  await desk.ledger.wait({ id: delivery.id, due, delivery });
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
