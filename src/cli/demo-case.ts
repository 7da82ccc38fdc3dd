/**
 * Three merges in one unattended run: one agent, one objective that said "merge each before starting the next", and
 * nothing that had decided whether it may. The last merge also closes an issue that a person had opened.
 */
export const DEMO_CASE = `
id: DEMO
title: Three unattended merges
policy: |
  version: 1
  merge: pr
  agents:
    coder: { apps: [1001], accounts: [9001] }
  people: { approvals: 1, approvers: [otto, mara, rae] }
  escalate: { assignees: [mara] }
world:
  issues:
    82: { author: rae, state: open, title: One call for the status of all sessions }
  pulls:
    150: { author: alpha, base: main, head: alpha/uncommitted-work, sha: h150, title: Commit what was left in the working copy }
    151: { author: alpha, base: main, head: alpha/status-push, sha: h151, title: Push the status instead of polling for it }
    152: { author: alpha, base: main, head: alpha/session-status, sha: h152, title: One call for the status of all sessions, body: "Closes #82" }
events:
  - pull_request.opened: { by: alpha, pull: 150 }
  - pull_request.closed: { by: alpha, pull: 150, merged: m150, at: +11s }
  - push: { by: alpha, ref: main, before: m0, after: m150 }
  - pull_request.opened: { by: alpha, pull: 151, at: +14m }
  - pull_request.closed: { by: alpha, pull: 151, merged: m151, at: +9s }
  - push: { by: alpha, ref: main, before: m150, after: m151 }
  - pull_request.opened: { by: alpha, pull: 152, at: +22m }
  - pull_request.closed: { by: alpha, pull: 152, merged: m152, at: +12s }
  - issues.closed: { by: alpha, issue: 82, reason: completed }
  - push: { by: alpha, ref: main, before: m151, after: m152 }
`;
