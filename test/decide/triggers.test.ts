import { describe, expect, test } from '@jest/globals';
import { rulesFor, triggeringEvents } from '../../src/decide/triggers.js';

describe('what triggers a rule', () => {
  test.each([
    ['pull_request', 'opened', ['pull-check']],
    ['pull_request', 'closed', ['pull-check', 'merges']],
    ['pull_request', 'enqueued', ['merges']],
    ['pull_request_review', 'dismissed', ['pull-check', 'reviews']],
    ['push', null, ['pushes', 'tags']],
    ['create', null, ['tags']],
    ['delete', null, ['pushes', 'tags']],
    ['release', 'published', ['releases']],
    ['issues', 'closed', ['issues']],
    ['member', 'added', ['protection']],
    ['merge_group', 'checks_requested', ['pull-check']],
  ])('%s.%s -> %j', (name, action, rules) => {
    expect(rulesFor(name, action)).toEqual(rules);
  });

  test.each([
    ['star', 'created'],
    ['pull_request', 'labeled'],
    ['pull_request', null],
    ['issues', 'opened'],
    ['release', 'created'],
    ['push', 'opened'],
    ['__proto__', null],
    ['', ''],
  ])('%s.%s -> none: the delivery ends there', (name, action) => {
    expect(rulesFor(name, action)).toEqual([]);
  });
});

test('the App subscribes to each event once, without actions', () => {
  const events = triggeringEvents();
  expect(events).toEqual([...new Set(events)].sort());
  expect(events).toContain('push');
  expect(events.some((event) => event.includes('.'))).toBe(false);
});
