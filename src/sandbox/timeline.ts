import type { SandboxAccount } from './accounts.js';
import type { Json } from './records.js';
import type { State } from './state.js';

/** Adds an entry to the timeline of an issue or PR. */
export const note = (
  state: State,
  on: number,
  event: string,
  by: SandboxAccount,
  more: { readonly commit?: string; readonly app?: number; readonly more?: Json } = {},
): void => {
  state.timeline.add({
    id: state.nextId('timeline'),
    on,
    event,
    by,
    at: state.clock.now(),
    commit: more.commit ?? null,
    app: more.app ?? by.app?.id ?? null,
    more: more.more ?? {},
  });
};
