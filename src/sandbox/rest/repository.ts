import { type Role, type SandboxAccount } from '../accounts.js';
import type { Json } from '../records.js';
import { userJson, userOrNull } from '../shapes/account.js';
import { fullRepositoryJson, orgRepositoryJson } from '../shapes/repository.js';
import { nodeId } from '../shapes/urls.js';
import { type Activity, iso } from '../state.js';
import { type Call, cursorPage, notFound, ok, page, type Routes } from './answer.js';

/** The five permissions older answers know, for the six roles there are. */
const LEGACY: Readonly<Record<Role, string>> = {
  none: 'none',
  read: 'read',
  triage: 'read',
  write: 'write',
  maintain: 'write',
  admin: 'admin',
};
const ORDER: readonly Role[] = ['none', 'read', 'triage', 'write', 'maintain', 'admin'];

const collaboratorJson = (account: SandboxAccount): Json => {
  const atLeast = (role: Role): boolean => ORDER.indexOf(account.role) >= ORDER.indexOf(role);
  return {
    ...userJson(account),
    permissions: {
      pull: atLeast('read'),
      triage: atLeast('triage'),
      push: atLeast('write'),
      maintain: atLeast('maintain'),
      admin: atLeast('admin'),
    },
    role_name: account.role,
  };
};

const activityJson = (row: Activity): Json => ({
  id: row.id,
  node_id: nodeId('PSH', row.id),
  before: row.before,
  after: row.after,
  ref: row.ref,
  timestamp: iso(row.at),
  activity_type: row.type,
  actor: userOrNull(row.actor),
});

const PERIODS: Readonly<Record<string, number>> = { day: 1, week: 7, month: 30, quarter: 91, year: 366 };

/** Newest first; what the case dates later than now has not happened yet. */
const activityOf = ({ state, query }: Call): readonly Activity[] => {
  const now = state.clock.now();
  const ref = query.get('ref');
  const actor = query.get('actor')?.toLowerCase();
  const type = query.get('activity_type');
  const days = PERIODS[query.get('time_period') ?? ''];
  const all =
    ref === null
      ? [...state.activity]
      : [...state.activity.of(ref), ...state.activity.of(`refs/heads/${ref}`)];
  const rows = all.filter(
    (row) =>
      row.at <= now &&
      (days === undefined || row.at >= now - days * 86_400_000) &&
      (actor === undefined || row.actor?.login.toLowerCase() === actor) &&
      (type === null || row.type === type),
  );
  const oldestFirst = rows
    .map((row, index) => ({ row, index }))
    .sort((a, b) => a.row.at - b.row.at || a.index - b.index)
    .map(({ row }) => row);
  return query.get('direction') === 'asc' ? oldestFirst : oldestFirst.reverse();
};

/** The repository itself: who may do what, and what happened to its branches. */
export const repository: Routes = {
  'GET /repos/{owner}/{repo}': ({ state, inOrg }) =>
    ok(inOrg ? orgRepositoryJson(state) : fullRepositoryJson(state)),
  'GET /repos/{owner}/{repo}/activity': (call) =>
    cursorPage(call, activityOf(call), (row) => String(row.id), activityJson),
  'GET /repos/{owner}/{repo}/collaborators/{username}/permission': ({ state, params }) => {
    const account = state.accounts.byLogin(params['username'] ?? '');
    if (account === undefined) return notFound();
    return ok({
      permission: LEGACY[account.role],
      role_name: account.role,
      user: collaboratorJson(account),
    });
  },
  'GET /repos/{owner}/{repo}/collaborators': (call) =>
    page(
      call,
      ['otto', 'mara', 'rae', 'tia', 'ivo', 'robot'].map((name) =>
        collaboratorJson(call.state.accounts.named(name)),
      ),
    ),
  'GET /repos/{owner}/{repo}/keys': (call) => page(call, []),
};
