import type { EscalationKey } from '../decide/effects.js';
import type {
  ActRow,
  CheckMemory,
  CommentMemory,
  EffectNote,
  EscalationMemory,
  Ledger,
  PolicyMemory,
  PullMemory,
  PushRow,
  Store,
  Suspension,
  Waiting,
  Waiver,
} from './ledger.js';

const freeze = <T>(value: T): T => {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const part of Object.values(value)) freeze(part);
  return value;
};

/** A copy nobody can change: neither who saved it nor who reads it can reach into the store. */
const keep = <T>(value: T): T => freeze(structuredClone(value));

const escalationId = (key: EscalationKey): string => JSON.stringify([key.rule, key.agent, key.subject]);

/** One push may be told twice, by `push` and by `pull_request.synchronize`; two people may move a branch alike. */
const pushId = (row: PushRow): string => JSON.stringify([row.ref, row.before, row.after, row.by.id]);

const createLedger = (): Ledger => {
  const begun = new Set<string>();
  const acts = new Map<string, ActRow>();
  const pushes = new Map<string, PushRow>();
  const trees = new Map<string, string>();
  const pulls = new Map<number, PullMemory>();
  const suspensions = new Map<string, Suspension>();
  const checks = new Map<string, CheckMemory>();
  const comments = new Map<number, CommentMemory>();
  const escalations = new Map<string, EscalationMemory>();
  const done = new Set<string>();
  const notes = new Map<string, EffectNote>();
  const waivers: Waiver[] = [];
  const policies = { repo: new Map<string, PolicyMemory>(), org: new Map<string, PolicyMemory>() };
  const waiting = new Map<string, Waiting>();

  return {
    async begin(guid) {
      const first = !begun.has(guid);
      begun.add(guid);
      return first;
    },
    async forget(guid) {
      begun.delete(guid);
    },

    async act(key) {
      return acts.get(key);
    },
    async acts({ kind, agent, since, ref }) {
      const from = since === undefined ? Number.NEGATIVE_INFINITY : Date.parse(since);
      return [...acts.values()].filter(
        (row) =>
          (kind === undefined || row.kind === kind) &&
          (agent === undefined || row.agent === agent) &&
          (ref === undefined || row.subject.ref === ref) &&
          (since === undefined || Date.parse(row.at) >= from),
      );
    },
    async saveAct(row) {
      acts.set(row.key, keep(row));
    },

    async pushes(ref) {
      return [...pushes.values()].filter((row) => row.ref === ref);
    },
    async savePush(row) {
      pushes.set(pushId(row), keep(row));
      if (row.tree !== undefined) trees.set(row.after, row.tree);
    },
    async tree(sha) {
      return trees.get(sha);
    },

    async pull(number) {
      return pulls.get(number) ?? { number };
    },
    async savePull(memory) {
      pulls.set(memory.number, keep(memory));
    },

    async suspensions() {
      return [...suspensions.values()];
    },
    async suspend(suspension) {
      suspensions.set(suspension.agent, keep(suspension));
    },
    async resume(agent) {
      suspensions.delete(agent);
    },

    async check(sha) {
      return checks.get(sha);
    },
    async saveCheck(memory) {
      checks.set(memory.sha, keep(memory));
    },

    async comment(number) {
      return comments.get(number);
    },
    async saveComment(memory) {
      comments.set(memory.number, keep(memory));
    },

    async escalation(key) {
      return escalations.get(escalationId(key));
    },
    async escalationOfIssue(issue) {
      return [...escalations.values()].find((memory) => memory.issue === issue);
    },
    async escalations(rule) {
      return [...escalations.values()].filter(({ key }) => key.rule === rule);
    },
    async saveEscalation(memory) {
      escalations.set(escalationId(memory.key), keep(memory));
    },

    async done(effectKey) {
      return done.has(effectKey);
    },
    async saveDone(effectKey) {
      done.add(effectKey);
    },

    async effect(key) {
      return notes.get(key);
    },
    async noteEffect(key, note) {
      notes.set(key, note);
    },

    async waivers(pull) {
      return waivers.filter((waiver) => waiver.pull === pull);
    },
    async saveWaiver(waiver) {
      waivers.push(keep(waiver));
    },

    async policies(scope) {
      return [...policies[scope].values()]
        .reverse()
        .sort((a, b) => Date.parse(b.since) - Date.parse(a.since));
    },
    async savePolicy(scope, memory) {
      // A version may come back after another: it is a row of its own, since an act is judged by its time.
      const id = JSON.stringify([memory.path, memory.blob, memory.since]);
      policies[scope].delete(id);
      policies[scope].set(id, keep(memory));
    },

    async waiting() {
      return [...waiting.values()].sort((a, b) => Date.parse(a.due) - Date.parse(b.due));
    },
    async wait(one) {
      waiting.set(one.id, keep(one));
    },
    async unwait(id) {
      waiting.delete(id);
    },
  };
};

/**
 * A store that lives as long as its process. Rows come out deeply frozen, acts and pushes in the order they were first
 * saved, policies newest first, what waits by its time.
 */
export const createMemoryStore = (): Store => {
  const ledgers = new Map<number, Ledger>();
  return {
    repository(id) {
      const ledger = ledgers.get(id) ?? createLedger();
      ledgers.set(id, ledger);
      return ledger;
    },
    async repositories() {
      const ids: number[] = [];
      for (const [id, ledger] of ledgers) if ((await ledger.waiting()).length > 0) ids.push(id);
      return ids;
    },
  };
};
