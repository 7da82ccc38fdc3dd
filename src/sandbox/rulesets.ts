import { isRecord } from './records.js';
import type { RulesetBody } from './sandbox.js';
import type { State } from './state.js';

/** Repository roles from write up, by the ids GitHub gives them. */
const PEOPLE = [5, 2, 4].map((actor_id) => ({
  actor_id,
  actor_type: 'RepositoryRole',
  bypass_mode: 'exempt',
}));

const TRUNK = { ref_name: { include: ['~DEFAULT_BRANCH'], exclude: [] } };

/** A ruleset of ours as the policy wants it, for worlds that say nothing of its rules. */
export const plainRuleset = (name: string, appId: number): RulesetBody => ({
  name,
  target: 'branch',
  enforcement: 'active',
  conditions: TRUNK,
  bypass_actors: PEOPLE,
  rules: name.endsWith('/actors')
    ? [{ type: 'update' }, { type: 'creation' }, { type: 'deletion' }]
    : [
        {
          type: 'pull_request',
          parameters: {
            required_approving_review_count: 0,
            dismiss_stale_reviews_on_push: false,
            require_code_owner_review: false,
            require_last_push_approval: false,
            required_review_thread_resolution: false,
            allowed_merge_methods: ['merge', 'squash', 'rebase'],
          },
        },
        {
          type: 'required_status_checks',
          parameters: {
            strict_required_status_checks_policy: false,
            do_not_enforce_on_create: false,
            required_status_checks: [{ context: 'agent-policy', integration_id: appId }],
          },
        },
        { type: 'non_fast_forward' },
        { type: 'deletion' },
      ],
});

/** Names in a bypass list → actors as GitHub lists them. Anything that is no name stays as it is. */
export const bypassOf = (state: State, entries: readonly unknown[]): readonly unknown[] =>
  entries.map((entry) => {
    if (isRecord(entry)) return entry;
    const account = state.accounts.named(String(entry));
    return account.app === null
      ? { actor_id: account.id, actor_type: 'User', bypass_mode: 'always' }
      : { actor_id: account.app.id, actor_type: 'Integration', bypass_mode: 'always' };
  });
