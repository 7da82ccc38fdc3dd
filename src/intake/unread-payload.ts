import type { Delivery } from '../acts/payload.js';
import { actionOf, unreadableField } from '../acts/readable.js';
import { rulesFor, triggeringEvents } from '../decide/triggers.js';

/** A delivery that a rule listens to cannot be read. To try again changes nothing; a person is to hear of it. */
export class UnreadPayload extends Error {
  /** `event` and `field`: our own names, printable. */
  constructor(event: string, field: string) {
    super(
      `an act may have been missed: this ${event} cannot be read, since ${field} is missing or not as GitHub documents it`,
    );
    this.name = 'UnreadPayload';
  }
}

const LISTENED: ReadonlySet<string> = new Set(triggeringEvents());

/** Throws UnreadPayload where some rule listens to a delivery that cannot be read. */
export function requireReadable(delivery: Delivery): void {
  const { name, payload } = delivery;
  const action = actionOf(payload);
  if (rulesFor(name, action).length > 0) {
    const field = unreadableField(delivery);
    if (field !== null) throw new UnreadPayload(action === null ? name : `${name}.${action}`, field);
  }
  // Of such an event, nobody can tell whether a rule listens to it.
  if (action === null && LISTENED.has(name) && rulesFor(name, null).length === 0)
    throw new UnreadPayload(name, 'action');
}
