import { asRecord, isRecord, type Json, listOf, numberOf, textOf } from '../records.js';
import { rulesetJson } from '../shapes/ruleset.js';
import type { Ruleset, State } from '../state.js';
import {
  type Answer,
  type Call,
  created,
  failed,
  invalid,
  noContent,
  notFound,
  ok,
  page,
  type Routes,
} from './answer.js';

/** Private repositories on the free plan have no rulesets and no branch protection. */
const upgrade = (state: State): Answer | undefined =>
  state.private && state.plan === 'free'
    ? failed(403, 'Upgrade to GitHub Pro or make this repository public to enable this feature.')
    : undefined;

const planned = (answer: (call: Call) => Answer) => (call: Call) => upgrade(call.state) ?? answer(call);

const withRuleset = (answer: (call: Call, ruleset: Ruleset) => Answer) =>
  planned((call) => {
    const id = Number(call.params['ruleset_id']);
    const ruleset = call.state.rulesets.find(
      (candidate) => rulesetJson(call.state, candidate, 'list')['id'] === id,
    );
    return ruleset === undefined ? notFound() : answer(call, ruleset);
  });

const refusal = (body: Json): Answer | undefined => {
  if (body['bypass_actors'] === null) return failed(422, 'Invalid request.\n\ndata cannot be null.');
  for (const rule of listOf(body['rules'])) {
    if (textOf(asRecord(rule)['type']) === undefined)
      return invalid('RepositoryRule', 'type', 'type is missing', 'missing_field');
  }
  return undefined;
};

/** GitHub drops a parameter that only says the default. */
const normalized = (rule: unknown): unknown => {
  const { type, parameters } = asRecord(rule);
  return type === 'update' && asRecord(parameters)['update_allows_fetch_and_merge'] === false
    ? { type }
    : rule;
};

const lay = (call: Call, ruleset: Ruleset): void => {
  const { body } = call;
  ruleset.name = textOf(body['name']) ?? ruleset.name;
  ruleset.target = textOf(body['target']) ?? ruleset.target;
  ruleset.enforcement = textOf(body['enforcement']) ?? ruleset.enforcement;
  if (isRecord(body['conditions'])) ruleset.conditions = body['conditions'];
  if (Array.isArray(body['rules'])) ruleset.rules = body['rules'].map(normalized);
  if (Array.isArray(body['bypass_actors'])) ruleset.bypass = body['bypass_actors'];
  ruleset.updatedAt = call.state.clock.now();
};

/** Whether a ruleset is about a branch: `~DEFAULT_BRANCH`, `~ALL`, or a pattern on the full ref. */
const covers = (state: State, ruleset: Ruleset, branch: string): boolean => {
  const matches = (pattern: unknown): boolean => {
    if (pattern === '~ALL') return true;
    if (pattern === '~DEFAULT_BRANCH') return branch === state.defaultBranch;
    const source = String(pattern)
      .split('*')
      .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
      .join('.*');
    return new RegExp(`^${source}$`).test(`refs/heads/${branch}`);
  };
  const names = asRecord(ruleset.conditions['ref_name']);
  return listOf(names['include']).some(matches) && !listOf(names['exclude']).some(matches);
};

const ruleSuites = (call: Call): readonly Json[] => {
  const { state, query } = call;
  const now = state.clock.now();
  const days: Readonly<Record<string, number>> = { hour: 1 / 24, day: 1, week: 7, month: 31 };
  const since = now - (days[query.get('time_period') ?? 'day'] ?? 1) * 86_400_000;
  const result = query.get('rule_suite_result') ?? 'all';
  const ref = query.get('ref');
  const actor = query.get('actor_name');
  return state.ruleSuites
    .filter((suite) => {
      const at = Date.parse(String(suite['pushed_at']));
      return (
        at <= now &&
        at >= since &&
        (result === 'all' || suite['result'] === result) &&
        (ref === null || suite['ref'] === ref || suite['ref'] === `refs/heads/${ref}`) &&
        (actor === null || suite['actor_name'] === actor)
      );
    })
    .sort((a, b) => Date.parse(String(b['pushed_at'])) - Date.parse(String(a['pushed_at'])));
};

const summaryOf = (suite: Json): Json =>
  Object.fromEntries(Object.entries(suite).filter(([key]) => key !== 'rule_evaluations'));

/** Rulesets, what they did, and the older branch protection. */
export const rulesets: Routes = {
  'GET /repos/{owner}/{repo}/rulesets': planned((call) =>
    page(
      call,
      call.state.rulesets.map((ruleset) => rulesetJson(call.state, ruleset, 'list')),
    ),
  ),
  'POST /repos/{owner}/{repo}/rulesets': planned((call) => {
    const { state, body } = call;
    const refused = refusal(body);
    if (refused !== undefined) return refused;
    const name = textOf(body['name']) ?? '';
    if (state.rulesets.some((ruleset) => ruleset.name === name)) {
      return failed(422, 'Validation Failed', { errors: ['Name must be unique'] });
    }
    const ruleset: Ruleset = {
      id: state.nextId('ruleset'),
      name,
      target: 'branch',
      enforcement: 'active',
      rules: [],
      bypass: [],
      conditions: {},
      createdAt: state.clock.now(),
      updatedAt: state.clock.now(),
      overlay: {},
    };
    lay(call, ruleset);
    state.rulesets.push(ruleset);
    return created(rulesetJson(state, ruleset, 'whole'));
  }),
  'GET /repos/{owner}/{repo}/rulesets/{ruleset_id}': withRuleset(({ state }, ruleset) =>
    ok(rulesetJson(state, ruleset, 'whole')),
  ),
  'PUT /repos/{owner}/{repo}/rulesets/{ruleset_id}': withRuleset((call, ruleset) => {
    const refused = refusal(call.body);
    if (refused !== undefined) return refused;
    lay(call, ruleset);
    return ok(rulesetJson(call.state, ruleset, 'whole'));
  }),
  'DELETE /repos/{owner}/{repo}/rulesets/{ruleset_id}': withRuleset(({ state }, ruleset) => {
    state.rulesets.splice(state.rulesets.indexOf(ruleset), 1);
    return noContent();
  }),
  'GET /repos/{owner}/{repo}/rulesets/rule-suites': planned((call) =>
    page(call, ruleSuites(call).map(summaryOf)),
  ),
  'GET /repos/{owner}/{repo}/rulesets/rule-suites/{rule_suite_id}': planned(({ state, params }) => {
    const suite = state.ruleSuites.find((one) => numberOf(one['id']) === Number(params['rule_suite_id']));
    return suite === undefined ? notFound() : ok(suite);
  }),
  'GET /repos/{owner}/{repo}/rules/branches/{branch}': planned((call) => {
    const { state, params } = call;
    const rules = state.rulesets
      .filter((ruleset) => ruleset.enforcement === 'active' && ruleset.target === 'branch')
      .filter((ruleset) => covers(state, ruleset, params['branch'] ?? ''))
      .flatMap((ruleset) =>
        ruleset.rules.map((rule) => ({
          ...asRecord(rule),
          ruleset_source_type: 'Repository',
          ruleset_source: state.repo.fullName,
          ruleset_id: ruleset.id,
        })),
      );
    return page(call, rules);
  }),
  'GET /repos/{owner}/{repo}/branches/{branch}/protection': planned(({ state, params }) => {
    const branch = params['branch'] ?? '';
    if (!state.branches.has(branch)) return notFound('Branch not found');
    const rule = state.protections.find((one) => one.pattern === branch);
    if (rule === undefined) return notFound('Branch not protected');
    const enabled = (key: string): Json => ({
      enabled:
        rule.overlay[`${key}_enforcement_level`] !== undefined &&
        rule.overlay[`${key}_enforcement_level`] !== 'off',
    });
    return ok({
      url: `${state.repo.api}/branches/${branch}/protection`,
      allow_force_pushes: enabled('allow_force_pushes'),
      allow_deletions: enabled('allow_deletions'),
      required_linear_history: enabled('linear_history_requirement'),
    });
  }),
};
