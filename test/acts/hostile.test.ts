import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { envelopeOf } from '../../src/acts/payload.js';
import { ACT_KINDS } from '../../src/acts/act.js';
import { readActs } from '../../src/acts/read.js';
import { READING, delivery, merged, push } from './deliveries.js';

const NAMES = [
  'pull_request',
  'pull_request_review',
  'push',
  'create',
  'delete',
  'release',
  'issues',
  'repository_ruleset',
  'branch_protection_rule',
  'branch_protection_configuration',
  'deploy_key',
  'repository',
  'member',
  'ping',
  '__proto__',
];

const ACTIONS = [
  'opened',
  'closed',
  'submitted',
  'dismissed',
  'published',
  'edited',
  'deleted',
  'created',
  'added',
];

/** Good payloads of every event, to be broken one place at a time. */
const GOOD: readonly (readonly [string, object])[] = [
  ['pull_request', { action: 'closed', pull_request: merged() }],
  ['pull_request', { action: 'enqueued', pull_request: merged() }],
  [
    'pull_request_review',
    {
      action: 'dismissed',
      pull_request: { number: 1 },
      review: { id: 1, state: 'dismissed', user: { id: 1, login: 'a' } },
    },
  ],
  ['push', push({ forced: true })],
  ['delete', { ref: 'v1', ref_type: 'tag' }],
  ['release', { action: 'published', release: { id: 5, tag_name: 'v1' } }],
  ['issues', { action: 'closed', issue: { number: 12, user: { id: 1, login: 'a' } } }],
  ['repository_ruleset', { action: 'edited', repository_ruleset: { id: 1, name: 'x' } }],
  ['deploy_key', { action: 'created', key: { id: 1, read_only: false } }],
  ['member', { action: 'added', member: { id: 1, login: 'a' }, changes: { role_name: { to: 'admin' } } }],
  ['repository', { action: 'edited', changes: { default_branch: { from: 'x' } } }],
];

type Path = readonly (string | number)[];

function pathsOf(value: unknown, at: Path = []): readonly Path[] {
  if (typeof value !== 'object' || value === null) return [at];
  return [at, ...Object.entries(value).flatMap(([key, inner]) => pathsOf(inner, [...at, key]))];
}

function replaced(value: unknown, path: Path, by: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return by;
  if (Array.isArray(value))
    return value.map((inner: unknown, index) => (String(index) === key ? replaced(inner, rest, by) : inner));
  const entries = Object.entries(value as object);
  return Object.fromEntries(
    entries.map(([name, inner]) => [name, name === key ? replaced(inner, rest, by) : inner]),
  );
}

const isGood = (told: ReturnType<typeof delivery>): boolean =>
  readActs(told, READING).every(
    ({ kind, key, actor }) => ACT_KINDS.includes(kind) && key !== '' && Number.isFinite(actor.id),
  );

describe('payloads that are not as GitHub says', () => {
  test('any JSON under any event name: no exception', () => {
    fc.assert(
      fc.property(fc.constantFrom(...NAMES), fc.jsonValue(), (name, payload) => {
        const told = { id: 'guid-1', name, payload };
        expect(() => readActs(told, READING)).not.toThrow();
        expect(() => envelopeOf(told)).not.toThrow();
      }),
      { numRuns: 500 },
    );
  });

  test('any JSON beside a good envelope: acts are of a known kind, or none', () => {
    const body = fc.dictionary(
      fc.constantFrom(
        'pull_request',
        'review',
        'ref',
        'before',
        'after',
        'ref_type',
        'release',
        'issue',
        'key',
      ),
      fc.jsonValue(),
    );
    fc.assert(
      fc.property(fc.constantFrom(...NAMES), fc.constantFrom(...ACTIONS), body, (name, action, payload) => {
        expect(isGood(delivery(name, { action, ...payload }))).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  test.each(GOOD)('%s tells an act, and with any one place broken none or a good one', (name, payload) => {
    const whole = delivery(name, payload as Record<string, unknown>);
    expect(readActs(whole, READING).length).toBeGreaterThan(0);
    for (const path of pathsOf(whole.payload)) {
      for (const by of [null, undefined, 'x', 7, true, [], {}, [null], { id: 'x' }]) {
        expect(isGood({ ...whole, payload: replaced(whole.payload, path, by) })).toBe(true);
      }
    }
  });

  test.each(GOOD)('%s without a sender tells no act', (name, payload) => {
    for (const sender of [null, undefined])
      expect(readActs(delivery(name, { ...payload, sender }), READING)).toEqual([]);
  });
});

describe('the envelope', () => {
  const told = { action: 'opened', installation: { id: 3 } };

  test('says action, sender, repository and installation', () => {
    expect(envelopeOf(delivery('issues', told))).toEqual({
      action: 'opened',
      sender: { id: 9001, login: 'alpha-agent[bot]', type: 'Bot' },
      repository: {
        id: 1,
        owner: 'acme',
        ownerType: 'Organization',
        name: 'widgets',
        defaultBranch: 'main',
        private: false,
      },
      installation: 3,
    });
  });

  test('without a sender it says the rest', () => {
    expect(envelopeOf(delivery('push', { ...told, sender: undefined }))).toMatchObject({
      action: 'opened',
      sender: null,
      repository: { id: 1 },
      installation: 3,
    });
  });

  test('the owner of a push has a name where others have a login', () => {
    const repository = { id: 1, name: 'widgets', owner: { name: 'otto' } };
    expect(envelopeOf(delivery('push', { repository })).repository).toMatchObject({
      owner: 'otto',
      ownerType: 'User',
    });
  });

  test.each([null, 7, 'text', [], undefined])('a payload that is %j has an empty one', (payload) => {
    expect(envelopeOf({ id: 'guid-1', name: 'push', payload })).toEqual({
      action: null,
      sender: null,
      repository: null,
      installation: null,
    });
  });
});
