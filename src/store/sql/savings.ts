import type { CompiledQuery } from 'kysely';
import type { ActRow, EscalationMemory, Ledger, PullMemory, Saving, Suspension } from '../ledger.js';
import { millis, toJson } from '../values.js';
import type { Scope } from './ledger.js';

/** What saves a row, in place of the one with its key. */
type Queries = readonly CompiledQuery[];

const ofAct = (row: ActRow, { database: { sql }, repository }: Scope): Queries => {
  const values = {
    kind: row.kind,
    agent: row.agent,
    ref: row.subject.ref ?? null,
    at: millis(row.at),
    data: toJson(row),
  };
  const saved = sql
    .insertInto('acts')
    .values({ repository, key: row.key, ...values })
    .onConflict((conflict) => conflict.columns(['repository', 'key']).doUpdateSet(values));
  return [saved.compile()];
};

const ofPull = ({ evidence, ...memory }: PullMemory, { database: { sql }, repository }: Scope): Queries => {
  const { number } = memory;
  const data = toJson(memory);
  const saved = sql
    .insertInto('pulls')
    .values({ repository, number, data })
    .onConflict((conflict) => conflict.columns(['repository', 'number']).doUpdateSet({ data }));
  if (evidence === undefined) {
    const gone = sql
      .deleteFrom('attributions')
      .where('repository', '=', repository)
      .where('pull', '=', number);
    return [saved.compile(), gone.compile()];
  }
  const seen = toJson(evidence);
  const kept = sql
    .insertInto('attributions')
    .values({ repository, pull: number, data: seen })
    .onConflict((conflict) => conflict.columns(['repository', 'pull']).doUpdateSet({ data: seen }));
  return [saved.compile(), kept.compile()];
};

const ofSuspension = (suspension: Suspension, { database: { sql }, repository }: Scope): Queries => {
  const data = toJson(suspension);
  const saved = sql
    .insertInto('suspensions')
    .values({ repository, agent: suspension.agent, data })
    .onConflict((conflict) => conflict.columns(['repository', 'agent']).doUpdateSet({ data }));
  return [saved.compile()];
};

const ofEscalation = (memory: EscalationMemory, { database: { sql }, repository }: Scope): Queries => {
  const { rule, agent, subject } = memory.key;
  const values = { issue: memory.issue, data: toJson(memory) };
  const saved = sql
    .insertInto('escalations')
    .values({ repository, rule, agent, subject, ...values })
    .onConflict((conflict) =>
      conflict.columns(['repository', 'rule', 'agent', 'subject']).doUpdateSet(values),
    );
  return [saved.compile()];
};

const ofDone = (key: string, { database: { sql }, repository, now }: Scope): Queries => {
  const values = { done: 1 as const, at: now() };
  const saved = sql
    .insertInto('effects')
    .values({ repository, key, state: null, data: null, ...values })
    .onConflict((conflict) => conflict.columns(['repository', 'key']).doUpdateSet(values));
  return [saved.compile()];
};

const queriesOf = (saving: Saving, scope: Scope): Queries => {
  switch (saving.kind) {
    case 'act':
      return ofAct(saving.row, scope);
    case 'pull':
      return ofPull(saving.memory, scope);
    case 'suspension':
      return ofSuspension(saving.suspension, scope);
    case 'escalation':
      return ofEscalation(saving.memory, scope);
    case 'done':
      return ofDone(saving.key, scope);
  }
};

type Saves = Pick<
  Ledger,
  'saveTogether' | 'saveAct' | 'savePull' | 'suspend' | 'saveEscalation' | 'saveDone'
>;

/** What is saved in one transaction, alone or with others. */
export const createSavings = (scope: Scope): Saves => {
  const save = async (savings: readonly Saving[]): Promise<void> => {
    if (savings.length > 0)
      await scope.database.together(savings.flatMap((saving) => queriesOf(saving, scope)));
  };
  return {
    saveTogether: save,
    saveAct: (row) => save([{ kind: 'act', row }]),
    savePull: (memory) => save([{ kind: 'pull', memory }]),
    suspend: (suspension) => save([{ kind: 'suspension', suspension }]),
    saveEscalation: (memory) => save([{ kind: 'escalation', memory }]),
    saveDone: (key) => save([{ kind: 'done', key }]),
  };
};
