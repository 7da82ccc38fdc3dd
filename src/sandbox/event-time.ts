import type { CaseEvent } from './case.js';
import { instantOf, laterBy } from './instant.js';
import { keysOf, repetitionsOf } from './parse-event.js';

/** When one delivery of an event happens, in milliseconds since 1970. Throws as `instantOf` does. */
export const deliveryTime = (
  event: Extract<CaseEvent, { kind: 'deliver' }>,
  repetition: number,
  previousMs: number,
): number => {
  const { at } = keysOf(event, repetition);
  return instantOf(typeof at === 'string' ? at : undefined, previousMs);
};

/** The instant at which an event is over, in milliseconds since 1970. Throws as `instantOf` does. */
export const timeAfter = (event: CaseEvent, previousMs: number): number => {
  switch (event.kind) {
    case 'deliver': {
      let now = previousMs;
      for (let repetition = 0; repetition < repetitionsOf(event); repetition += 1) {
        now = deliveryTime(event, repetition, now);
      }
      return now;
    }
    case 'tick':
      return laterBy(previousMs, event.ms);
    case 'redeliver':
    case 'restart':
      return previousMs;
  }
};
