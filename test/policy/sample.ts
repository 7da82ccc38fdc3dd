/** Every key there is, each with a value that is allowed: the sample of docs/policy.md. */
export const SAMPLE = `version: 1
mode: enforce
merge: pr
on-evidence: note
agents:
  claude: {}
  coder:
    apps: [1001]
    accounts: [9003, fws-coder]
    deploy-keys: [55]
    shared: false
    merge: merge
    on-evidence: gate
    acts: { release.publish: allow }
trunk: [main, "release/*"]
acts:
  push.force: own
people:
  approvals: 1
  approvers: ["@acme/platform", otto]
  gated: false
protected-paths: [".github/**", "**/CODEOWNERS", "**/AGENTS.md", "**/CLAUDE.md"]
automation: [dependabot, renovate]
unknown-bots: none
limits: { open-pulls: 10, pulls-per-hour: 10, merges-per-day: unlimited }
runs: { workflows: [".github/workflows/agent.yml"], quiet: 45m, max: 6h, steps: 500, on-stuck: report, ladder: true }
enforce: { with: rulesets }
remedies: { restore-ruleset: true, disarm-auto-merge: true, backup-refs: true, revert-pull: propose, reopen-issue: true, suspend: true }
escalate: { labels: [needs-human], assignees: [mara], mention: "@acme/platform", repository: acme/ops }
report: weekly
advise: off
preset: team
`;

export const ORG_SAMPLE = `${SAMPLE}override: tighten
repositories: { include: ["web-*"], exclude: [web-old] }
`;

export const NAMES = [
  'claude',
  'copilot',
  'codex',
  'cursor',
  'devin',
  'dependabot',
  'renovate',
  'github-actions',
];
