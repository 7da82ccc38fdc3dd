import type { Pull } from './state.js';

/** What is told of every PR; the rest is as GitHub makes an open one, unless it is said. */
type Told = Pick<Pull, 'number' | 'author' | 'base' | 'baseSha' | 'head' | 'headSha' | 'createdAt'>;

/** A PR at the moment it is opened, in this repository. */
export const newPull = (told: Told & Partial<Pull>): Pull => ({
  id: 700_000 + told.number,
  exists: true,
  previousSha: null,
  state: 'open',
  draft: false,
  merged: null,
  title: `Change ${told.number}`,
  body: '',
  labels: [],
  reviews: [],
  fork: null,
  autoMerge: null,
  queued: false,
  requested: [],
  locked: false,
  updatedAt: told.createdAt,
  closedAt: null,
  overlay: {},
  ...told,
});
