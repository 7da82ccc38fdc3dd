import { idIn, type Pull, type State } from './state.js';

/** What is told of every PR; the rest is as GitHub makes an open one, unless it is said. */
type Told = Pick<Pull, 'number' | 'author' | 'base' | 'baseSha' | 'head' | 'headSha' | 'createdAt'>;

/** Ids of PRs start here, in each repository. */
const FIRST_ID = 700_000;

/** The number that a PR with this id would have here. */
export const numberOfId = (state: State, id: number): number => id - idIn(state, FIRST_ID);

/** A PR at the moment it is opened, in this repository. */
export const newPull = (state: State, told: Told & Partial<Pull>): Pull => ({
  id: idIn(state, FIRST_ID + told.number),
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
