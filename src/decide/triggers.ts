/** Rules, and the deliveries that can change their answer: `event` alone, or `event.action`. */
const TRIGGERS = {
  'pull-check': [
    'pull_request.opened',
    'pull_request.reopened',
    'pull_request.ready_for_review',
    'pull_request.synchronize',
    'pull_request.edited',
    'pull_request.closed',
    'pull_request_review.submitted',
    'pull_request_review.edited',
    'pull_request_review.dismissed',
    'check_run.rerequested',
    'check_suite.rerequested',
    'merge_group.checks_requested',
  ],
  merges: ['pull_request.closed', 'pull_request.auto_merge_enabled', 'pull_request.enqueued'],
  reviews: ['pull_request_review.submitted', 'pull_request_review.dismissed'],
  pushes: ['push', 'delete'],
  tags: ['push', 'create', 'delete'],
  releases: [
    'release.published',
    'release.released',
    'release.prereleased',
    'release.edited',
    'release.unpublished',
    'release.deleted',
  ],
  issues: ['issues.closed'],
  protection: [
    'repository_ruleset.created',
    'repository_ruleset.edited',
    'repository_ruleset.deleted',
    'branch_protection_rule.created',
    'branch_protection_rule.edited',
    'branch_protection_rule.deleted',
    'branch_protection_configuration.enabled',
    'branch_protection_configuration.disabled',
    'deploy_key.created',
    'repository.edited',
    'member.added',
    'member.edited',
  ],
} as const;

export type Rule = keyof typeof TRIGGERS;

const RULES_BY_EVENT: ReadonlyMap<string, readonly Rule[]> = (() => {
  const map = new Map<string, Rule[]>();
  for (const rule of Object.keys(TRIGGERS) as Rule[]) {
    for (const event of TRIGGERS[rule]) map.set(event, [...(map.get(event) ?? []), rule]);
  }
  return map;
})();

/** The rules an event can trigger, by its name and action alone. None: the delivery ends here and costs nothing. */
export function rulesFor(name: string, action: string | null): readonly Rule[] {
  return RULES_BY_EVENT.get(action === null ? name : `${name}.${action}`) ?? [];
}

/** Every event name a rule listens to: what the App must be subscribed to. */
export const triggeringEvents = (): readonly string[] =>
  [...new Set([...RULES_BY_EVENT.keys()].map((event) => event.split('.')[0] ?? event))].sort();
