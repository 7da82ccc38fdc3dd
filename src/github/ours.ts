import type { Repository } from '../acts/act.js';
import type { EscalationKey } from '../decide/effects.js';
import { readMarker } from '../words/marker.js';
import { isRule } from '../words/row-shape.js';
import { type CommentFacts, type IssueFacts, openFacts } from '../words/sealed-facts.js';
import type { Client } from './client.js';
import { isOurs } from './perform-context.js';
import { keyText } from './port.js';
import * as shapes from './shapes.js';

/** What our own texts in a repository are found by. */
export interface OursContext {
  readonly client: Client;
  readonly repository: Repository;
  readonly app: { readonly botLogin: string };
  /** All of them are accepted. */
  readonly markerSecrets: readonly [string, ...string[]];
}

/** An escalation's issue as GitHub has it. */
export interface OurIssue {
  readonly key: EscalationKey;
  readonly number: number;
  readonly state: 'open' | 'closed';
  readonly body: string;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  readonly closedAt: string | null;
  /** null: somebody else's edit made it unreadable. */
  readonly facts: IssueFacts | null;
}

export interface OurComment {
  readonly id: number;
  readonly body: string;
  readonly facts: CommentFacts | null;
  /** What `facts` were read from, for `contentHash`; null where there are none. */
  readonly sealed: { readonly line: string; readonly json: string } | null;
}

/** Our texts in one repository, by creator and by seal. */
export interface Ours {
  /** Issues of escalations, in any state, newest first. All pages. */
  issues(): Promise<readonly OurIssue[]>;
  /** Our comment on a PR or issue: the oldest, should there be two. All pages. */
  comment(number: number): Promise<OurComment | null>;
}

/** The id in the marker of our comment: of this repository and this number, so that a copy elsewhere is not ours. */
export const commentMarkerId = (repositoryId: number, number: number): string => `${repositoryId}/${number}`;

/** The id in the marker of an escalation's issue: of this repository, so that an issue moved here is not ours. */
export const escalationMarkerId = (repositoryId: number, key: EscalationKey): string =>
  `${repositoryId}/${keyText(key)}`;

/** `1/merge-level:alpha:main`. No name of an agent and no login holds a colon; a branch may. */
const keyOf = (id: string, repositoryId: number): EscalationKey | null => {
  const [, repository, rule = '', agent = '', subject = ''] =
    /^(\d+)\/([a-z-]+):([^:]+):(.*)$/s.exec(id) ?? [];
  return repository === String(repositoryId) && isRule(rule) ? { rule, agent, subject } : null;
};

export const createOurs = (context: OursContext): Ours => {
  const { client, repository, app, markerSecrets } = context;
  const at = { owner: repository.owner, repo: repository.name };

  return {
    async issues() {
      const all = await client.list(
        'GET /repos/{owner}/{repo}/issues',
        { ...at, creator: app.botLogin, state: 'all' },
        shapes.datedIssue,
      );
      return all.flatMap((issue): OurIssue[] => {
        if (issue.isPull || !isOurs(context, issue.author.login)) return [];
        const { number, state, body, createdAt, closedAt } = issue;
        const marker = readMarker(body, markerSecrets);
        const key = marker?.kind === 'issue' ? keyOf(marker.id, repository.id) : null;
        if (marker === null || key === null) return [];
        const facts = openFacts('issue', marker.id, body, markerSecrets)?.facts ?? null;
        return [{ key, number, state, body, createdAt, closedAt, facts }];
      });
    },

    async comment(number) {
      const all = await client.list(
        'GET /repos/{owner}/{repo}/issues/{issue_number}/comments',
        { ...at, issue_number: number },
        shapes.comment,
      );
      const id = commentMarkerId(repository.id, number);
      const ours = all.find((comment) => {
        if (!isOurs(context, comment.user.login)) return false;
        const marker = readMarker(comment.body, markerSecrets);
        return marker?.kind === 'comment' && marker.id === id;
      });
      if (ours === undefined) return null;
      const sealed = openFacts('comment', id, ours.body, markerSecrets);
      return { id: ours.id, body: ours.body, facts: sealed?.facts ?? null, sealed };
    },
  };
};

/** Milliseconds: an issue closed longer ago than seven days is history, and a new one is opened. */
const REOPEN_WITHIN = 7 * 24 * 60 * 60 * 1000;

/** Whether an issue closed then would be opened again. `now`: milliseconds since 1970, UTC. */
export const isRecent = (closedAt: string, now: number): boolean =>
  now - Date.parse(closedAt) <= REOPEN_WITHIN;

/** The issue that goes on with a key: the open one, else the one closed last within seven days. */
export const latestOf = (issues: readonly OurIssue[], key: EscalationKey, now: number): OurIssue | null => {
  const [first] = issues
    .filter((issue) => keyText(issue.key) === keyText(key))
    .sort((a, b) => Number(b.state === 'open') - Number(a.state === 'open') || b.number - a.number);
  if (first === undefined) return null;
  const usable = first.state === 'open' || (first.closedAt !== null && isRecent(first.closedAt, now));
  return usable ? first : null;
};
