import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { about, doctor, machineOf } from './doctor-harness.js';
import { arrival, type Machine } from './machine.js';

describe('the store', () => {
  test('none yet', async () => {
    const { folder, ...said } = await doctor();
    expect(about(said, 'store').replaceAll(folder, '/srv')).toBe(
      'warn: there is no database at /srv/agent-policy.db yet. The server makes it when it starts; see AGENT_POLICY_STORE.',
    );
    expect(said.status).toBe(0);
  });

  test('not one', async () => {
    const said = await doctor({
      prepare: ({ folder }) =>
        writeFileSync(join(folder, 'agent-policy.db'), 'no database at all, though it is here'),
    });
    expect(about(said, 'store')).toMatch(
      /^fail: the database does not open\. .+ is not a store of this program/,
    );
    expect(said.status).toBe(1);
  });

  test('a server serves from it', async () => {
    const machine = machineOf({});
    const said = await machine.serve(() => machine.run('doctor'));
    expect(about(said, 'store')).toContain('ok: a server holds its lock.');
  });

  test('what is dead, and what waits for long', async () => {
    const said = await doctor({
      prepare: (machine) =>
        machine.serve(async ({ inbox }) => {
          for (const minute of [1, 2, 3]) await inbox.accept(arrival(minute));
          await inbox.bury(1, { attempts: 8, at: '2026-11-30T10:00:00.000Z', error: 'x' });
        }),
      now: () => Date.parse('2026-11-30T12:00:00.000Z'),
    });
    expect(about(said, 'store').split('\n').slice(2).join('\n')).toMatchInlineSnapshot(`
     "warn: 2 deliveries to be done, the oldest since 2026-11-30 09:02:00 UTC. \`agent-policy deliveries list --state waiting\` says what each waits for.
     warn: 1 delivery is dead: not tried again. \`agent-policy deliveries list --state dead\` says why; \`deliveries replay\` queues them once more."
    `);
  });
});

describe('sweeps', () => {
  const at = (deliveries: number | null, repositories: number | null) => (machine: Machine) =>
    machine.serve((store) =>
      store.saveCursor(
        'sweep:runs',
        JSON.stringify({
          deliveries,
          repositories: repositories === null ? null : { begun: repositories, ended: repositories },
        }),
      ),
    );
  test('never', async () => {
    expect(about(await doctor({ prepare: at(null, null) }), 'sweeps')).toMatchInlineSnapshot(`
     "warn: GitHub's log of deliveries: never gone through to the end. A running server does so by itself; see its log.
     warn: the repositories: never gone through to the end. A running server does so by itself; see its log."
    `);
  });
  test('long ago', async () => {
    const long = Date.now() - 26 * 60 * 60_000;
    expect(about(await doctor({ prepare: at(long, Date.now()) }), 'sweeps')).toMatch(
      /^warn: GitHub's log of deliveries: last gone through .+ UTC\. A running server.+\nok: the repositories: last gone through .+ UTC\.$/,
    );
  });
});
