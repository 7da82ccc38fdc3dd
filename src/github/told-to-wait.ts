import { leftUntil } from './left-until.js';
import { LONGEST_WAIT } from './limits.js';
import type { Bucket } from './rate-limit.js';

/** What is shut: everything, or what one budget is spent for. */
export type Scope = 'all' | Bucket;
const SCOPES: readonly Scope[] = ['all', 'core', 'graphql'];

export interface ToldToWaitDeps {
  /** Milliseconds since 1970, UTC. */
  readonly now: () => number;
  /** Until when (ISO 8601, UTC) an earlier process was told to wait; undefined: it was not. */
  readonly load: (key: string) => Promise<string | undefined>;
  readonly save: (key: string, until: string) => Promise<void>;
  /** For people who read the log: what was told could not be kept, or not be read. */
  readonly warn: (what: string) => void;
}

/** Until when GitHub told an identity to wait. It outlives the process, under the identity and, for one budget, `IDENTITY:graphql`. */
export interface ToldToWait {
  /** Resolves once what an earlier process was told is known. */
  loaded(): Promise<void>;
  /** Milliseconds left for requests of one budget; 0: none. */
  left(bucket: Bucket): number;
  /** In force at once; resolves when it is kept. An earlier time than the one in force changes nothing. */
  until(scope: Scope, time: number): Promise<void>;
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : typeof error);

export const createToldToWait = (identity: string, deps: ToldToWaitDeps): ToldToWait => {
  const { now, warn } = deps;
  const shut = new Map<Scope, number>();
  let loading: Promise<void> | undefined;

  const leftOf = (scope: Scope): number => leftUntil(shut.get(scope) ?? 0, now(), LONGEST_WAIT);

  const keyOf = (scope: Scope): string => (scope === 'all' ? identity : `${identity}:${scope}`);

  const load = async (): Promise<void> => {
    for (const scope of SCOPES) {
      const until = Date.parse((await deps.load(keyOf(scope))) ?? '');
      if (leftUntil(until, now(), LONGEST_WAIT) > leftOf(scope)) shut.set(scope, until);
    }
  };

  return {
    loaded() {
      loading ??= load().catch((error: unknown) => {
        loading = undefined;
        warn(`whether ${identity} was told to wait cannot be read: ${nameOf(error)}`);
      });
      return loading;
    },
    left: (bucket) => Math.max(leftOf('all'), leftOf(bucket)),
    async until(scope, time) {
      if (time - now() <= leftOf(scope)) return;
      shut.set(scope, time);
      await deps
        .save(keyOf(scope), new Date(time).toISOString())
        .catch((error: unknown) =>
          warn(`that ${identity} was told to wait cannot be kept: ${nameOf(error)}`),
        );
    },
  };
};
