import { atEvent } from './case-error.js';
import { keysOf } from './parse-event.js';
import { createFetch } from './fetch.js';
import type { Delivery, Sandbox, SandboxOptions, Written } from './sandbox.js';
import { guidOf, signed } from './sign.js';
import { play } from './webhooks/index.js';
import { createState } from './world.js';

const DEFAULT_APP = 777;

/** A GitHub in memory with the world of a case in it. */
export const createSandbox = (options: SandboxOptions): Sandbox => {
  const appId = options.appId ?? DEFAULT_APP;
  const state = createState({
    world: options.world,
    policy: options.policy,
    clock: options.clock,
    appId,
    events: options.events ?? [],
    ...(options.desiredRuleset === undefined ? {} : { desiredRuleset: options.desiredRuleset }),
  });
  const written: Written[] = [];
  const requests: { request: string; status: number; body: unknown }[] = [];
  const unknownEndpoints: string[] = [];
  let count = 0;

  const deliverAll: Sandbox['deliverAll'] = (event, repetition) =>
    atEvent(event, () => play(state, event.name, event.action, keysOf(event, repetition))).map(
      (payload): Delivery => {
        count += 1;
        return signed(event.name, guidOf(count), payload, options.webhookSecret, appId);
      },
    );

  return {
    fetch: createFetch({ state, fail: options.world.fail ?? [], written, requests, unknownEndpoints }),
    deliverAll,
    deliver: (event, repetition) => {
      const deliveries = deliverAll(event, repetition);
      const [only] = deliveries;
      if (only === undefined || deliveries.length > 1) {
        throw new Error(`${event.title} sends ${deliveries.length} deliveries; deliverAll gives them`);
      }
      return only;
    },
    written,
    requests,
    unknownEndpoints,
    sha: (short) => state.shas.full(short),
    short: (sha) => state.shas.short(sha),
  };
};
