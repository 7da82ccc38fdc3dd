import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Case } from '../../src/sandbox/case.js';
import { createSandbox } from '../../src/sandbox/create.js';
import { CASE_START_MS, instantOf } from '../../src/sandbox/instant.js';
import { parseCase } from '../../src/sandbox/parse-case.js';
import { keysOf, repetitionsOf } from '../../src/sandbox/parse-event.js';
import type { Delivery, Sandbox, SandboxOptions } from '../../src/sandbox/sandbox.js';

const FOLDER = 'test/cases';
export const SECRET = 'a secret of the tests';

/** Every case of test/cases, and every variant of each. */
export const allCases = (): readonly Case[] =>
  readdirSync(FOLDER)
    .filter((name) => name.endsWith('.yml'))
    .sort()
    .flatMap((name) => parseCase(readFileSync(join(FOLDER, name), 'utf8'), name));

export const nameOf = (one: Case): string => (one.variant === null ? one.id : `${one.id}: ${one.variant}`);

export interface Played {
  readonly sandbox: Sandbox;
  readonly deliveries: readonly { readonly title: string; readonly delivery: Delivery }[];
  setTime(ms: number): void;
  readonly now: () => number;
}

export const sandboxOf = (
  given: Partial<SandboxOptions> = {},
): { sandbox: Sandbox; setTime(ms: number): void; now(): number } => {
  let now = CASE_START_MS;
  const sandbox = createSandbox({
    world: {},
    policy: 'version: 1\n',
    clock: { now: () => now },
    webhookSecret: SECRET,
    ...given,
  });
  return {
    sandbox,
    setTime: (ms) => {
      now = ms;
    },
    now: () => now,
  };
};

/** Delivers every event of a case, with time passing as it says; nothing answers them. */
export const deliverAll = (one: Case, after: (sandbox: Sandbox) => void = () => undefined): Played => {
  const { sandbox, setTime, now } = sandboxOf({ world: one.world, policy: one.policy, events: one.events });
  const deliveries: { title: string; delivery: Delivery }[] = [];
  for (const event of one.events) {
    if (event.kind === 'tick') setTime(now() + event.ms);
    if (event.kind !== 'deliver') continue;
    for (let repetition = 0; repetition < repetitionsOf(event); repetition++) {
      const { at } = keysOf(event, repetition);
      setTime(instantOf(typeof at === 'string' ? at : undefined, now()));
      for (const delivery of sandbox.deliverAll(event, repetition)) {
        deliveries.push({ title: event.title, delivery });
        after(sandbox);
      }
    }
  }
  return { sandbox, deliveries, setTime, now };
};
