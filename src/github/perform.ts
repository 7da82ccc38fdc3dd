import type { Effect } from '../decide/effects.js';
import type { Mode } from '../policy/policy.js';
import { auditKey, type AuditLine, type AuditOutcome } from './audit.js';
import type { Client } from './client.js';
import { GitHubError } from './facts.js';
import { longestWait, RequestFailure, retryAfterOf } from './failure.js';
import { laneOf } from './lane-of-effect.js';
import { performCheck } from './perform-check.js';
import { performComment } from './perform-comment.js';
import { isoNow, unchanged, type Outcome, type PerformContext } from './perform-context.js';
import {
  performCloseEscalation,
  performEscalate,
  performReopenEscalation,
  performSettleEscalation,
} from './perform-issue.js';
import {
  performBackupRef,
  performCancelRun,
  performDisarm,
  performReopenIssue,
  performRequestReview,
  performRevert,
} from './perform-remedy.js';
import type { Performed } from './port.js';

export interface PortDeps extends Omit<PerformContext, 'delivery'> {
  /** `observe`: only records and (neutral) checks. A policy that is `off` has no effects to perform. */
  readonly mode: Exclude<Mode, 'off'>;
  /** Asked before each effect: true, and nothing more is sent. */
  readonly killSwitch: () => boolean;
  readonly audit: (line: AuditLine) => void;
}

export interface Port {
  /**
   * Performs the effects one after another, the urgent ones first, and answers what was done, in the order it was
   * asked for. Every effect is looked for before it is made, so the same effects may be given again. Throws
   * PerformError when some failed, after all the others were done. `delivery`: the GUID for the audit lines.
   */
  perform(effects: readonly Effect[], delivery?: string | null): Promise<readonly Performed[]>;
}

/** What a log may say of an error: GitHub's are made to be said, any other may hold anything. */
const hintOf = (error: Error): string => (error instanceof GitHubError ? error.message : error.name);

/** Some effects failed; the others were done. To be given again as they were, when `retryable`. */
export class PerformError extends AggregateError {
  constructor(
    readonly failed: readonly { readonly effect: Effect; readonly error: Error }[],
    readonly performed: readonly Performed[],
  ) {
    super(
      failed.map(({ error }) => error),
      `${failed.length} of the effects failed: ${failed
        .map(({ effect, error }) => `${effect.kind} ${auditKey(effect)} (${hintOf(error)})`)
        .join('; ')}`,
    );
    this.name = 'PerformError';
  }

  /** Milliseconds GitHub asks to wait at least, the longest among the failures; null: it does not say. */
  get retryAfter(): number | null {
    return longestWait(this.failed.map(({ error }) => retryAfterOf(error)));
  }

  /** False when GitHub refused each of them for good. */
  get retryable(): boolean {
    return this.failed.some(({ error }) => !(error instanceof RequestFailure) || error.transient);
  }
}

/** What holds an agent comes before what is said about it, and that before what tidies up. */
const RANK: Readonly<Record<Effect['kind'], number>> = {
  record: 0,
  suspend: 1,
  resume: 1,
  'disarm-auto-merge': 2,
  dequeue: 2,
  check: 3,
  comment: 4,
  escalate: 4,
  'close-escalation': 4,
  'settle-escalation': 4,
  'reopen-escalation': 4,
  'cancel-run': 5,
  'revert-pull': 5,
  'reopen-issue': 5,
  're-request-review': 5,
  'backup-ref': 5,
};

const performSuspend = async (
  context: PerformContext,
  { agent, cause, by, key }: Extract<Effect, { kind: 'suspend' }>,
): Promise<Outcome> => {
  const held = (await context.ledger.suspensions()).some((suspension) => suspension.agent === agent);
  if (held) return unchanged;
  // A dry run suspends nobody: there would be no issue whose closing lifts it.
  if (!context.dryRun) await context.ledger.suspend({ agent, since: isoNow(context), cause, by, key });
  return { kind: 'done', line: `suspend ${agent}` };
};

const performResume = async (
  context: PerformContext,
  { agent }: Extract<Effect, { kind: 'resume' }>,
): Promise<Outcome> => {
  const held = (await context.ledger.suspensions()).some((suspension) => suspension.agent === agent);
  if (!held) return unchanged;
  if (!context.dryRun) await context.ledger.resume(agent);
  return { kind: 'done', line: `resume ${agent}` };
};

const isSuspended = async (context: PerformContext, agent: string, batch: readonly Effect[]) =>
  batch.some((effect) => effect.kind === 'suspend' && effect.agent === agent) ||
  (await context.ledger.suspensions()).some((suspension) => suspension.agent === agent);

const performOne = async (
  context: PerformContext,
  effect: Effect,
  batch: readonly Effect[],
): Promise<Outcome> => {
  switch (effect.kind) {
    case 'record':
      return { kind: 'done', line: `record ${effect.code}` };
    case 'check':
      return performCheck(context, effect);
    case 'comment':
      return performComment(context, effect);
    case 'escalate':
      return performEscalate(context, effect, await isSuspended(context, effect.key.agent, batch));
    case 'close-escalation':
      return performCloseEscalation(context, effect);
    case 'settle-escalation':
      return performSettleEscalation(context, effect);
    case 'reopen-escalation':
      return performReopenEscalation(context, effect);
    case 'suspend':
      return performSuspend(context, effect);
    case 'resume':
      return performResume(context, effect);
    case 'disarm-auto-merge':
    case 'dequeue':
      return performDisarm(context, effect);
    case 'cancel-run':
      return performCancelRun(context, effect);
    case 'revert-pull':
      return performRevert(context, effect, batch);
    case 'reopen-issue':
      return performReopenIssue(context, effect);
    case 're-request-review':
      return performRequestReview(context, effect);
    case 'backup-ref':
      return performBackupRef(context, effect);
  }
};

/** A dry run that would send something is a fault of ours, and must not become a write. */
const withoutWrites = (client: Client): Client => ({
  ...client,
  inLane: (lane) => withoutWrites(client.inLane(lane)),
  write: () => Promise.reject(new Error('A dry run sends nothing.')),
  mutate: () => Promise.reject(new Error('A dry run sends nothing.')),
});

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

/** The one port of a repository: every write to GitHub goes through here and leaves an audit line. */
export const createPort = (deps: PortDeps): Port => {
  const given = deps.dryRun ? withoutWrites(deps.client) : deps.client;
  const name = `${deps.repository.owner}/${deps.repository.name}`;
  let last: Promise<unknown> = Promise.resolve();

  const performAll = async (
    effects: readonly Effect[],
    delivery: string | null,
  ): Promise<readonly Performed[]> => {
    const lines = new Map<number, Performed>();
    const failed: { effect: Effect; error: Error }[] = [];
    const performed = (): Performed[] =>
      effects.flatMap((_, index) => {
        const line = lines.get(index);
        return line === undefined ? [] : [line];
      });
    const note = (effect: Effect, outcome: AuditOutcome, hint?: string): void =>
      deps.audit({
        at: isoNow(deps),
        repository: { id: deps.repository.id, name },
        delivery,
        effect: effect.kind,
        key: auditKey(effect),
        outcome,
        ...(hint === undefined ? {} : { hint }),
      });

    const order = [...effects.entries()].sort(([, a], [, b]) => RANK[a.kind] - RANK[b.kind]);
    for (const [index, effect] of order) {
      if (deps.killSwitch()) {
        note(effect, 'killed');
        continue;
      }
      if (deps.mode === 'observe' && effect.kind !== 'record' && effect.kind !== 'check') {
        note(effect, 'observe');
        continue;
      }
      try {
        const client = given.inLane(laneOf(effect, given.lane));
        const outcome = await performOne({ ...deps, client, delivery }, effect, effects);
        switch (outcome.kind) {
          case 'done':
            lines.set(index, { effect, line: outcome.line });
            note(effect, deps.dryRun ? 'dry-run' : 'done', outcome.hint);
            break;
          case 'unchanged':
            note(effect, 'unchanged', outcome.hint);
            break;
          case 'gave-up':
            note(effect, 'failed', outcome.hint);
            break;
        }
      } catch (thrown) {
        const error = asError(thrown);
        failed.push({ effect, error });
        note(effect, 'failed', hintOf(error));
      }
    }
    if (failed.length > 0) throw new PerformError(failed, performed());
    return performed();
  };

  return {
    perform(effects, delivery = null) {
      const mine = last.then(() => performAll(effects, delivery));
      last = mine.catch(() => undefined);
      return mine;
    },
  };
};
