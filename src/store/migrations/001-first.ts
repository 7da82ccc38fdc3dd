import { sql, type ColumnDefinitionBuilder, type Compilable, type Kysely } from 'kysely';
import type { ColumnTypes } from '../database.js';
import type { Tables } from '../schema.js';
import type { Migration } from './migration.js';

const required = (column: ColumnDefinitionBuilder): ColumnDefinitionBuilder => column.notNull();

/**
 * `queued` or `waiting`. Partial: such an index stays as small as the backlog, however many were done before. It does not
 * name the state, since SQLite would then rather go by state and sort.
 */
const UNDONE = sql<boolean>`ended_at is null and arrivals > 0`;

const deliveries = (db: Kysely<Tables>, { long, bytes, numbered }: ColumnTypes) => [
  db.schema
    .createTable('deliveries')
    .addColumn('id', long, numbered)
    .addColumn('guid', 'text', (column) => column.notNull().unique())
    .addColumn('name', 'text', required)
    .addColumn('state', 'text', required)
    .addColumn('repository', long)
    .addColumn('lane', 'integer', required)
    .addColumn('subject', 'text')
    .addColumn('action', 'text')
    .addColumn('attempts', 'integer', required)
    .addColumn('arrivals', 'integer', required)
    .addColumn('due', long)
    .addColumn('error', 'text')
    .addColumn('happened_at', long)
    .addColumn('received_at', long, required)
    .addColumn('ended_at', long)
    .addColumn('kept', 'integer', required),
  db.schema
    .createTable('bodies')
    .addColumn('delivery', long, (column) => column.primaryKey())
    .addColumn('body', bytes, required),
  db.schema.createIndex('deliveries_oldest').on('deliveries').column('received_at').where(UNDONE),
  db.schema
    .createIndex('deliveries_undone')
    .on('deliveries')
    .columns(['repository', 'received_at'])
    .where(UNDONE),
  db.schema.createIndex('deliveries_state').on('deliveries').columns(['state', 'id']),
  db.schema.createIndex('deliveries_repository').on('deliveries').columns(['repository', 'id']),
  db.schema
    .createIndex('deliveries_ended')
    .on('deliveries')
    .columns(['kept', 'ended_at', 'id'])
    .where(sql<boolean>`ended_at is not null`),
];

const acts = (db: Kysely<Tables>, { long, numbered }: ColumnTypes) => [
  db.schema
    .createTable('acts')
    .addColumn('id', long, numbered)
    .addColumn('repository', long, required)
    .addColumn('key', 'text', required)
    .addColumn('kind', 'text', required)
    .addColumn('agent', 'text')
    .addColumn('ref', 'text')
    .addColumn('at', long, required)
    .addColumn('data', 'text', required)
    .addUniqueConstraint('acts_key', ['repository', 'key']),
  db.schema.createIndex('acts_agent').on('acts').columns(['repository', 'kind', 'agent', 'at']),
  db.schema.createIndex('acts_ref').on('acts').columns(['repository', 'kind', 'ref']),
  db.schema.createIndex('acts_at').on('acts').columns(['at', 'id']),
  db.schema.createIndex('acts_repository').on('acts').columns(['repository', 'at', 'id']),
  db.schema
    .createTable('pushes')
    .addColumn('id', long, numbered)
    .addColumn('repository', long, required)
    .addColumn('ref', 'text', required)
    .addColumn('before', 'text', required)
    .addColumn('after', 'text', required)
    .addColumn('by', long, required)
    .addColumn('tree', 'text')
    .addColumn('at', long, required)
    .addColumn('data', 'text', required)
    .addUniqueConstraint('pushes_key', ['repository', 'ref', 'before', 'after', 'by']),
  db.schema.createIndex('pushes_after').on('pushes').columns(['repository', 'after']),
  db.schema.createIndex('pushes_at').on('pushes').column('at'),
];

const pulls = (db: Kysely<Tables>, { long, numbered }: ColumnTypes) => [
  db.schema
    .createTable('pulls')
    .addColumn('repository', long, required)
    .addColumn('number', long, required)
    .addColumn('data', 'text', required)
    .addPrimaryKeyConstraint('pulls_key', ['repository', 'number']),
  db.schema
    .createTable('attributions')
    .addColumn('repository', long, required)
    .addColumn('pull', long, required)
    .addColumn('data', 'text', required)
    .addPrimaryKeyConstraint('attributions_key', ['repository', 'pull']),
  db.schema
    .createTable('waivers')
    .addColumn('id', long, numbered)
    .addColumn('repository', long, required)
    .addColumn('pull', long, required)
    .addColumn('head', 'text', required)
    .addColumn('base', 'text', required)
    .addColumn('reason', 'text', required)
    .addColumn('data', 'text', required)
    .addUniqueConstraint('waivers_key', ['repository', 'pull', 'head', 'base', 'reason']),
];

const written = (db: Kysely<Tables>, { long, numbered }: ColumnTypes) => [
  db.schema
    .createTable('checks')
    .addColumn('id', long, numbered)
    .addColumn('repository', long, required)
    .addColumn('sha', 'text', required)
    .addColumn('at', long, required)
    .addColumn('data', 'text', required)
    .addUniqueConstraint('checks_key', ['repository', 'sha']),
  db.schema.createIndex('checks_at').on('checks').column('at'),
  db.schema
    .createTable('comments')
    .addColumn('repository', long, required)
    .addColumn('number', long, required)
    .addColumn('data', 'text', required)
    .addPrimaryKeyConstraint('comments_key', ['repository', 'number']),
  db.schema
    .createTable('escalations')
    .addColumn('id', long, numbered)
    .addColumn('repository', long, required)
    .addColumn('rule', 'text', required)
    .addColumn('agent', 'text', required)
    .addColumn('subject', 'text', required)
    .addColumn('issue', long)
    .addColumn('data', 'text', required)
    .addUniqueConstraint('escalations_key', ['repository', 'rule', 'agent', 'subject']),
  db.schema.createIndex('escalations_issue').on('escalations').columns(['repository', 'issue']),
  db.schema
    .createTable('effects')
    .addColumn('id', long, numbered)
    .addColumn('repository', long, required)
    .addColumn('key', 'text', required)
    .addColumn('state', 'text')
    .addColumn('data', 'text')
    .addColumn('done', 'integer', required)
    .addColumn('at', long, required)
    .addUniqueConstraint('effects_key', ['repository', 'key']),
  db.schema.createIndex('effects_at').on('effects').column('at'),
];

const standing = (db: Kysely<Tables>, { long, numbered }: ColumnTypes) => [
  db.schema
    .createTable('suspensions')
    .addColumn('id', long, numbered)
    .addColumn('repository', long, required)
    .addColumn('agent', 'text', required)
    .addColumn('data', 'text', required)
    .addUniqueConstraint('suspensions_key', ['repository', 'agent']),
  db.schema
    .createTable('policies')
    .addColumn('id', long, numbered)
    .addColumn('repository', long, required)
    .addColumn('scope', 'text', required)
    .addColumn('path', 'text', required)
    .addColumn('blob', 'text', required)
    .addColumn('since', long, required)
    .addColumn('data', 'text', required)
    .addUniqueConstraint('policies_key', ['repository', 'scope', 'path', 'blob', 'since']),
  db.schema.createIndex('policies_since').on('policies').columns(['repository', 'scope', 'since', 'id']),
  db.schema
    .createTable('waiting')
    .addColumn('id', long, numbered)
    .addColumn('repository', long, required)
    .addColumn('name', 'text', required)
    .addColumn('due', long, required)
    .addColumn('data', 'text', required)
    .addUniqueConstraint('waiting_key', ['repository', 'name']),
  db.schema.createIndex('waiting_due').on('waiting').columns(['due', 'id']),
  db.schema
    .createTable('repositories')
    .addColumn('id', long, (column) => column.primaryKey())
    .addColumn('owner', 'text', required)
    .addColumn('name', 'text', required)
    .addColumn('installation', long, required)
    .addColumn('seen_at', long, required),
  db.schema
    .createTable('cursors')
    .addColumn('key', 'text', (column) => column.primaryKey())
    .addColumn('value', 'text', required),
];

const PARTS: readonly ((db: Kysely<Tables>, types: ColumnTypes) => readonly Compilable[])[] = [
  deliveries,
  acts,
  pulls,
  written,
  standing,
];

export const first: Migration = {
  name: '001-first',
  up: (db, types) => PARTS.flatMap((part) => part(db, types)).map((query) => query.compile()),
};
