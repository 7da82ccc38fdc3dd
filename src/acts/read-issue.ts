import type { Act } from './act.js';
import { type Delivery, parsePayload } from './payload.js';

/** `issues.closed`; closing a PR comes as `pull_request.closed` and is no act. */
export function readIssue(delivery: Delivery): readonly Act[] {
  const payload = parsePayload('issues', delivery.payload);
  if (payload?.sender == null || payload.action !== 'closed') return [];
  return [
    {
      kind: 'issue.close',
      key: `issue.close:${payload.issue.number}:${delivery.id}`,
      telling: 'issues.closed',
      pair: false,
      actor: payload.sender,
      issue: payload.issue.number,
      author: payload.issue.user,
      closedAt: payload.issue.closed_at,
    },
  ];
}

/** `Fixes #12`, `closes: acme/widgets#12`, `resolved https://github.com/acme/widgets/issues/12`. */
const CLOSING =
  /\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):?[ \t]+(?:([\w.-]+\/[\w.-]+)?#(\d{1,10})|https?:\/\/[\w.:-]+\/([\w.-]+\/[\w.-]+)\/issues\/(\d{1,10}))\b/gi;

/** The issues of `repository` (`owner/name`) that a PR's body names with GitHub's closing keywords. */
export function closedByKeyword(body: string, repository: string): readonly number[] {
  const numbers = new Set<number>();
  for (const match of body.matchAll(CLOSING)) {
    const named = match[1] ?? match[3] ?? repository;
    if (named.toLowerCase() === repository.toLowerCase()) numbers.add(Number(match[2] ?? match[4]));
  }
  return [...numbers];
}
