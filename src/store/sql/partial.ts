import { sql as raw } from 'kysely';

/*
 * The conditions of the partial indexes, written as the migrations write them: SQLite takes such an index only where a
 * query says the same.
 */

/** `queued` or `waiting`. */
export const UNDONE = raw<boolean>`ended_at is null and arrivals > 0`;

export const ENDED = raw<boolean>`ended_at is not null`;

/** Goes beside the state that is asked for, which is a parameter and proves nothing. */
export const LEFT = raw<boolean>`state <> 'done'`;
