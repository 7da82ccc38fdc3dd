import { type Json, layOverRecord } from '../records.js';
import { iso, type Protection, type Ruleset, type State } from '../state.js';
import { nodeId } from './urls.js';

/** A ruleset; lists leave out rules, conditions and bypass lists. */
export const rulesetJson = (state: State, ruleset: Ruleset, face: 'list' | 'whole'): Json => {
  const laid = layOverRecord(
    {
      id: ruleset.id,
      name: ruleset.name,
      target: ruleset.target,
      source_type: 'Repository',
      source: state.repo.fullName,
      enforcement: ruleset.enforcement,
      node_id: nodeId('RRS', ruleset.id),
      _links: {
        self: { href: `${state.repo.api}/rulesets/${ruleset.id}` },
        html: { href: `${state.repo.html}/rules/${ruleset.id}` },
      },
      created_at: iso(ruleset.createdAt),
      updated_at: iso(ruleset.updatedAt),
      conditions: ruleset.conditions,
      rules: ruleset.rules,
      bypass_actors: ruleset.bypass,
      current_user_can_bypass: 'never',
    },
    ruleset.overlay,
  );
  if (face === 'whole') return laid;
  const whole = ['conditions', 'rules', 'bypass_actors', 'current_user_can_bypass'];
  return Object.fromEntries(Object.entries(laid).filter(([key]) => !whole.includes(key)));
};

/** A classic rule, as `branch_protection_rule` events carry it. */
export const protectionRuleJson = (state: State, rule: Protection): Json =>
  layOverRecord(
    {
      id: rule.id,
      repository_id: state.repo.id,
      name: rule.pattern,
      created_at: iso(rule.createdAt),
      updated_at: iso(rule.updatedAt),
      pull_request_reviews_enforcement_level: 'everyone',
      required_approving_review_count: 1,
      dismiss_stale_reviews_on_push: false,
      require_code_owner_review: false,
      authorized_dismissal_actors_only: false,
      ignore_approvals_from_contributors: false,
      require_last_push_approval: false,
      required_status_checks: [],
      required_status_checks_enforcement_level: 'off',
      strict_required_status_checks_policy: false,
      signature_requirement_enforcement_level: 'off',
      linear_history_requirement_enforcement_level: 'off',
      admin_enforced: false,
      create_protected: false,
      allow_force_pushes_enforcement_level: 'off',
      allow_deletions_enforcement_level: 'off',
      merge_queue_enforcement_level: 'off',
      required_deployments_enforcement_level: 'off',
      required_conversation_resolution_level: 'off',
      authorized_actors_only: false,
      authorized_actor_names: [],
      lock_branch_enforcement_level: 'off',
      lock_allows_fork_sync: false,
    },
    rule.overlay,
  );
