import type { Account } from '../../src/acts/act.js';
import type { Arrival } from '../../src/store/inbox.js';
import type { ActRow, EscalationMemory, PushRow, Waiting, Waiver } from '../../src/store/ledger.js';

export const alpha: Account = { id: 9001, login: 'alpha-agent[bot]', type: 'Bot' };
export const rae: Account = { id: 13, login: 'rae', type: 'User' };

/** An instant of the one morning all these tests play on. */
export const at = (time: string): string => `2026-11-30T${time}.000Z`;

export const act = (key: string, over: Partial<ActRow> = {}): ActRow => ({
  key,
  kind: 'pull.merge',
  actor: alpha,
  agent: 'alpha',
  at: '2026-11-30T09:00:00Z',
  tellings: ['push'],
  verdict: 'deny',
  rule: 'merge-level',
  subject: { ref: 'main' },
  ...over,
});

export const push = (over: Partial<PushRow> = {}): PushRow => ({
  ref: 'topic',
  before: 'a',
  after: 'b',
  by: alpha,
  at: '2026-11-30T09:00:00Z',
  ...over,
});

export const escalation = (
  agent: string,
  subject: string,
  over: Partial<EscalationMemory> = {},
): EscalationMemory => ({
  key: { rule: 'merge-level', agent, subject },
  issue: null,
  state: 'open',
  rows: [],
  more: 0,
  closedAt: null,
  mentions: [],
  ...over,
});

export const waiver = (over: Partial<Waiver> = {}): Waiver => ({
  pull: 1,
  head: 'h',
  base: 'main',
  reason: 'protected-path',
  by: rae,
  why: 'looked at it',
  at: '2026-11-30T09:00:00Z',
  ...over,
});

export const waits = (id: string, due: string): Waiting => ({
  id,
  due,
  delivery: { id, name: 'push', payload: { ref: 'x', commits: [{ id: 1, message: 'a\u0000b \ud800' }] } },
});

export const arrival = (guid: string, over: Partial<Arrival> = {}): Arrival => ({
  guid,
  name: 'pull_request',
  body: Buffer.from(`{"guid":"${guid}"}`),
  receivedAt: at('09:00:00'),
  happenedAt: null,
  hint: { repository: 1, action: 'opened', lane: 2, subject: 'pull:12' },
  ...over,
});
