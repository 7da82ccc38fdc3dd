import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Turn } from '../../src/measure/acknowledge.js';
import { type BenchReport, markdownOf, written } from '../../src/measure/bench-report.js';
import type { Wait } from '../../src/measure/check-wait.js';
import { median, percentile } from '../../src/measure/statistics.js';
import { build, type Built } from '../built.js';

const WAIT = `
import { takeWait } from './measure/check-wait.js';
process.stdout.write(JSON.stringify(await takeWait('ours', { seconds: 2, every: 200, flood: 50 })));
`;

let built: Built;
beforeAll(() => {
  built = build();
  writeFileSync(join(built.folder, 'dist', 'wait-of-test.js'), WAIT);
});
afterAll(() => built.remove());

const run = async (
  script: string,
  ...args: readonly string[]
): Promise<{ code: number | null; out: string; err: string }> => {
  const child = spawn(process.execPath, [join(built.folder, 'dist', script), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { out: '', err: '' };
  child.stdout.on('data', (chunk: Buffer) => (said.out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (said.err += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, ...said };
};

describe('npm run bench:intake', () => {
  test('every server takes its turn, and the store holds all that ours acknowledged', async () => {
    const args = ['--rounds', '1', '--seconds', '1', '--connections', '16', '--wait-seconds', '0', '--json'];
    const { code, out, err } = await run('measure/bench-intake.js', ...args);
    expect(code).toBe(0);
    const { turns, payload } = JSON.parse(out) as BenchReport;
    expect(turns.map(({ server }) => server)).toEqual(['probot', 'ours', 'paused', 'bare']);
    for (const { perSecond, failed, kept, server } of turns) {
      expect(perSecond).toBeGreaterThan(0);
      expect(failed).toBe(0);
      const stores = server === 'ours' || server === 'paused';
      expect(kept === null).toBe(!stores);
      if (kept !== null) expect(kept.found).toBe(kept.acknowledged);
    }
    expect(payload).toBeGreaterThan(28_000);
    expect(payload).toBeLessThan(33_000);
    expect(err).toContain('round 1 of 1: ours, 16 connections');
  }, 90_000);

  test('each PR of a person has its check while another repository floods', async () => {
    const { code, out, err } = await run('wait-of-test.js');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const { answered, unanswered, flooded, p95, requests } = JSON.parse(out) as Wait;
    expect(answered).toBeGreaterThanOrEqual(10);
    expect(unanswered).toBe(0);
    expect(p95).toBeGreaterThan(0);
    expect(flooded.sent).toBeGreaterThan(80);
    expect(requests).toBeGreaterThan(answered);
  }, 60_000);

  test('wrong usage is told', async () => {
    const { code, err } = await run('measure/bench-intake.js', '--connections', '16,0');
    expect(code).toBe(2);
    expect(err).toContain('--connections takes a whole number from 1 on, not "0".');
  });
});

describe('what was measured', () => {
  test.each([
    ['the middle of three', median([3, 1, 2]), 2],
    ['the lower middle of four', median([4, 1, 3, 2]), 2],
    [
      '95 of a hundred',
      percentile(
        Array.from({ length: 100 }, (_, at) => at + 1),
        0.95,
      ),
      95,
    ],
    ['the largest of few', percentile([1, 2, 3], 0.99), 3],
    ['nothing of none', percentile([], 0.5), Number.NaN],
  ])('%s', (_what, value, expected) => {
    expect(value).toBe(expected);
  });

  const turn = (server: Turn['server'], perSecond: number, kept: Turn['kept'] = null): Turn => ({
    server,
    connections: 16,
    perSecond,
    p50: 3.25,
    p99: 12,
    failed: 0,
    cpu: 250,
    rss: 100 * 2 ** 20,
    kept,
  });
  const report: BenchReport = {
    options: { rounds: 1, seconds: 5, connections: [16, 64], waits: { seconds: 20, every: 250, flood: 300 } },
    at: '2026-11-30T12:00:00.000Z',
    payload: 30_200,
    turns: [
      turn('probot', 2_000),
      turn('ours', 3_000, { acknowledged: 15_000, found: 15_000, done: 700 }),
      turn('paused', 3_500, { acknowledged: 17_000, found: 17_000, done: 0 }),
      turn('bare', 10_000),
      { ...turn('probot', 1_500), connections: 64 },
      { ...turn('ours', 3_150), connections: 64 },
      { ...turn('paused', 3_600), connections: 64 },
      { ...turn('bare', 12_000), connections: 64 },
    ],
    waits: [
      {
        name: 'ours, calm',
        p50: 30,
        p95: 50,
        p99: 60,
        answered: 80,
        unanswered: 0,
        flooded: { sent: 0, acknowledged: 0 },
        requests: 640,
      },
      {
        name: 'probot',
        p50: 900,
        p95: null,
        p99: null,
        answered: 40,
        unanswered: 40,
        flooded: { sent: 6_000, acknowledged: 1_500 },
        requests: 900,
      },
    ],
  };

  test('ratios stand beside Probot and beside calm', () => {
    const text = markdownOf(report);
    expect(text).toContain('| ours, the worker at work | 16 | 3,000 | 1.50 × | 3.3 | 12.0 | 250 | 100 |');
    expect(text).toContain('| ours, the worker at work | 64 | 3,150 | 2.10 × | 3.3 | 12.0 | 250 | 100 |');
    expect(text).toContain(
      'Of 32,000 deliveries that ours acknowledged, 32,000 were in its store, and 700 had been worked on',
    );
    expect(text).toContain('| ours, no flood | 30.0 | 50.0 | 60.0 | 1.00 × | 0 of 80 |  |');
  });

  test('a percentile that nobody reached is none', () => {
    expect(markdownOf(report)).toContain(
      '| an app of Probot, its throttle off | 900 | none | none |  | 40 of 80 | 25% |',
    );
  });

  test('it is written between its marks, and over what was there', () => {
    const before = 'a\n<!-- npm run bench:intake -- --write -->\nold\n<!-- end of what it wrote -->\nb\n';
    const after = 'a\n<!-- npm run bench:intake -- --write -->\n\nnew\n\n<!-- end of what it wrote -->\nb\n';
    expect(written(before, 'new')).toBe(after);
    expect(written(after, 'new')).toBe(after);
  });

  test('a document without the marks is left alone', () => {
    expect(() => written('a\n', 'new')).toThrow('no place for it');
  });
});
