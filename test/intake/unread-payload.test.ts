import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Octokit } from '@octokit/core';
import { compose } from '../../src/compose.js';
import { UNLIMITED } from '../../src/github/limits.js';
import { requireReadable, UnreadPayload } from '../../src/intake/unread-payload.js';
import { merged, pullRequest, push, REPOSITORY } from '../acts/deliveries.js';
import { createMachine, type Machine, NOW } from '../cli/machine.js';
import { emptyGitHub } from './empty-github.js';

const envelope = {
  repository: REPOSITORY,
  installation: { id: 1 },
  sender: { id: 13, login: 'rae', type: 'User' },
};

let machine: Machine;
beforeEach(() => {
  machine = createMachine();
});
afterEach(() => machine.remove());

/** Plays deliveries through the whole service; what the log was told of each. */
const play = (
  deliveries: readonly (readonly [name: string, payload: object])[],
): Promise<readonly string[]> =>
  machine.serve(async (store) => {
    const told: string[] = [];
    const octokit = new Octokit({ request: { fetch: emptyGitHub(null, null, []) } });
    const service = compose(
      {
        appId: 777,
        htmlUrl: 'https://github.com',
        operatorLevel: null,
        dryRun: false,
        killSwitch: false,
        markerSecrets: ['secret'],
        requestTimeout: 1_000,
        keepBodies: 1,
        keepActs: 1,
      },
      {
        store,
        octokit: () => Promise.resolve(octokit),
        now: () => NOW,
        sleep: () => Promise.resolve(),
        random: () => 1,
        limits: UNLIMITED,
        warn: () => undefined,
        audit: () => undefined,
        log: {
          done: ({ guid }) => told.push(`${guid} done`),
          failed: ({ guid }, { kind, why }, next) => told.push(`${guid} ${kind} ${next}: ${why}`),
          store: () => undefined,
          waits: () => undefined,
          pruned: () => undefined,
          sweep: () => undefined,
        },
      },
    );
    await service.start();
    for (const [at, [name, payload]] of deliveries.entries())
      await service.accept({ guid: `d${at}`, name, body: Buffer.from(JSON.stringify(payload)) });
    await service.idle();
    return [...told].sort();
  });

const HEADLESS = {
  action: 'closed',
  ...envelope,
  pull_request: { ...merged({ title: 'secret plans' }), head: null },
};

test('a delivery that is listened to and cannot be read is a dead letter, and people hear of it', async () => {
  expect(await play([['pull_request', HEADLESS]])).toEqual([
    'd0 unreadable dead: an act may have been missed: this pull_request.closed cannot be read, since pull_request.head is missing or not as GitHub documents it',
  ]);
  const list = await machine.run('deliveries', 'list', '--state', 'dead');
  expect(list.out).toContain('this pull_request.closed cannot be read, since pull_request.head is missing');
  const show = await machine.run('deliveries', 'show', 'd0');
  expect(show.out).toMatch(/state +dead\n/);
  expect(show.out).toMatch(
    /failed last +an act may have been missed: this pull_request.closed cannot be read/,
  );
  expect(show.out + list.out).not.toContain('secret plans');
});

test('one that names no repository, no owner of it, or no ref that is text', async () => {
  expect(
    await play([
      ['push', { ...envelope, ...push(), repository: undefined }],
      ['push', { ...envelope, ...push(), repository: { id: 1, name: 'x' } }],
      ['push', { ...envelope, ...push({ ref: 5 }) }],
      ['push', { ...envelope, ...push() }],
    ]),
  ).toEqual([
    expect.stringContaining(
      'd0 unreadable dead: an act may have been missed: this push cannot be read, since repository is',
    ),
    expect.stringMatching(/^d1 unreadable dead: .* since repository\.owner is/),
    expect.stringMatching(/^d2 unreadable dead: .* since ref is/),
    'd3 done',
  ]);
});

test('where no rule listens it is done, whatever it holds', async () => {
  expect(
    await play([
      ['pull_request', { ...HEADLESS, action: 'labeled' }],
      ['issues', { action: 'opened', sender: 5, repository: [] }],
      [
        'repository_ruleset',
        { action: 'edited', sender: envelope.sender, repository_ruleset: { id: 1, name: 'all' } },
      ],
      ['pull_request', { ...envelope, action: 'opened', pull_request: pullRequest({ labels: 'broken' }) }],
    ]),
  ).toEqual(['d0 done', 'd1 done', 'd2 done', 'd3 done']);
});

describe('an action', () => {
  const required = (name: string, payload: unknown) => () => requireReadable({ id: 'a', name, payload });

  test.each<[string, string, object, string]>([
    [
      'none, of an event that has actions',
      'pull_request',
      {},
      'this pull_request cannot be read, since action is',
    ],
    ['no text', 'issues', { action: 5 }, 'this issues cannot be read, since action is'],
  ])('%s -> nobody can tell whether a rule listens', (_what, name, payload, why) => {
    expect(required(name, payload)).toThrow(UnreadPayload);
    expect(required(name, payload)).toThrow(why);
  });

  test.each<[string, string, object]>([
    ['of our own deliveries', 'agent-policy.recheck', { pull: 'x' }],
    ['none, of an event nobody listens to', 'star', {}],
    ['none, of an event that has none', 'create', { ...envelope, ref: 'v1', ref_type: 'tag' }],
  ])('%s -> nothing is asked of it', (_what, name, payload) => {
    expect(required(name, payload)).not.toThrow();
  });
});
