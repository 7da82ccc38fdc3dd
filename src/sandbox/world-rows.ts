import { ACTIONS_APP } from './accounts.js';
import { Unplayable } from './case-error.js';
import type { World } from './case.js';
import { asRecord, type Json, layOverRecord, numberOf, textOf } from './records.js';
import { NO_SHA } from './shas.js';
import { type Activity, type ActivityType, iso, type State } from './state.js';

export const ACTIVITY_TYPES = [
  'push',
  'force_push',
  'branch_creation',
  'branch_deletion',
  'pr_merge',
  'merge_queue_merge',
] as const satisfies readonly ActivityType[];

export const isActivityType = (text: string): text is ActivityType =>
  ACTIVITY_TYPES.some((type) => type === text);

/** Short branch names of a case are branches; `refs/…` stays. */
export const fullRef = (ref: string): string => (ref.startsWith('refs/') ? ref : `refs/heads/${ref}`);

const instant = (value: unknown, otherwise: number): number => {
  const text = textOf(value);
  const ms = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(ms) ? otherwise : ms;
};

const shaOf = (state: State, value: unknown): string => state.shas.full(textOf(value) ?? NO_SHA);

const ruleSuite = (state: State, row: Json, start: number): Json => {
  const actor = state.accounts.named(textOf(row['actor_name']) ?? 'otto');
  const result = textOf(row['result']) ?? 'pass';
  return layOverRecord(
    {
      rule_evaluations: [],
      evaluation_result: null,
      repository_id: state.repo.id,
      repository_name: state.repo.name,
    },
    {
      ...row,
      id: numberOf(row['id']) ?? state.nextId('rule suite'),
      ref: fullRef(textOf(row['ref']) ?? state.defaultBranch),
      actor_id: numberOf(row['actor_id']) ?? actor.id,
      actor_name: actor.login,
      before_sha: shaOf(state, row['before_sha']),
      after_sha: shaOf(state, row['after_sha']),
      pushed_at: textOf(row['pushed_at']) ?? iso(start),
      result,
    },
  );
};

/** The lists a world holds as the REST API gives them, with short names for people and refs. */
export const rowsOfWorld = (state: State, world: World, start: number): void => {
  for (const row of world.activity ?? []) {
    const type = textOf(row['activity_type']) ?? 'push';
    if (!isActivityType(type))
      throw new Unplayable(`activity_type "${type}" is none`, `one of ${ACTIVITY_TYPES.join(', ')}`);
    const actor = textOf(row['actor']) ?? textOf(asRecord(row['actor'])['login']);
    const activity: Activity = {
      id: numberOf(row['id']) ?? state.nextId('activity'),
      type,
      ref: fullRef(textOf(row['ref']) ?? state.defaultBranch),
      before: shaOf(state, row['before']),
      after: shaOf(state, row['after']),
      at: instant(row['timestamp'], start),
      actor: actor === undefined ? null : state.accounts.named(actor),
      origin: 'world',
    };
    state.activity.add(activity);
    if (activity.at > start) state.foreseen.push(activity);
    else state.pushedAt = Math.max(state.pushedAt, activity.at);
  }
  state.ruleSuites.push(...(world.rule_suites ?? []).map((row) => ruleSuite(state, row, start)));
  for (const row of world.tags ?? []) {
    const sha = textOf(asRecord(row['commit'])['sha']) ?? 'm0';
    state.tags.set(textOf(row['name']) ?? '', state.shas.full(sha));
  }
  for (const row of world.runs ?? []) {
    const id = numberOf(row['id']) ?? state.nextId('run');
    const actor = textOf(row['actor']) ?? textOf(row['triggering_actor']) ?? 'github-actions[bot]';
    const status = textOf(row['status']);
    const own = ['actor', 'triggering_actor', 'head_sha', 'status', 'conclusion', 'id', 'path'];
    const more = Object.fromEntries(Object.entries(row).filter(([key]) => !own.includes(key)));
    const done = status === 'completed';
    state.runs.set(id, {
      id,
      path: textOf(row['path']) ?? '.github/workflows/ci.yml',
      sha: state.shas.full(textOf(row['head_sha']) ?? 'm0'),
      by: state.accounts.named(actor),
      status: done || status === 'queued' ? status : 'in_progress',
      conclusion: textOf(row['conclusion']) ?? null,
      createdAt: instant(row['created_at'], start),
      updatedAt: instant(row['updated_at'], start),
      steps: [],
      job: done ? 'completed' : 'in_progress',
      overlay: more,
    });
  }
  for (const [sha, rows] of Object.entries(world.checks ?? {})) {
    for (const row of rows) {
      state.checks.add({
        id: state.nextId('check'),
        sha: state.shas.full(sha),
        name: row.name,
        app: row.app || ACTIONS_APP,
        status: 'completed',
        conclusion: row.conclusion,
        externalId: '',
        detailsUrl: null,
        title: null,
        summary: null,
        text: null,
        annotations: [],
        actions: [],
        startedAt: start,
        completedAt: start,
        overlay: {},
      });
    }
  }
};
