import type { StoreError } from '../store.js';
import type { FileOptions } from './open-file.js';
import type { Outcome, Unit } from './statement.js';

/** What the thread is started with. */
export type ThreadData = FileOptions;

/** To the thread. */
export type Request = { readonly kind: 'run'; readonly units: readonly Unit[] } | { readonly kind: 'close' };

/** From the thread. Outcomes come in the order the units were asked for. */
export type Reply =
  | { readonly kind: 'opened' }
  /** It could not be opened, and the thread ends. */
  | { readonly kind: 'refused'; readonly why: StoreError['kind']; readonly message: string }
  | { readonly kind: 'ran'; readonly outcomes: readonly Outcome[] }
  | { readonly kind: 'closed' };
