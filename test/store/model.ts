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
  Saving,
  Suspension,
  Waiting,
  Waiver,
} from '../../src/store/ledger.js';

const freeze = <T>(value: T): T => {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const part of Object.values(value)) freeze(part);
  return value;
};

/** A copy nobody can change: neither who saved it nor who reads it can reach into the ledger. */
const keep = <T>(value: T): T => freeze(structuredClone(value));

const keyOf = (...parts: readonly (string | number)[]): string => JSON.stringify(parts);

const byTime = (text: string): number => Date.parse(text);

/** What a ledger answers, said as simply as can be: each saved row replaces the one with its key, in its place. */
export const createModel = (): Ledger => {
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
  const waivers = new Map<string, Waiver>();
  const policies = { repo: new Map<string, PolicyMemory>(), org: new Map<string, PolicyMemory>() };
  const waiting = new Map<string, Waiting>();

  const save = (saving: Saving): Promise<void> => {
    switch (saving.kind) {
      case 'act':
        return ledger.saveAct(saving.row);
      case 'pull':
        return ledger.savePull(saving.memory);
      case 'suspension':
        return ledger.suspend(saving.suspension);
      case 'escalation':
        return ledger.saveEscalation(saving.memory);
      case 'done':
        return ledger.saveDone(saving.key);
    }
  };
  const ledger: Ledger = {
    async saveTogether(savings) {
      for (const saving of savings) await save(saving);
    },
    act: async (key) => acts.get(key),
    acts: async ({ kind, agent, since, ref }) =>
      [...acts.values()].filter(
        (row) =>
          (kind === undefined || row.kind === kind) &&
          (agent === undefined || row.agent === agent) &&
          (ref === undefined || row.subject.ref === ref) &&
          (since === undefined || byTime(row.at) >= byTime(since)),
      ),
    saveAct: async (row) => void acts.set(row.key, keep(row)),

    pushes: async (ref) => [...pushes.values()].filter((row) => row.ref === ref),
    async savePush(row) {
      pushes.set(keyOf(row.ref, row.before, row.after, row.by.id), keep(row));
      if (row.tree !== undefined) trees.set(row.after, row.tree);
    },
    tree: async (sha) => trees.get(sha),

    pull: async (number) => pulls.get(number) ?? { number },
    savePull: async (memory) => void pulls.set(memory.number, keep(memory)),

    suspensions: async () => [...suspensions.values()],
    suspend: async (suspension) => void suspensions.set(suspension.agent, keep(suspension)),
    resume: async (agent) => void suspensions.delete(agent),

    check: async (sha) => checks.get(sha),
    saveCheck: async (memory) => void checks.set(memory.sha, keep(memory)),

    comment: async (number) => comments.get(number),
    saveComment: async (memory) => void comments.set(memory.number, keep(memory)),

    escalation: async (key) => escalations.get(keyOf(key.rule, key.agent, key.subject)),
    escalations: async (rule) => [...escalations.values()].filter(({ key }) => key.rule === rule),
    escalationOfIssue: async (issue) => [...escalations.values()].find((memory) => memory.issue === issue),
    saveEscalation: async (memory) =>
      void escalations.set(keyOf(memory.key.rule, memory.key.agent, memory.key.subject), keep(memory)),

    done: async (key) => done.has(key),
    saveDone: async (key) => void done.add(key),
    effect: async (key) => notes.get(key),
    noteEffect: async (key, note) => void notes.set(key, keep(note)),

    waivers: async (pull) => [...waivers.values()].filter((waiver) => waiver.pull === pull),
    saveWaiver: async (waiver) =>
      void waivers.set(keyOf(waiver.pull, waiver.head, waiver.base, waiver.reason), keep(waiver)),

    policies: async (scope) =>
      [...policies[scope].values()].reverse().sort((a, b) => byTime(b.since) - byTime(a.since)),
    async savePolicy(scope, memory) {
      // Of two with one time, the one saved last is the newer.
      const id = keyOf(memory.path, memory.blob, byTime(memory.since));
      policies[scope].delete(id);
      policies[scope].set(id, keep(memory));
    },

    waiting: async () => [...waiting.values()].sort((a, b) => byTime(a.due) - byTime(b.due)),
    wait: async (one) => void waiting.set(one.id, keep(one)),
    unwait: async (id) => void waiting.delete(id),
  };
  return ledger;
};
