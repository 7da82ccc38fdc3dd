import type { Account, Act, ActKind } from '../../src/acts/act.js';
import type { Delivery } from '../../src/acts/payload.js';
import { readActs } from '../../src/acts/read.js';
import type { PushReading } from '../../src/acts/read-push.js';
import { isPolicyPath, isWorkflowPath } from '../../src/policy/read.js';

export const ALPHA: Account = { id: 9001, login: 'alpha-agent[bot]', type: 'Bot' };
export const RAE: Account = { id: 13, login: 'rae', type: 'User' };

export const REPOSITORY = {
  id: 1,
  name: 'widgets',
  full_name: 'acme/widgets',
  private: false,
  default_branch: 'main',
  owner: { login: 'acme', type: 'Organization' },
};

/** `main` and `release/*` are trunks. */
export const READING: PushReading = {
  isTrunk: (branch) => branch === 'main' || /^release\/[^/]+$/.test(branch),
  isPolicyPath,
  isWorkflowPath,
};

type Json = Readonly<Record<string, unknown>>;

/** A delivery by alpha in acme/widgets; `payload` is laid over the envelope, so `sender: null` takes the sender away. */
export const delivery = (name: string, payload: Json, id = 'guid-1'): Delivery => ({
  id,
  name,
  payload: { sender: ALPHA, repository: REPOSITORY, ...payload },
});

export const pullRequest = (over: Json = {}): Json => ({
  number: 283,
  node_id: 'PR_283',
  state: 'open',
  title: 'A change',
  body: null,
  user: ALPHA,
  merged: false,
  merged_at: null,
  merge_commit_sha: null,
  head: { ref: 'staging', sha: 'h1', repo: { id: 1, full_name: 'acme/widgets' } },
  base: { ref: 'main', sha: 'm0', repo: { id: 1, full_name: 'acme/widgets' } },
  created_at: '2026-11-30T09:00:00Z',
  updated_at: '2026-11-30T09:00:11Z',
  ...over,
});

export const merged = (over: Json = {}): Json =>
  pullRequest({
    state: 'closed',
    merged: true,
    merged_at: '2026-11-30T09:00:22Z',
    merge_commit_sha: 'm1',
    ...over,
  });

export const push = (over: Json = {}): Json => ({
  ref: 'refs/heads/main',
  before: 'a1',
  after: 'b2',
  created: false,
  deleted: false,
  forced: false,
  commits: [{ id: 'b2', message: 'Work', added: ['src/a.ts'], modified: [], removed: [] }],
  ...over,
});

export const touching = (...modified: readonly string[]): Json => ({
  commits: [{ id: 'b2', message: 'Work', added: [], modified, removed: [] }],
});

export const NOBODY = '0'.repeat(40);

export const kindsOf = (told: Delivery): readonly ActKind[] =>
  readActs(told, READING).map(({ kind }) => kind);

/** The one act a delivery tells; anything else is a fault of the test. */
export function actOf(told: Delivery): Act {
  const [act, ...more] = readActs(told, READING);
  if (act === undefined || more.length > 0)
    throw new Error(`${told.name} tells ${more.length} acts beside one`);
  return act;
}
