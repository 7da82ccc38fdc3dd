import { describe, expect, test } from '@jest/globals';
import { story } from './activity-story.js';
import { bench, failing, HOUR, MINUTE } from './bench.js';

describe('a list of more than one page', () => {
  const rows = 130;
  const many = story(
    '',
    `
  activity:
${Array.from({ length: rows }, (_, index) => {
  const second = String(index % 60).padStart(2, '0');
  const minute = String(Math.floor(index / 60) + 1).padStart(2, '0');
  return `    - { activity_type: push, actor: rae, ref: rae/x, before: x${index}, after: x${index + 1}, timestamp: "2026-11-30T09:${minute}:${second}Z" }`;
}).join('\n')}
`,
  );
  const told = async (b: Awaited<ReturnType<typeof bench>>) =>
    (await b.store.repository(1).pushes('rae/x')).map(({ after }) => b.sandbox.short(after));
  const all = Array.from({ length: rows }, (_, index) => `x${index + 1}`);

  test('is worked on from the oldest to the newest', async () => {
    const b = await bench(many);
    await b.deliver(1);
    b.pass(HOUR);
    await b.sweep();
    expect(await told(b)).toEqual(all);
    expect(b.failures).toEqual([]);
  });

  test('a share of the rate limit that ends in the middle -> it goes on there in the next hour', async () => {
    const b = await bench(many, { remaining: () => 150 });
    await b.deliver(1);
    b.pass(HOUR);
    let ticks = 0;
    let before = -1;
    for (let count = 0; count !== before || count === 0; ticks += 1) {
      before = count;
      await b.sweep();
      b.pass(HOUR);
      count = (await told(b)).length;
      if (ticks > 60) throw new Error('it never ends');
    }
    expect(await told(b)).toEqual(all);
    expect(ticks).toBeGreaterThan(3);
    expect(b.warned).toEqual([]);
  });

  test('502 in the middle, then another process -> it goes on where it was', async () => {
    const b = await bench(many, {
      through: failing(/GET .*\/compare\/.*/, 502, 40),
      remaining: () => 500,
    });
    await b.deliver(1);
    b.pass(HOUR);
    for (let ticks = 0; ticks < 40 && (await told(b)).length < rows; ticks += 1) {
      await b.sweep();
      b.pass(MINUTE);
      if (ticks % 2 === 0) await b.restart();
    }
    expect(await told(b)).toEqual(all);
  });
});
