import type { Migration } from './migration.js';
import { first } from './001-first.js';
import { fewerIndexes } from './002-fewer-indexes.js';

/** In order: the first is version 1. */
export const MIGRATIONS: readonly Migration[] = [first, fewerIndexes];
