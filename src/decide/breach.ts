import type { Act, ActOf } from '../acts/act.js';
import type { Origin } from '../policy/policy.js';
import type { Context } from './context.js';
import type { Doer } from './doer.js';
import type { ActSubject, Effect, EscalationKey, FactRow, JudgedAct } from './effects.js';
import type { BreachCode } from './reasons.js';
import { valueFor } from './value.js';

/** What a permitted act leaves behind: nothing but its line in the ledger. */
export interface Allowed {
  readonly verdict: 'allow';
  readonly act: Act;
  readonly doer: Doer;
  readonly origin: Origin;
}

/** An act done against a deny, and what follows from it beside the record. */
export interface Breach {
  readonly verdict: 'deny';
  readonly act: Act;
  readonly doer: Doer;
  readonly origin: Origin;
  readonly rule: BreachCode;
  /** What the escalation is about: a ref, or `tags`, `releases`, `issues`. */
  readonly subject: string;
  readonly details: ActSubject;
  readonly at: string;
  /** Where the comment goes: the merged PR, the latest PR whose head the ref is, a reopened issue. */
  readonly comment: { readonly number: number; readonly about: 'pull' | 'issue' } | null;
  /** Remedies the policy may ask for. */
  readonly remedies: readonly Remedy[];
  /** Open PRs it touches, told in the escalation. */
  readonly mentions: readonly number[];
}

export type Remedy =
  | { readonly kind: 'backup-ref'; readonly sha: string }
  | { readonly kind: 'revert-pull'; readonly pull: number; readonly nodeId: string }
  | { readonly kind: 'reopen-issue'; readonly issue: number }
  | { readonly kind: 're-request-review'; readonly pull: number; readonly login: string };

export type Judged = Allowed | Breach;

/** What cannot be taken back suspends the agent in the repository. */
const IRREVERSIBLE: ReadonlySet<string> = new Set<BreachCode>([
  'merge-level',
  'push-level',
  'dropped-commits',
  'tag',
  'release',
  'protection',
]);

/** Whether a breach of this rule suspends, where the policy leaves that remedy on. */
export const suspends = (rule: string): rule is BreachCode => IRREVERSIBLE.has(rule);

/**
 * What one event's breaches lead to. They are one escalation, under the first of their rules, with a row for each;
 * a comment row each; one suspension.
 */
export function breachEffects(breaches: readonly Breach[], context: Context): readonly Effect[] {
  const [first] = breaches;
  if (first === undefined) return [];
  const key: EscalationKey = { rule: first.rule, agent: first.doer.agent, subject: first.subject };
  const effects: Effect[] = [];
  for (const breach of breaches) {
    const row = rowOf(breach);
    effects.push({ kind: 'record', code: breach.rule, actKey: breach.act.key, row });
    if (breach.comment !== null) effects.push({ kind: 'comment', ...breach.comment, add: [row] });
    effects.push({ kind: 'escalate', key, row, mentions: breach.mentions });
  }
  const grave = breaches.find(({ rule }) => suspends(rule));
  const suspended = context.suspensions.some(({ agent }) => agent === first.doer.agent);
  if (grave !== undefined && context.policy.remedies.suspend && !suspended) {
    effects.push({ kind: 'suspend', agent: first.doer.agent, cause: grave.rule, by: null, key });
  }
  return [...effects, ...remediesOf(breaches, context)];
}

function remediesOf(breaches: readonly Breach[], context: Context): readonly Effect[] {
  const { backupRefs, revertPull, reopenIssue } = context.policy.remedies;
  const wanted = {
    'backup-ref': backupRefs,
    'revert-pull': revertPull === 'propose',
    'reopen-issue': reopenIssue,
    're-request-review': true,
  };
  const seen = new Set<string>();
  return breaches
    .flatMap(({ remedies }) => remedies)
    .filter((remedy) => wanted[remedy.kind])
    .filter((remedy) => {
      const text = JSON.stringify(remedy);
      return seen.has(text) ? false : seen.add(text);
    });
}

function rowOf(breach: Breach): FactRow {
  return {
    at: breach.at,
    who: breach.doer.account,
    agent: breach.doer.agent,
    what: breach.act.kind,
    subject: breach.details,
    rule: breach.rule,
    origin: breach.origin,
    state: breach.remedies.some(({ kind }) => kind === 'reopen-issue') ? 'put-back' : 'landed',
  };
}

/**
 * Acts that break no rule by themselves: opening a PR, where a level that forbids it is the check's to say, and an
 * approval by an agent, which does not count.
 */
export function toldByCheck(
  act: ActOf<'pull.open'> | ActOf<'review.approve'>,
  doer: Doer,
  context: Context,
): JudgedAct {
  const { value, origin } = valueFor(doer, act.kind, { trunk: false }, context);
  const refused = act.kind === 'pull.open' ? 'level-none' : 'agent-approval';
  return {
    kind: act.kind,
    agent: doer.agent,
    certainty: 'certain',
    verdict: value === 'allow' ? 'allow' : 'deny',
    reason: value === 'allow' ? 'within-policy' : refused,
    layer: origin.layer,
    line: origin.line ?? null,
  };
}

/** The line that `simulate --json` and the ledger keep of an act. Acts are told by accounts, so always for certain. */
export function toldAs(judged: Judged): JudgedAct {
  return {
    kind: judged.act.kind,
    agent: judged.doer.agent,
    certainty: 'certain',
    verdict: judged.verdict,
    reason: judged.verdict === 'deny' ? judged.rule : 'within-policy',
    layer: judged.origin.layer,
    line: judged.origin.line ?? null,
  };
}
