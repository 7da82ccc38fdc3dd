import type { Json } from '../records.js';
import { issueJson, pullAsIssueJson } from '../shapes/issue.js';
import type { State } from '../state.js';
import { type Answer, type Call, invalid } from './answer.js';
import { pullAt } from './resolve.js';

/** The longest body GitHub documents for comments and issues, in characters. */
const LONGEST_BODY = 65_536;

/** 422 for a body that is too long for GitHub; undefined when it is not. */
export const tooLong = (resource: string, body: unknown): Answer | undefined =>
  typeof body === 'string' && body.length > LONGEST_BODY
    ? invalid(resource, 'body', `body is too long (maximum is ${LONGEST_BODY} characters)`)
    : undefined;

/** An issue, or a PR in the shape of one; undefined when there is neither. */
export const threadJson = (state: State, number: number): Json | undefined => {
  const issue = state.issues.get(number);
  if (issue !== undefined) return issueJson(state, issue);
  const pull = pullAt(state, String(number));
  return pull === undefined ? undefined : pullAsIssueJson(state, pull);
};

export const issueNumberOf = (call: Call): number => Number(call.params['issue_number']);
