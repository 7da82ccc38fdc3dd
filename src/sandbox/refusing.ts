import type { Site } from './app/host.js';
import type { World } from './case.js';
import { failed } from './rest/answer.js';

/** `*` spans anything, `/` too. */
const wildcard = (pattern: string): RegExp =>
  new RegExp(
    `^${pattern
      .split('*')
      .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
      .join('.*')}$`,
  );

/** What a case says GitHub refuses, as often as it says. */
export const refusing = (fail: NonNullable<World['fail']>): Site['refuse'] => {
  const left = fail.map((rule) => ({ ...rule, pattern: wildcard(rule.request) }));
  return (request) => {
    const rule = left.find((candidate) => candidate.times > 0 && candidate.pattern.test(request));
    if (rule === undefined) return undefined;
    rule.times -= 1;
    const message = rule.status >= 500 ? 'Server Error' : 'Resource not accessible by integration';
    return { answer: failed(rule.status, message), done: rule.done === true };
  };
};
