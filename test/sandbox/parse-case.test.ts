import { describe, expect, test } from '@jest/globals';
import { CaseError } from '../../src/sandbox/case-error.js';
import type { Case } from '../../src/sandbox/case.js';
import { DEFAULT_POLICY, parseCase } from '../../src/sandbox/parse-case.js';
import { keysOf, repetitionsOf } from '../../src/sandbox/parse-event.js';
import { allCases } from './cases.js';

const HEAD = 'id: X\ntitle: t\n';
const one = (text: string, index = 0): Case => {
  const found = parseCase(HEAD + text, 'x.yml')[index];
  if (found === undefined) throw new Error(`no case ${index}`);
  return found;
};

const faultOf = (text: string): CaseError => {
  try {
    parseCase(text, 'x.yml');
  } catch (error) {
    if (error instanceof CaseError) return error;
    throw error;
  }
  throw new Error('it parsed');
};

describe('the cases of this project', () => {
  test('all of them parse, with every variant', () => {
    const cases = allCases();
    expect(cases.filter((found) => found.variant === null)).toHaveLength(31);
    expect(cases.filter((found) => found.variant !== null)).toHaveLength(145);
  });
});

describe('what a variant takes from its case', () => {
  const TEXT = `
policy: "version: 1"
org_policy: "merge: none"
world: { pulls: { 1: { author: alpha, files: [a, b] }, 2: { author: rae } }, branches: { x: { sha: x1 } } }
events: [restart]
expect: { 1: [suspend alpha] }
text_never: [secret]
variants:
  - { name: world, world: { pulls: { 1: { files: [c] }, 2: null }, rulesets: null } }
  - { name: none, policy: null }
  - { name: own, policy: "version: 2", org_policy: null, events: [restart, restart], expect: { 2: [] }, text_never: [more] }
`;
  test('its world is laid over deeply, lists replace lists, null takes away', () => {
    expect(one(TEXT, 1).world).toEqual({
      pulls: { 1: { author: 'alpha', files: ['c'] }, 2: null },
      branches: { x: { sha: 'x1' } },
      rulesets: null,
      org_policy: 'merge: none',
    });
  });
  test('policy, events and expect are the case’s unless it has its own', () => {
    expect(one(TEXT, 1)).toMatchObject({
      policy: 'version: 1',
      expect: { 1: ['suspend alpha'] },
      variant: 'world',
    });
    expect(one(TEXT, 3)).toMatchObject({
      policy: 'version: 2',
      expect: { 2: [] },
      world: { org_policy: null },
    });
    expect(one(TEXT, 3).events).toHaveLength(2);
  });
  test('policy: null is no file, no policy at all is the default one', () => {
    expect(one(TEXT, 2).policy).toBeNull();
    expect(one('events: [restart]\n').policy).toBe(DEFAULT_POLICY);
  });
  test('what no text may contain is inherited and added to', () => {
    expect(one(TEXT, 1).textNever).toEqual(['secret']);
    expect(one(TEXT, 3).textNever).toEqual(['secret', 'more']);
  });
});

describe('events', () => {
  const events = one(`
events:
  - pull_request.opened: { by: alpha, pull: 1, repeat_for: [1, 2] }
  - issue_comment.created: { on: 1, alternate: [alpha, beta], times: 3 }
  - redeliver: 1
  - tick: 1h30m
  - restart
  - restart: { why: both spellings }
  - push: { ref: main, after: 12 }
`).events;
  test('each kind is told apart', () => {
    expect(events.map((event) => [event.kind, event.title])).toEqual([
      ['deliver', 'pull_request.opened'],
      ['deliver', 'issue_comment.created'],
      ['redeliver', 'redeliver 1'],
      ['tick', 'tick 1h30m'],
      ['restart', 'restart'],
      ['restart', 'restart'],
      ['deliver', 'push'],
    ]);
    expect(events[3]).toMatchObject({ ms: 5_400_000 });
  });
  test('repeat_for fills the key that holds its first value, alternate fills by', () => {
    const [opened, talked] = events;
    if (opened?.kind !== 'deliver' || talked?.kind !== 'deliver') throw new Error('not deliveries');
    expect([repetitionsOf(opened), keysOf(opened, 1)['pull']]).toEqual([2, 2]);
    expect([0, 1, 2].map((n) => keysOf(talked, n)['by'])).toEqual(['alpha', 'beta', 'alpha']);
    expect(repetitionsOf(talked)).toBe(3);
  });
  test('a sha that looks like a number is a name', () => {
    const push = events[6];
    if (push?.kind !== 'deliver') throw new Error('no delivery');
    expect(push.keys['after']).toBe('12');
  });
});

describe('a file that is not a case says where and what to do', () => {
  const TABLE: readonly (readonly [string, string, string, RegExp])[] = [
    ['no YAML', 'id: [', '1:6', /YAML/],
    ['a key twice', `${HEAD}id: Y\nevents: [restart]\n`, '3:1', /unique/],
    ['no title', 'id: X\nevents: [restart]\n', '1:1', /"title" is missing/],
    ['no events', HEAD, '1:1', /"events" is missing/],
    ['an empty list of events', `${HEAD}events: []\n`, '3:9', /events/],
    ['an unknown key', `${HEAD}wrld: {}\nevents: [restart]\n`, '3:1', /did you mean "world"/],
    [
      'an unknown key of the world',
      `${HEAD}world: { pull: {} }\nevents: [restart]\n`,
      '3:10',
      /did you mean "pulls"/,
    ],
    [
      'an unknown key of a PR',
      `${HEAD}world: { pulls: { 1: { autor: x } } }\nevents: [restart]\n`,
      '3:24',
      /did you mean "author"/,
    ],
    ['a PR without a number', `${HEAD}world: { pulls: { x: {} } }\nevents: [restart]\n`, '3:22', /number/],
    [
      'an unknown event',
      `${HEAD}events:\n  - pul_request.opened: { pull: 1 }\n`,
      '4:5',
      /did you mean "pull_request.opened"/,
    ],
    [
      'an unknown action',
      `${HEAD}events:\n  - pull_request.openned: { pull: 1 }\n`,
      '4:5',
      /did you mean "pull_request.opened"/,
    ],
    [
      'an event without its action',
      `${HEAD}events:\n  - pull_request: { pull: 1 }\n`,
      '4:5',
      /unknown event/,
    ],
    [
      'an unknown key of an event',
      `${HEAD}events:\n  - push: { ref: main, byy: x }\n`,
      '4:24',
      /did you mean "by"/,
    ],
    [
      'an event without what it is about',
      `${HEAD}events:\n  - pull_request.opened: { by: x }\n`,
      '4:26',
      /pull" is missing/,
    ],
    ['a bare word', `${HEAD}events: [push]\n`, '3:10', /push/],
    ['two events in one', `${HEAD}events:\n  - { push: { ref: x }, tick: 1s }\n`, '4:5', /one name/],
    ['a time that is none', `${HEAD}events:\n  - push: { ref: x, after: y, at: soon }\n`, '4:35', /no time/],
    ['a tick that is none', `${HEAD}events:\n  - tick: soon\n`, '4:11', /duration/],
    ['a redelivery of what comes later', `${HEAD}events:\n  - redeliver: 1\n`, '4:5', /not before/],
    ['a redelivery of no delivery', `${HEAD}events:\n  - restart\n  - redeliver: 1\n`, '5:5', /no delivery/],
    [
      'a repetition that fills nothing',
      `${HEAD}events:\n  - pull_request.opened: { pull: 1, repeat_for: [2, 3] }\n`,
      '4:37',
      /fills/,
    ],
    ['an expectation of no event', `${HEAD}events: [restart]\nexpect: { 2: [] }\n`, '4:11', /no event 2/],
    [
      'an expectation that is no list',
      `${HEAD}events: [restart]\nexpect: { 1: nothing }\n`,
      '4:14',
      /expect/,
    ],
    [
      'an unknown key of a variant',
      `${HEAD}events: [restart]\nvariants: [{ name: v, evnts: [] }]\n`,
      '4:23',
      /did you mean "events"/,
    ],
    [
      'a failure that names no request',
      `${HEAD}world: { fail: [{ request: x, status: 502, times: 1 }] }\nevents: [restart]\n`,
      '3:28',
      /GET/,
    ],
    ['a push that says no tip', `${HEAD}events:\n  - push: { by: alpha, ref: main }\n`, '4:5', /needs after/],
    [
      'a push whose repetition says none',
      `${HEAD}events:\n  - push: { ref: refs/tags/a, repeat_for: [refs/tags/a, main] }\n`,
      '4:5',
      /main needs after/,
    ],
    [
      'a repetition that its key cannot hold',
      `${HEAD}events:\n  - pull_request.opened: { pull: 1, repeat_for: [1, x] }\n`,
      '4:53',
      /pull cannot be "x"/,
    ],
    [
      'a time before the event that precedes it',
      `${HEAD}events:\n  - tick: 1h\n  - push: { ref: x, after: y, at: "09:59:59" }\n`,
      '5:35',
      /only goes forward/,
    ],
    [
      'a time too far ahead',
      `${HEAD}events:\n  - push: { ref: x, after: y, at: "+999999999999999999d" }\n`,
      '4:35',
      /too far ahead/,
    ],
    [
      'repetitions that end too far ahead',
      `${HEAD}events:\n  - push: { ref: x, after: y, at: +37d, times: 1000 }\n`,
      '4:35',
      /too far ahead/,
    ],
    ['a tick too far ahead', `${HEAD}events:\n  - tick: 36501d\n`, '4:11', /too far ahead/],
    [
      'a time in a variant before the event that precedes it',
      `${HEAD}events: [restart]\nvariants:\n  - { name: v, events: [{ push: { ref: x, after: y, at: "08:00" } }] }\n`,
      '5:57',
      /only goes forward/,
    ],
    [
      'too many times',
      `${HEAD}events:\n  - push: { ref: x, after: y, times: 1001 }\n`,
      '4:38',
      /1000 deliver/,
    ],
    [
      'half of a character',
      `${HEAD}events:\n  - issues.labeled: { issue: 1, label: "\\ud800" }\n`,
      '4:40',
      /half/,
    ],
    ['half of a character in a title', 'id: X\ntitle: "a\\udc00"\nevents: [restart]\n', '2:8', /half/],
    [
      'half of a character in a key',
      `${HEAD}events: [restart]\nworld: { branches: { "\\ud800": {} } }\n`,
      '4:22',
      /half/,
    ],
    [
      'half of a character in a payload',
      `${HEAD}events:\n  - issues.opened: { issue: 1, payload: { issue: { a: ["\\ud800"] } } }\n`,
      '4:56',
      /half/,
    ],
    [
      'a number without end',
      `${HEAD}events:\n  - issues.opened: { issue: 1, payload: { n: .inf } }\n`,
      '4:46',
      /no number/,
    ],
    [
      'an issue beyond GitHub',
      `${HEAD}events:\n  - issues.opened: { issue: 2147483648 }\n`,
      '4:29',
      /larger/,
    ],
    [
      'a PR of the world beyond GitHub',
      `${HEAD}events: [restart]\nworld: { pulls: { 2147483648: {} } }\n`,
      '4:31',
      /larger/,
    ],
    [
      'a value that holds itself',
      `${HEAD}events:\n  - issues.opened: { issue: 1, payload: &a { issue: { x: *a } } }\n`,
      '4:58',
      /holds itself/,
    ],
    [
      'an activity of no known type',
      `${HEAD}events: [restart]\nworld: { activity: [{ activity_type: tea }] }\n`,
      '4:38',
      /activity_type/,
    ],
    ['a key that is a list', `${HEAD}events: [restart]\nworld: { ? [a] : b }\n`, '4:12', /a key is a word/],
  ];
  test.each(TABLE)('%s', (_, text, place, what) => {
    const fault = faultOf(text);
    expect(`${fault.line}:${fault.column}`).toBe(place);
    expect(fault.message).toMatch(what);
    expect(fault.message.startsWith(`x.yml:${place}: `)).toBe(true);
    expect(fault.hint).not.toBe('');
  });
});

test('a file nested without end is a fault of the file too', () => {
  const deep = `${HEAD}events: ${'['.repeat(20_000)}${']'.repeat(20_000)}\n`;
  expect(faultOf(deep)).toMatchObject({ file: 'x.yml', line: 3, problem: expect.stringMatching(/deep/) });
});

describe('what is just inside', () => {
  test.each([
    ['a tag without a tip', '  - push: { ref: refs/tags/v1 }'],
    ['a branch that goes', '  - push: { ref: x, deleted: true }'],
    ['a push that lists its commits', '  - push: { ref: x, commits: [{ sha: h1 }] }'],
    ['a thousand times', '  - push: { ref: x, after: y, times: 1000 }'],
    ['a hundred years', '  - tick: 36500d'],
    ['a time of day at the start', '  - push: { ref: x, after: y, at: "09:00" }'],
    ['the last number', '  - issues.opened: { issue: 2147483647 }'],
    ['a whole character', '  - issues.labeled: { issue: 1, label: "\\U0001F600" }'],
  ])('%s', (_, event) => {
    expect(one(`events:\n${event}\n`).events).toHaveLength(1);
  });

  test('every event knows where it stands', () => {
    const { events } = one('events:\n  - restart\n  - push: { ref: x, after: y }\n  - tick: 1s\n');
    expect(events.map(({ position }) => position)).toEqual([
      { file: 'x.yml', line: 4, column: 5 },
      { file: 'x.yml', line: 5, column: 5 },
      { file: 'x.yml', line: 6, column: 5 },
    ]);
  });

  test('null takes a key of a file of a PR away, as it does of the PR', () => {
    const text =
      'world: { pulls: { 1: { head: null, files: [{ path: a, was: null }, b] } } }\nevents: [restart]\n';
    expect(one(text).world).toEqual({ pulls: { 1: { files: [{ path: 'a' }, 'b'] } } });
  });
});
