import { expect, test } from '@jest/globals';
import type { Effect } from '../../src/decide/effects.js';
import type { CheckVerdict, Reason } from '../../src/decide/reasons.js';
import type { Lane } from '../../src/github/lane.js';
import { laneOf } from '../../src/github/lane-of-effect.js';
import { KEY, levelNone, row, verdict } from './port-harness.js';

const agents: CheckVerdict['agents'] = [
  { agent: 'alpha', tier: 'certain', level: 'pr', origin: { layer: 'built-in' } },
];
const check = (over: Partial<CheckVerdict>): Effect => ({ kind: 'check', verdict: verdict(over) });
const suspended: Reason = {
  code: 'suspended',
  agents: [{ agent: 'alpha', since: '2026-11-30T09:00:00Z', cause: 'tag', issue: null, by: null }],
};
const unknownBot: Reason = {
  code: 'unknown-bot',
  bots: [{ id: 1, login: 'x[bot]', type: 'Bot' }],
  origin: { layer: 'built-in' },
};

test.each<[string, Effect, Lane, Lane]>([
  ['a person’s check', check({}), 'agents', 'people'],
  ['a person’s check with marks of an agent', check({ agents }), 'agents', 'people'],
  ['a person’s policy file that does not load', check({ reasons: [], agents: [] }), 'people', 'people'],
  ['an agent’s check', check({ agents, reasons: [levelNone] }), 'people', 'agents'],
  ['an unknown bot’s check', check({ reasons: [unknownBot] }), 'people', 'agents'],
  ['a check that suspends', check({ agents, reasons: [suspended] }), 'sweep', 'hold'],
  ['any check of a merge group', check({ agents, reasons: [levelNone] }), 'merge-group', 'merge-group'],
  ['a comment, whatever asked for it', { kind: 'comment', number: 1, about: 'pull' }, 'hold', 'words'],
  ['an issue', { kind: 'escalate', key: KEY, row: row(), mentions: [] }, 'hold', 'words'],
  ['disarming', { kind: 'disarm-auto-merge', pull: 1, nodeId: 'x' }, 'agents', 'hold'],
  ['leaving the queue', { kind: 'dequeue', pull: 1, nodeId: 'x' }, 'words', 'hold'],
  ['a run that is stopped', { kind: 'cancel-run', run: 1 }, 'words', 'hold'],
  ['a backup of a commit', { kind: 'backup-ref', sha: 'a' }, 'hold', 'agents'],
  ['a revert that is proposed', { kind: 'revert-pull', pull: 1, nodeId: 'x' }, 'hold', 'words'],
])('%s', (_, effect, within, lane) => {
  expect(laneOf(effect, within)).toBe(lane);
});
