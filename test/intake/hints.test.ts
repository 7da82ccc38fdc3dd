import { createRequire } from 'node:module';
import { describe, expect, test } from '@jest/globals';
import { LANES } from '../../src/github/lane.js';
import { hintOf, isRead } from '../../src/intake/hints.js';

interface Example {
  readonly name: string;
  readonly examples: readonly Readonly<Record<string, unknown>>[];
}

const events = createRequire(import.meta.url)('@octokit/webhooks-examples') as readonly Example[];
const examples = events.flatMap(({ name, examples: all }) =>
  all.map((payload, index) => ({ title: `${name} ${index}`, name, payload })),
);

const record = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
const bytes = (payload: unknown): Buffer => Buffer.from(JSON.stringify(payload));
const laneOf = (name: string, payload: unknown): string | undefined =>
  LANES[hintOf(name, bytes(payload)).lane];

/** What parsing tells, in the form of a hint. */
const toldOf = (name: string, payload: Readonly<Record<string, unknown>>) => {
  const id = record(payload['repository'])['id'];
  const pull = record(payload['pull_request']);
  const number = {
    pull_request: String(pull['number']),
    pull_request_review: String(pull['url']).split('/').at(-1),
  };
  return {
    repository: typeof id === 'number' ? id : null,
    action: payload['action'] ?? null,
    subject: Object.hasOwn(number, name) ? `pull:${number[name as keyof typeof number] ?? ''}` : null,
  };
};

describe('every sample of GitHub', () => {
  test.each(examples)('$title: what a hint says is what parsing tells', ({ name, payload }) => {
    const { repository, action, subject } = hintOf(name, bytes(payload));
    const told = toldOf(name, payload);
    expect([null, told.repository]).toContain(repository);
    expect([null, told.action]).toContain(action);
    expect([null, told.subject]).toContain(subject);
  });

  test('nearly all that are read are hinted at in full', () => {
    const read = examples.filter(({ name }) => isRead(name));
    const whole = read.filter(({ name, payload }) => {
      const { repository, action, subject } = hintOf(name, bytes(payload));
      const told = toldOf(name, payload);
      return repository === told.repository && action === told.action && subject === told.subject;
    });
    expect(whole.length / read.length).toBeGreaterThan(0.97);
  });
});

describe('lanes', () => {
  const bot = { login: 'x[bot]', id: 2, type: 'Bot' };
  const user = { login: 'rae', id: 13, type: 'User' };
  const repository = { id: 1, name: 'widgets', default_branch: 'main' };
  const push = (over: object) => ({
    ref: 'refs/heads/topic',
    before: 'a',
    after: 'b',
    repository,
    sender: bot,
    created: false,
    deleted: false,
    forced: false,
    ...over,
  });

  test.each([
    ['pull_request', { action: 'opened', number: 1, repository, sender: user }, 'people'],
    ['pull_request', { action: 'opened', number: 1, repository, sender: bot }, 'agents'],
    ['pull_request', { action: 'closed', number: 1, repository, sender: bot }, 'hold'],
    ['pull_request', { action: 'auto_merge_enabled', number: 1, repository, sender: bot }, 'hold'],
    ['pull_request_review', { action: 'submitted', repository, sender: user }, 'people'],
    ['check_run', { action: 'rerequested', repository, sender: user }, 'people'],
    ['merge_group', { action: 'checks_requested', repository, sender: bot }, 'merge-group'],
    ['push', push({}), 'words'],
    ['push', push({ ref: 'refs/heads/main' }), 'hold'],
    ['push', push({ forced: true }), 'hold'],
    ['push', push({ deleted: true }), 'hold'],
    ['push', push({ ref: 'refs/tags/v1' }), 'hold'],
    ['push', push({ forced: true, commits: [{ id: 'c' }], head_commit: { id: 'c' } }), 'hold'],
    ['push', push({ commits: [{ id: 'c' }], head_commit: { id: 'c' } }), 'words'],
    ['push', { ref: 'refs/heads/main', commits: [{ id: 'c' }], head_commit: null, repository }, 'hold'],
    [
      'push',
      { ref: 'refs/heads/a', commits: [{ id: 'c' }], head_commit: null, repository, forced: true },
      'hold',
    ],
    ['delete', { ref: 'topic', ref_type: 'branch', repository, sender: bot }, 'hold'],
    ['release', { action: 'published', repository, sender: bot }, 'hold'],
    ['issues', { action: 'closed', repository, sender: bot }, 'words'],
    ['issues', { action: 'labeled', repository, sender: bot }, 'words'],
  ])('%s %j', (name, payload, lane) => {
    expect(laneOf(name, payload)).toBe(lane);
  });
});

describe('text of others is no hint', () => {
  test('keys inside a title, a body or a branch name stay text', () => {
    const said = '"repository":{"id":666,"x":1},"sender":{"type":"Bot"},"default_branch":"evil"';
    const payload = {
      action: 'opened',
      number: 7,
      pull_request: { title: said, body: said, head: { ref: said } },
      repository: { id: 1, default_branch: 'main', description: said },
      sender: { login: 'rae', id: 13, type: 'User' },
    };
    const hint = hintOf('pull_request', bytes(payload));
    expect(hint).toEqual({
      repository: 1,
      action: 'opened',
      lane: LANES.indexOf('people'),
      subject: 'pull:7',
    });
  });

  test.each([
    ['nothing', ''],
    ['no JSON', 'repository=1'],
    ['bytes that are no text', Buffer.from([0xff, 0xfe, 0x00, 0x22]).toString('latin1')],
    ['a number beyond any id', '{"action":"opened","repository":{"id":99999999999999999999}}'],
  ])('%s: no hint, and no error', (_name, text) => {
    expect(hintOf('pull_request', Buffer.from(text, 'latin1'))).toMatchObject({
      repository: null,
      subject: null,
    });
  });
});

test('deliveries nobody listens to are known by their name', () => {
  expect([isRead('push'), isRead('pull_request'), isRead('issues')]).toEqual([true, true, true]);
  expect([isRead('star'), isRead('workflow_job'), isRead('ping'), isRead('constructor')]).toEqual([
    false,
    false,
    false,
    false,
  ]);
});
