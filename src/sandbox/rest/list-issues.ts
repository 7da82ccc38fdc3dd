import { isListed } from '../lag.js';
import { asRecord, type Json, listOf } from '../records.js';
import { issueJson, pullAsIssueJson } from '../shapes/issue.js';
import type { Issue, Pull, State } from '../state.js';
import { type Answer, type Call, page } from './answer.js';
import { pullsThere } from './resolve.js';

/** What the list is filtered and sorted by; the whole is made only of what a page shows. */
interface Entry {
  readonly number: number;
  readonly state: unknown;
  readonly creator: string;
  readonly labels: readonly unknown[];
  /** Seconds, as GitHub says them. */
  readonly created: number;
  readonly updated: number;
  readonly json: () => Json;
}

const seconds = (ms: number): number => Math.floor(ms / 1_000);

const SHOWN = ['state', 'user', 'labels', 'created_at', 'updated_at'];

/** Where a case lays something of that over an issue, the list goes by what is shown. */
const entryOf = (thread: Issue | Pull, json: () => Json): Entry => {
  const { number } = thread;
  if (!SHOWN.some((key) => key in thread.overlay)) {
    return {
      number,
      state: thread.state,
      creator: thread.author.login,
      labels: thread.labels,
      created: seconds(thread.createdAt),
      updated: seconds(thread.updatedAt),
      json,
    };
  }
  const shown = json();
  return {
    number,
    state: shown['state'],
    creator: String(asRecord(shown['user'])['login']),
    labels: listOf(shown['labels']).map((label) => asRecord(label)['name']),
    created: seconds(Date.parse(String(shown['created_at']))),
    updated: seconds(Date.parse(String(shown['updated_at']))),
    json: () => shown,
  };
};

const entriesOf = (state: State): readonly Entry[] => [
  ...[...state.issues.values()]
    .filter((issue) => isListed(state, issue))
    .map((issue) => entryOf(issue, () => issueJson(state, issue))),
  ...pullsThere(state).map((pull) => entryOf(pull, () => pullAsIssueJson(state, pull))),
];

/** `x[bot]` and `app/x` both name a bot as creator. */
const loginOf = (creator: string): string => creator.toLowerCase().replace(/^app\/(.*)$/, '$1[bot]');

/** Issues and PRs, as `GET /repos/{owner}/{repo}/issues` lists them. */
export const listedIssues = (call: Call): Answer => {
  const { state, query } = call;
  const wanted = query.get('state') ?? 'open';
  const creator = query.get('creator');
  const login = creator === null ? null : loginOf(creator);
  const labels = (query.get('labels') ?? '').split(',').filter((label) => label !== '');
  const since = Date.parse(query.get('since') ?? '') / 1_000;
  const key = query.get('sort') === 'updated' ? 'updated' : 'created';
  const sign = query.get('direction') === 'asc' ? 1 : -1;
  const entries = entriesOf(state)
    .filter(
      (entry) =>
        (wanted === 'all' || entry.state === wanted) &&
        (login === null || entry.creator.toLowerCase() === login) &&
        labels.every((label) => entry.labels.includes(label)) &&
        !(entry.updated < since),
    )
    .sort((a, b) => sign * (a[key] - b[key] || a.number - b.number));
  return page(call, entries, (shown) => shown.map((entry) => entry.json()));
};
