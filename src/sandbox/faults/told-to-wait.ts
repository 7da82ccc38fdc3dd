import { type Answer, failed } from '../rest/answer.js';
import type { Clock } from '../sandbox.js';
import type { FaultKind, FaultOptions } from './draw.js';

const MINUTE = 60_000;
const GRACE = 250;
const DOCS = 'https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api';
const SECONDARY =
  'You have exceeded a secondary rate limit. Please wait a few minutes before you try again. If you reach out to ' +
  'GitHub Support for help, please include the request ID SAND:BOX.';

/** The limits that are counted apart. */
export type Resource = 'core' | 'graphql';

type Limit = Extract<FaultKind, 'primary' | 'secondary' | 'secondary-unsaid' | 'too-many'>;

/** Whom GitHub told to wait, how and until when (milliseconds). */
interface Told {
  readonly kind: Limit;
  /** A primary limit counts for one of them, a secondary one for both. */
  readonly resource: Resource;
  readonly at: number;
  readonly until: number;
  /** By the machine's clock, for the grace. */
  readonly since: number;
}

/** A request that came while its sender was told to wait. Times are milliseconds of the sandbox's clock. */
export interface Impatience {
  readonly request: string;
  readonly identity: string;
  readonly kind: Limit;
  readonly at: number;
  readonly toldAt: number;
  readonly until: number;
}

/** Keeps who was told to wait, refuses them until then, and notes who did not wait. */
export interface Patience {
  /** The refusal for whoever still has to wait; undefined: they need not. */
  refusal(identity: string, resource: Resource, request: string): Answer | undefined;
  /** Tells them to wait, that many whole seconds; gives the answer that says so. */
  tell(limit: { kind: Limit; wait: number }, identity: string, resource: Resource): Answer;
  readonly impatient: readonly Impatience[];
}

const seconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1_000));

const answerTo = (told: Told, identity: string, now: number): Answer => {
  const left = String(seconds(told.until - now));
  switch (told.kind) {
    case 'primary': {
      const [kind = '', id = ''] = identity.split(':');
      const who = kind === 'installation' ? `installation ID ${id}` : identity;
      return {
        ...failed(403, `API rate limit exceeded for ${who}.`, { documentation_url: DOCS }),
        headers: {
          'x-ratelimit-remaining': '0',
          'x-ratelimit-used': '5000',
          'x-ratelimit-reset': String(Math.ceil(told.until / 1_000)),
        },
      };
    }
    case 'secondary':
      return { ...failed(403, SECONDARY, { documentation_url: DOCS }), headers: { 'retry-after': left } };
    case 'secondary-unsaid':
      return failed(403, SECONDARY, { documentation_url: DOCS });
    case 'too-many':
      return { ...failed(429, SECONDARY, { documentation_url: DOCS }), headers: { 'retry-after': left } };
  }
};

export const createPatience = (
  clock: Clock,
  options: Pick<FaultOptions, 'unsaid' | 'grace'> = {},
): Patience => {
  const { unsaid = MINUTE, grace = GRACE } = options;
  const told = new Map<string, Told>();
  const impatient: Impatience[] = [];

  return {
    impatient,
    refusal: (identity, resource, request) => {
      const now = clock.now();
      const known = told.get(identity);
      if (known === undefined || (known.kind === 'primary' && known.resource !== resource)) return undefined;
      if (now >= known.until) {
        told.delete(identity);
        return undefined;
      }
      if (performance.now() - known.since >= grace) {
        const { kind, at: toldAt, until } = known;
        impatient.push({ request, identity, kind, at: now, toldAt, until });
      }
      return answerTo(known, identity, now);
    },
    tell: ({ kind, wait }, identity, resource) => {
      const at = clock.now();
      const asked = at + wait * 1_000;
      // A reset is said in whole seconds, so it is then and not before.
      const until =
        kind === 'secondary-unsaid'
          ? at + unsaid
          : kind === 'primary'
            ? Math.ceil(asked / 1_000) * 1_000
            : asked;
      const row: Told = { kind, resource, at, until, since: performance.now() };
      told.set(identity, row);
      return answerTo(row, identity, at);
    },
  };
};
