import { asRecord, isRecord, type Json, textOf } from '../records.js';
import { idOfNode, nodeId } from '../shapes/urls.js';
import type { Pull, State } from '../state.js';
import { reachedBy, type Site } from '../app/host.js';
import { type Answer, type AppCall, type AppRoutes, ok } from './answer.js';
import { numberOfId } from '../new-pull.js';
import { openRevert } from './open-pull.js';

/** GraphQL says what went wrong in a 200. */
const wrong = (type: string, message: string, name: string): Answer =>
  ok({ data: { [name]: null }, errors: [{ type, path: [name], message }] });

const pullNode = (state: State, pull: Pull): Json => ({
  id: nodeId('PR', pull.id),
  number: pull.number,
  url: `${state.repo.html}/pull/${pull.number}`,
  title: pull.title,
  state: pull.merged !== null ? 'MERGED' : pull.state.toUpperCase(),
  isDraft: pull.draft,
  headRefName: pull.head,
  headRefOid: pull.headSha,
  baseRefName: pull.base,
  autoMergeRequest: pull.autoMerge === null ? null : { enabledBy: { login: pull.autoMerge.by.login } },
});

/** Variables of the mutation, wherever the caller put them: at the top, under `input`, or written into the query. */
const argumentsOf = (query: string, variables: Json): Json => {
  const inner = Object.values(variables).filter(isRecord);
  const literals = Object.fromEntries(
    [...query.matchAll(/\b(\w+)\s*:\s*("(?:[^"\\]|\\.)*"|true|false)/g)].map(
      ([, key = '', value = 'null']) => [key, JSON.parse(value) as unknown],
    ),
  );
  return Object.assign({}, literals, variables, ...inner) as Json;
};

const MUTATIONS: Readonly<Record<string, (site: Site, pull: Pull, given: Json) => Answer>> = {
  disablePullRequestAutoMerge: ({ state }, pull) => {
    if (pull.autoMerge === null) {
      return wrong(
        'UNPROCESSABLE',
        "Can't disable auto-merge for this pull request.",
        'disablePullRequestAutoMerge',
      );
    }
    pull.autoMerge = null;
    return ok({
      data: {
        disablePullRequestAutoMerge: {
          clientMutationId: null,
          actor: null,
          pullRequest: pullNode(state, pull),
        },
      },
    });
  },
  dequeuePullRequest: (_, pull) => {
    if (!pull.queued) {
      return wrong('UNPROCESSABLE', 'Pull request is not in the merge queue.', 'dequeuePullRequest');
    }
    pull.queued = false;
    const entry = { id: nodeId('MQE', pull.number), position: 1, state: 'UNMERGEABLE' };
    return ok({ data: { dequeuePullRequest: { clientMutationId: null, mergeQueueEntry: entry } } });
  },
  revertPullRequest: ({ state, written }, pull, given) => {
    if (pull.merged === null)
      return wrong('UNPROCESSABLE', 'Pull request is not merged.', 'revertPullRequest');
    if (state.branches.has(`revert-${pull.number}-${pull.head}`)) {
      return wrong('UNPROCESSABLE', 'This pull request has already been reverted.', 'revertPullRequest');
    }
    const title = textOf(given['title']);
    const body = textOf(given['body']);
    for (const [field, text] of Object.entries({ title, body })) {
      if (text !== undefined && text !== '') written.push({ request: 'POST /graphql', field, text });
    }
    const revert = openRevert(state, pull, {
      draft: given['draft'] === true,
      ...(title === undefined ? {} : { title }),
      ...(body === undefined ? {} : { body }),
    });
    return ok({
      data: {
        revertPullRequest: {
          clientMutationId: null,
          pullRequest: pullNode(state, pull),
          revertPullRequest: pullNode(state, revert),
        },
      },
    });
  },
};

/** The PR of a node id, and where it is. */
const found = ({ host, caller }: AppCall, node: string): { site: Site; pull: Pull } | undefined => {
  const id = Number(idOfNode(node));
  for (const site of reachedBy(host, caller)) {
    const pull = site.state.pulls.get(numberOfId(site.state, id));
    if (pull?.exists === true && nodeId('PR', pull.id) === node) return { site, pull };
  }
  return undefined;
};

const answerGraphql = (call: AppCall): Answer => {
  const query = textOf(call.body['query']) ?? '';
  const name = Object.keys(MUTATIONS).find((mutation) => new RegExp(`\\b${mutation}\\s*\\(`).test(query));
  const mutate = name === undefined ? undefined : MUTATIONS[name];
  if (name === undefined || mutate === undefined) {
    const message =
      'The sandbox knows only disablePullRequestAutoMerge, dequeuePullRequest and revertPullRequest.';
    return ok({ errors: [{ type: 'undefinedField', message }] });
  }
  const { caller } = call;
  const may = (name: string): boolean =>
    caller.kind !== 'installation' || caller.grant.permissions[name] === 'write';
  if (!may('contents') || !may('pull_requests')) {
    return wrong('FORBIDDEN', 'Resource not accessible by integration', name);
  }
  const given = argumentsOf(query, asRecord(call.body['variables']));
  const node = textOf(given['pullRequestId']) ?? textOf(given['id']) ?? '';
  const target = found(call, node);
  if (target === undefined) {
    return wrong('NOT_FOUND', `Could not resolve to a node with the global id of '${node}'`, name);
  }
  return mutate(target.site, target.pull, given);
};

/** The mutations for which REST has no counterpart. */
export const graphql: AppRoutes = { 'POST /graphql': answerGraphql };
