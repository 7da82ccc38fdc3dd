import { sql } from 'kysely';
import type { Migration } from './migration.js';

/**
 * Each index is one more page that taking a delivery writes. What is asked seldom, or only of what is not done, needs none
 * over everything that ever came.
 */
export const fewerIndexes: Migration = {
  name: '002-fewer-indexes',
  up: (db) =>
    [
      db.schema.dropIndex('deliveries_oldest'),
      db.schema.dropIndex('deliveries_repository'),
      db.schema.dropIndex('deliveries_state'),
      db.schema
        .createIndex('deliveries_left')
        .on('deliveries')
        .columns(['state', 'id'])
        .where(sql<boolean>`state <> 'done'`),
    ].map((query) => query.compile()),
};
