import { createPublicKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterEach, expect } from '@jest/globals';
import { readManifest } from '../../src/cli/doctor-manifest.js';
import { createSandbox } from '../../src/sandbox/create.js';
import { parseCase } from '../../src/sandbox/parse-case.js';
import type { Sandbox } from '../../src/sandbox/sandbox.js';
import { createMachine, type Machine, type Said } from './machine.js';

export const KEY = readFileSync('test/fixtures/app-key.pem', 'utf8');
export const SECRET = 'the-secret-of-the-hook';
export const ENV = { APP_ID: '777', PRIVATE_KEY: KEY, WEBHOOK_SECRET: SECRET };
export const HOOK_URL = 'https://policy.acme.example/api/github/webhooks';

export type Fetch = typeof globalThis.fetch;
export type Json = Record<string, unknown>;

/** GitHub with answers of some paths changed: what it answers is given, and what is returned is answered instead. */
export const changed =
  (fetch: Fetch, changes: Readonly<Record<string, (json: never) => unknown>>): Fetch =>
  async (input, init) => {
    const response = await fetch(input, init);
    const change = changes[new URL(input instanceof Request ? input.url : input).pathname];
    if (change === undefined || !response.ok) return response;
    const json: unknown = await response.json();
    const { status, headers } = response;
    return new Response(JSON.stringify(change(json as never)), { status, headers });
  };

export const { permissions, events } = readManifest();

/** What the sandbox grants is another matter: here it is what app.yml lists. */
export const ASKED_FOR = {
  '/app': (app: Json) => ({ ...app, permissions, events }),
  '/app/installations': (all: Json[]) => all.map((one) => ({ ...one, permissions, events })),
};

const EVENTS = parseCase(
  'id: X\ntitle: t\nevents:\n  - push: { by: rae, ref: main, before: m0, after: m1 }\n',
  'x.yml',
)[0]?.events;

export const gitHub = (hookUrl = HOOK_URL): Sandbox =>
  createSandbox({
    world: {},
    policy: 'version: 1\n',
    clock: { now: Date.now },
    webhookSecret: SECRET,
    auth: { publicKey: createPublicKey(KEY) },
    hookUrl,
    ...(EVENTS === undefined ? {} : { events: EVENTS }),
  });

/** Sends that many pushes, and tells GitHub how they ended. */
export const deliver = (sandbox: Sandbox, outcomes: readonly (readonly [string, number])[]): void => {
  const [push] = EVENTS ?? [];
  if (push?.kind !== 'deliver') throw new Error('no push');
  for (const [status, statusCode] of outcomes) {
    const { guid } = sandbox.deliver(push, 0);
    sandbox.outcome(guid, { status, statusCode });
  }
};

let machines: Machine[] = [];
afterEach(() => {
  for (const machine of machines) machine.remove();
  machines = [];
});

export interface Surroundings {
  readonly env?: Record<string, string>;
  readonly fetch?: Fetch;
  readonly node?: string;
  readonly now?: () => number;
  readonly prepare?: (machine: Machine) => Promise<void> | void;
  readonly args?: readonly string[];
}

export const machineOf = ({ env = ENV, fetch, node, now = Date.now }: Surroundings): Machine => {
  const machine = createMachine(env, {
    now,
    fetch: fetch ?? changed(gitHub().fetch, ASKED_FOR),
    ...(node === undefined ? {} : { node }),
  });
  machines.push(machine);
  return machine;
};

export const doctor = async (surroundings: Surroundings = {}): Promise<Said & { folder: string }> => {
  const machine = machineOf(surroundings);
  await surroundings.prepare?.(machine);
  const said = await machine.run('doctor', ...(surroundings.args ?? []));
  // No secret is ever printed, whatever else is.
  for (const secret of [SECRET, ...KEY.split('\n').filter((line) => line.length > 20), 'eyJ', 'ghs_'])
    expect(said.out + said.err).not.toContain(secret);
  return { ...said, folder: machine.folder };
};

/** The lines about one thing. */
export const about = ({ out }: Said, what: string): string =>
  out
    .split('\n')
    .filter((line) => line.slice(6).startsWith(`${what} `))
    .map((line) => `${line.slice(0, 4).trimEnd()}: ${line.slice(6 + 'installations'.length).trimStart()}`)
    .join('\n');
