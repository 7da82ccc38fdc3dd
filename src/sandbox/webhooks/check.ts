import { ACTIONS_APP } from '../accounts.js';
import { numberOf } from '../records.js';
import { checkRunEventJson, statusEventJson, suiteJson } from '../shapes/check.js';
import type { CheckRun, StatusRow } from '../state.js';
import {
  ensureCommit,
  type Handler,
  type Happening,
  keepOverlay,
  keySha,
  keyText,
  lastingOverlay,
  nowOf,
} from './happening.js';

const appOf = (happening: Happening): number => numberOf(happening.keys['app']) ?? ACTIONS_APP;

const makeRun = (happening: Happening, sha: string, app: number, name: string): CheckRun => {
  const fingerprint = keyText(happening, 'fingerprint') ?? null;
  const done = happening.action !== 'created';
  return {
    id: happening.state.nextId('check'),
    sha,
    name,
    app,
    status: done ? 'completed' : 'in_progress',
    conclusion: done ? (keyText(happening, 'conclusion') ?? 'success') : null,
    externalId: '',
    detailsUrl: null,
    title: fingerprint,
    summary: fingerprint,
    text: null,
    annotations: [],
    actions: [],
    startedAt: nowOf(happening),
    completedAt: done ? nowOf(happening) : null,
    overlay: {},
  };
};

/** A check run: GitHub Actions' unless `app` says whose. What our own App reported is told as the run it made. */
export const checkRun: Handler = (happening) => {
  const { state, action } = happening;
  const sha = keySha(happening, 'sha') ?? '';
  const asked = action === 'requested_action' || action === 'rerequested';
  const app = asked ? (numberOf(happening.keys['app']) ?? state.appId) : appOf(happening);
  const name = keyText(happening, 'name') ?? (app === state.appId ? 'agent-policy' : 'test');
  ensureCommit(state, sha, happening.by);
  const known = state.checks.of(sha).findLast((run) => run.app === app && run.name === name);
  const run = (asked || app === state.appId ? known : undefined) ?? makeRun(happening, sha, app, name);
  if (run !== known) state.checks.add(run);
  keepOverlay(run, lastingOverlay(happening, 'check_run', ['status', 'conclusion']));
  const identifier = keyText(happening, 'action') ?? 'recheck';
  return {
    check_run: checkRunEventJson(state, run),
    ...(action === 'requested_action' ? { requested_action: { identifier } } : {}),
  };
};

export const checkSuite: Handler = (happening) => {
  const { state, action } = happening;
  const sha = keySha(happening, 'sha') ?? '';
  ensureCommit(state, sha, happening.by);
  const app = action === 'rerequested' ? (numberOf(happening.keys['app']) ?? state.appId) : appOf(happening);
  const done = action === 'completed';
  const conclusion = done ? (keyText(happening, 'conclusion') ?? 'success') : null;
  return { check_suite: suiteJson(state, app, sha, done ? 'completed' : 'queued', conclusion) };
};

const STATES = ['success', 'failure', 'error', 'pending'] as const;

export const status: Handler = (happening) => {
  const { state, by } = happening;
  const sha = keySha(happening, 'sha') ?? '';
  ensureCommit(state, sha, by);
  const conclusion = keyText(happening, 'conclusion');
  const row: StatusRow = {
    id: state.nextId('status'),
    sha,
    context: keyText(happening, 'name') ?? 'default',
    state: STATES.find((known) => known === conclusion) ?? 'failure',
    by,
    at: nowOf(happening),
  };
  state.statuses.add(row);
  return statusEventJson(state, row);
};
