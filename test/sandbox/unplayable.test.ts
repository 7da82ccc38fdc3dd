import { describe, expect, test } from '@jest/globals';
import { CaseError, Unplayable } from '../../src/sandbox/case-error.js';
import type { CaseEvent } from '../../src/sandbox/case.js';
import { sandboxOf } from './cases.js';

type Deliver = Extract<CaseEvent, { kind: 'deliver' }>;

const EVENTS: readonly (readonly [string, Deliver, RegExp])[] = [
  ['a push that says no tip', event('push', null, { ref: 'main' }), /a push to main needs after/],
  ['an event without its PR', event('pull_request', 'closed', {}), /needs pull/],
  ['an issue event without its issue', event('issues', 'closed', { issue: 'x' }), /needs issue/],
  ['a run without its number', event('workflow_run', 'completed', {}), /needs run/],
  ['a merge group of nothing', event('merge_group', 'checks_requested', { pulls: [] }), /needs pulls/],
  ['a webhook GitHub may know', event('fork', null, {}), /plays no fork/],
  ['a PR action GitHub may know', event('pull_request', 'milestoned', { pull: 1 }), /milestoned/],
  ['an issue action GitHub may know', event('issues', 'pinned', { issue: 1 }), /pinned/],
];

function event(name: string, action: string | null, keys: Deliver['keys']): Deliver {
  return { kind: 'deliver', title: action === null ? name : `${name}.${action}`, name, action, keys };
}

const thrownBy = (work: () => unknown): unknown => {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('it was played');
};

describe('an event that cannot be played', () => {
  test.each(EVENTS)('%s -> a fault at the place of the event', (_, given, problem) => {
    const position = { file: 'x.yml', line: 7, column: 5 };
    const error = thrownBy(() => sandboxOf().sandbox.deliverAll({ ...given, position }, 0));
    expect(error).toBeInstanceOf(CaseError);
    expect(error).toMatchObject({ ...position, problem: expect.stringMatching(problem) });
    expect((error as CaseError).hint).not.toBe('');
  });

  test.each(EVENTS)('%s, read from no file -> what is wrong, without a place', (_, given, problem) => {
    const error = thrownBy(() => sandboxOf().sandbox.deliverAll(given, 0));
    expect(error).toBeInstanceOf(Unplayable);
    expect((error as Unplayable).problem).toMatch(problem);
  });

  test('a world with a row of no known type', () => {
    const world = { activity: [{ activity_type: 'tea' }] };
    expect(thrownBy(() => sandboxOf({ world }))).toBeInstanceOf(Unplayable);
  });
});

describe('a label in a URL', () => {
  const made = async (name: string): Promise<Record<string, unknown>> => {
    const { sandbox } = sandboxOf();
    const init = { method: 'POST', body: JSON.stringify({ name }) };
    const answer = await sandbox.fetch('https://api.github.com/repos/acme/widgets/labels', init);
    return (await answer.json()) as Record<string, unknown>;
  };
  test('is encoded', async () => {
    expect((await made('a b/ü😀'))['url']).toMatch(/\/labels\/a%20b%2F%C3%BC%F0%9F%98%80$/);
  });
  test('half of a character in it throws nothing', async () => {
    expect(await made('x\ud800')).toMatchObject({
      name: 'x\ud800',
      url: expect.stringMatching(/\/labels\/x%EF%BF%BD$/),
    });
  });
});
