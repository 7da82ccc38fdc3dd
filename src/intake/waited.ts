import { rankOf } from '../github/lane.js';
import { leftUntil } from '../github/left-until.js';
import type { Waiting } from '../store/ledger.js';
import type { Store } from '../store/store.js';
import { failureOfWork, nextTry } from './failure-of-work.js';
import { LONGEST_RETRY } from './longest-retry.js';
import type { Intake } from './receive.js';

export interface WaitedDeps {
  readonly store: Pick<Store, 'inbox' | 'due' | 'repository'>;
  readonly intake: Pick<Intake, 'resume'>;
  /** Milliseconds since 1970, UTC. */
  readonly now: () => number;
  readonly random: () => number;
  readonly stopping: () => boolean;
  /** Told what could not be worked on, and why. */
  readonly told: (waiting: Waiting, why: string, error: unknown) => void;
}

/** What waited for its time: a trunk push for its PR, an issue close for its merge, a limit for its end. */
export interface Waited {
  /**
   * Works on what is due, one after another in a repository, repositories side by side: one that hangs holds nobody else.
   * Rejects when something could not be worked on; it goes on waiting, longer each time, as a delivery does.
   */
  resumeDue(): Promise<void>;
  /** Resolves once nothing is under way. */
  settled(): Promise<void>;
}

export function createWaited(deps: WaitedDeps): Waited {
  const { store, intake, now } = deps;
  const { inbox } = store;
  /** By repository and id: an id tells things apart in its repository alone. */
  const failures = new Map<string, { readonly attempts: number; readonly until: number }>();
  const underWay = new Map<number, Promise<void>>();
  const iso = (): string => new Date(now()).toISOString();
  const keyOf = (repository: number, { id }: Waiting): string => `${repository} ${id}`;

  /** Kept as a dead letter, to be shown and replayed like one. */
  const bury = async (repository: number, waiting: Waiting, attempts: number, why: string): Promise<void> => {
    const { name, payload, happenedAt = null } = waiting.delivery;
    const arrival = {
      guid: `waited:${repository}:${waiting.id}`,
      name,
      body: Buffer.from(JSON.stringify(payload)),
      receivedAt: iso(),
      happenedAt,
      hint: { repository, action: null, lane: rankOf('words'), subject: null },
    };
    await inbox.acceptDead(arrival, { attempts, at: iso(), error: why });
    await store.repository(repository).unwait(waiting.id);
  };

  const resume = async (repository: number, waiting: Waiting): Promise<void> => {
    const key = keyOf(repository, waiting);
    const before = failures.get(key);
    if (deps.stopping() || leftUntil(before?.until ?? 0, now(), LONGEST_RETRY) > 0) return;
    // An older delivery may explain it.
    if (await inbox.undoneBefore(repository, waiting.due)) return;
    try {
      await intake.resume(waiting);
      failures.delete(key);
    } catch (error) {
      const failure = failureOfWork(error);
      const next = nextTry(failure, before?.attempts ?? 0, deps.random());
      deps.told(waiting, failure.why, error);
      if (next.kind === 'retry') failures.set(key, { attempts: next.attempts, until: now() + next.wait });
      else {
        failures.delete(key);
        await bury(repository, waiting, next.attempts, failure.why);
      }
      throw error;
    }
  };

  const inOrder = async (repository: number, all: readonly Waiting[]): Promise<readonly unknown[]> => {
    const failed: unknown[] = [];
    for (const waiting of all)
      await resume(repository, waiting).catch((error: unknown) => failed.push(error));
    return failed;
  };

  return {
    async resumeDue() {
      const due = await store.due(iso());
      const keys = new Set(due.map(({ repository, waiting }) => keyOf(repository, waiting)));
      for (const key of failures.keys()) if (!keys.has(key)) failures.delete(key);
      const byRepository = new Map<number, Waiting[]>();
      for (const { repository, waiting } of due)
        if (!underWay.has(repository))
          byRepository.set(repository, [...(byRepository.get(repository) ?? []), waiting]);
      const failed = await Promise.all(
        [...byRepository].map(([repository, all]) => {
          const work = inOrder(repository, all).finally(() => underWay.delete(repository));
          underWay.set(
            repository,
            work.then(() => undefined),
          );
          return work;
        }),
      );
      const errors = failed.flat();
      if (errors.length > 0)
        throw new AggregateError(errors, `${errors.length} waiting deliveries could not be worked on`);
    },
    async settled() {
      await Promise.all(underWay.values());
    },
  };
}
