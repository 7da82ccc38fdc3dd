/** Where the catalogue's facts come from. Each was read; none was taken from a list that gives no source. */
export const AIDEV =
  'AIDev-pop, 7,122 PRs by agents, Dec 2024 to Jun 2025 (github.com/SAILResearch/AI_Teammates_in_SE3)';
export const CLAUDE_ACTION =
  'github.com/anthropics/claude-code-action, src/github/constants.ts and create-initial.ts';
export const SURVEY_REGISTRY =
  'public survey of a package registry, rules of 2026-09-27, ids checked on the Users API';
export const SURVEY_IDS = 'public survey of 2026-07-17, every id checked again on the Users API';
export const AUDIT = 'public audit of commit identities, 2026-03-27';
export const DISCLOSURE = 'github.com/chaoss/disclosure, detection/constants.go';
export const AIBLAME = 'github.com/trinhbentre/aiblame, docs/DETECTION.md';
export const AITTRIBUTOR = 'github.com/block/aittributor, src/agent.rs';
export const FIXTURES = 'github.com/coderbuds/ai-detector, fixtures/cases.yml';
export const NODE_ID = 'GraphQL node id decoded (BOT_kgDO… is msgpack [0, id])';
export const WEBHOOK_EXAMPLES = '@octokit/webhooks-examples 7.6.1';
export const GH_AW = 'github.github.io/gh-aw/reference/footers';
export const DROID = 'public commits with the factory-droid trailer';
export const QUEUE_PAYLOAD = 'a recorded push of a merge queue (github.com/ahrefs/monorobot, mock_payloads)';
export const PUBLIC_COMMITS = 'many public commits';
