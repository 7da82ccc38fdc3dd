import type { Pull, State } from '../../sandbox/state.js';

/** A table of ours on GitHub: its rows as they are written, and how many more it says there are. */
export interface SeenTable {
  readonly number: number;
  readonly rows: readonly string[];
  readonly more: number;
}

export interface SeenIssue extends SeenTable {
  /** RULE:AGENT:SUBJECT, out of the hidden marker. */
  readonly key: string;
  readonly state: 'open' | 'closed';
}

/** What stands on GitHub in one repository, as anybody could read it there. */
export interface Seen {
  readonly issues: readonly SeenIssue[];
  readonly comments: readonly SeenTable[];
  /** Conclusions and texts of our check runs by head, oldest first. */
  readonly checks: ReadonlyMap<string, readonly { readonly conclusion: string; readonly text: string }[]>;
  /** Commits that backup refs of ours keep. */
  readonly backups: readonly string[];
  /** Merged PRs that a draft of ours reverts, once for each draft. */
  readonly reverts: readonly number[];
  /** PRs that merge by themselves as soon as they may. */
  readonly armed: readonly number[];
  /** Numbers of people's issues that are closed. */
  readonly closed: readonly number[];
}

const ISSUE_MARKER = /^<!-- agent-policy:issue:([\w-]+):[0-9a-f]{32} -->$/m;
const RULE_LINE = /^\|[-|\s:]+\|$/;
const BACKUP = 'agent-policy-backup/';

const keyOf = (body: string): string => {
  const encoded = ISSUE_MARKER.exec(body)?.[1] ?? '';
  return Buffer.from(encoded, 'base64url')
    .toString()
    .replace(/^\d+\//, '');
};

const tableOf = (number: number, body: string): SeenTable => {
  const lines = body.split('\n');
  const start = lines.findIndex((line) => RULE_LINE.test(line)) + 1;
  const rows = start === 0 ? [] : lines.slice(start);
  const end = rows.findIndex((line) => !line.startsWith('|'));
  const counts = [...body.matchAll(/(\d+) more (?:is|are) left out/g), ...body.matchAll(/And (\d+) more,/g)];
  return {
    number,
    rows: end === -1 ? rows : rows.slice(0, end),
    more: counts.reduce((sum, [, count]) => sum + Number(count), 0),
  };
};

/** `revert-12-pull-12` is the branch GitHub gives a revert of #12. */
const revertedBy = ({ head }: Pull): number => Number(/^revert-(\d+)-/.exec(head)?.[1] ?? Number.NaN);

export const look = (state: State): Seen => {
  const us = state.accounts.ourApp;
  const checks = new Map<string, { conclusion: string; text: string }[]>();
  for (const { sha, app, conclusion, title, summary, text } of state.checks) {
    if (app !== state.appId) continue;
    const run = { conclusion: conclusion ?? '', text: JSON.stringify([title, summary, text]) };
    checks.set(sha, [...(checks.get(sha) ?? []), run]);
  }
  const pulls = [...state.pulls].filter(({ exists }) => exists);
  return {
    issues: [...state.issues.values()]
      .filter(({ author }) => author === us)
      .map((issue) => ({ ...tableOf(issue.number, issue.body), key: keyOf(issue.body), state: issue.state })),
    comments: [...state.comments].filter(({ by }) => by === us).map(({ on, body }) => tableOf(on, body)),
    checks,
    backups: [...state.branches].filter(([name]) => name.startsWith(BACKUP)).map(([, sha]) => sha),
    reverts: pulls.filter(({ author }) => author === us).map(revertedBy),
    armed: pulls.filter(({ autoMerge }) => autoMerge !== null).map((pull) => pull.number),
    closed: [...state.issues.values()]
      .filter((issue) => issue.author !== us && issue.state === 'closed')
      .map((issue) => issue.number),
  };
};
