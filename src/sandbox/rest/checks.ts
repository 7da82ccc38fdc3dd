import { unlistedYet } from '../lag.js';
import { asRecord, isRecord, type Json, listOf, textOf } from '../records.js';
import { checkRunJson } from '../shapes/check.js';
import type { CheckRun } from '../state.js';
import {
  type Answer,
  type Call,
  created,
  failed,
  invalid,
  notFound,
  ok,
  page,
  type Routes,
} from './answer.js';

/** GitHub's limits on a check run, in characters and entries. */
const LONGEST_OUTPUT = 65_535;
const MOST_ANNOTATIONS = 50;
const MOST_ACTIONS = 3;
const ACTION_LIMITS = { label: 20, description: 40, identifier: 20 } as const;

const STATUSES = ['queued', 'in_progress', 'completed'] as const;

/** What GitHub refuses in a check run's body. */
const refusal = (body: Json): Answer | undefined => {
  const output = body['output'];
  if (output !== undefined) {
    const { title, summary, text, annotations } = asRecord(output);
    if (typeof summary !== 'string') return failed(422, 'Invalid request.\n\n"summary" wasn\'t supplied.');
    if (title !== undefined && typeof title !== 'string')
      return failed(422, 'Invalid request.\n\nNo subschema in "anyOf" matched.');
    for (const [field, value] of Object.entries({ summary, text })) {
      if (typeof value === 'string' && value.length > LONGEST_OUTPUT) {
        return failed(
          422,
          `Invalid request.\n\nOnly ${LONGEST_OUTPUT} characters are allowed; ${value.length} were supplied. (${field})`,
        );
      }
    }
    if (listOf(annotations).length > MOST_ANNOTATIONS) {
      return failed(
        422,
        `Invalid request.\n\nNo more than ${MOST_ANNOTATIONS} items are allowed; ${listOf(annotations).length} were supplied.`,
      );
    }
  }
  const actions = listOf(body['actions']);
  if (actions.length > MOST_ACTIONS)
    return failed(422, `Invalid request.\n\nNo more than ${MOST_ACTIONS} actions are allowed.`);
  for (const action of actions.map(asRecord)) {
    for (const [key, limit] of Object.entries(ACTION_LIMITS)) {
      const value = textOf(action[key]) ?? '';
      if (value === '' || value.length > limit)
        return invalid('CheckRun', `actions.${key}`, `is 1 to ${limit} characters`);
    }
  }
  if (body['status'] === 'completed' && body['conclusion'] === undefined) {
    return failed(422, 'Invalid request.\n\n"conclusion" wasn\'t supplied.');
  }
  return undefined;
};

const lay = (call: Call, run: CheckRun): void => {
  const { body, state } = call;
  const output = asRecord(body['output']);
  const conclusion = textOf(body['conclusion']);
  run.name = textOf(body['name']) ?? run.name;
  run.externalId = textOf(body['external_id']) ?? run.externalId;
  run.detailsUrl = textOf(body['details_url']) ?? run.detailsUrl;
  run.status =
    conclusion === undefined
      ? (STATUSES.find((known) => known === body['status']) ?? run.status)
      : 'completed';
  run.conclusion = conclusion ?? run.conclusion;
  if (run.status === 'completed') run.completedAt ??= state.clock.now();
  run.title = textOf(output['title']) ?? run.title;
  run.summary = textOf(output['summary']) ?? run.summary;
  run.text = textOf(output['text']) ?? run.text;
  run.annotations.push(...listOf(output['annotations']).filter(isRecord));
  if (Array.isArray(body['actions'])) run.actions = body['actions'].filter(isRecord);
  for (const field of ['title', 'summary', 'text']) call.wrote(`output.${field}`, output[field]);
  for (const annotation of listOf(output['annotations']).map(asRecord)) {
    call.wrote('output.annotations.title', annotation['title']);
    call.wrote('output.annotations.message', annotation['message']);
  }
};

const runAt = (call: Call): CheckRun | undefined =>
  call.state.checks.get(Number(call.params['check_run_id']));

export const checks: Routes = {
  'POST /repos/{owner}/{repo}/check-runs': (call) => {
    const { state, body } = call;
    const sha = textOf(body['head_sha']) ?? '';
    if (textOf(body['name']) === undefined)
      return failed(422, 'Invalid request.\n\n"name" wasn\'t supplied.');
    if (!state.graph.commits.has(sha)) return failed(422, `No commit found for SHA: ${sha}`);
    const refused = refusal(body);
    if (refused !== undefined) return refused;
    const run: CheckRun = {
      id: state.nextId('check'),
      sha,
      name: '',
      app: state.appId,
      status: 'queued',
      conclusion: null,
      externalId: '',
      detailsUrl: null,
      title: null,
      summary: null,
      text: null,
      annotations: [],
      actions: [],
      startedAt: state.clock.now(),
      completedAt: null,
      overlay: {},
    };
    lay(call, run);
    state.checks.add(unlistedYet(state, run));
    return created(checkRunJson(state, run));
  },
  'GET /repos/{owner}/{repo}/check-runs/{check_run_id}': (call) => {
    const run = runAt(call);
    return run === undefined ? notFound() : ok(checkRunJson(call.state, run));
  },
  'PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}': (call) => {
    const run = runAt(call);
    if (run === undefined) return notFound();
    if (run.app !== call.state.appId)
      return failed(
        403,
        'Invalid app_id `' +
          String(run.app) +
          '` - check run can only be modified by the GitHub App that created it.',
      );
    const refused = refusal(call.body);
    if (refused !== undefined) return refused;
    lay(call, run);
    return ok(checkRunJson(call.state, run));
  },
  'GET /repos/{owner}/{repo}/check-runs/{check_run_id}/annotations': (call) => {
    const run = runAt(call);
    return run === undefined
      ? notFound()
      : page(
          call,
          run.annotations.map((annotation) => ({
            start_column: null,
            end_column: null,
            title: null,
            raw_details: null,
            blob_href: '',
            ...annotation,
          })),
        );
  },
};
