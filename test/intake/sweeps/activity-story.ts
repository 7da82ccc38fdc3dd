export const POLICY = `
policy: |
  version: 1
  merge: pr
  agents: { alpha: { apps: [1001], accounts: [9001] } }
  escalate: { assignees: [mara] }
`;

/** Two PRs, one of them an agent's, and what happens to them. */
export const story = (events: string, world = ''): string => `
id: SWEEP
title: What no webhook tells
${POLICY}
world:
  branches:
    alpha/old: { sha: o1, by: [alpha, rae] }
  pulls:
    282: { author: rae, base: main, head: rae/docs, sha: h0 }
    283: { author: alpha, base: main, head: staging, sha: h1 }
  checks:
    h1: [{ name: agent-policy, conclusion: action_required, app: 777 }]
${world}
events:
  - pull_request.opened: { by: rae, pull: 282 }
${events}
`;
