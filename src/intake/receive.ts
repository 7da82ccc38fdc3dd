import { z } from 'zod';
import { type Delivery, envelopeOf } from '../acts/payload.js';
import type { Repository } from '../acts/act.js';
import type { AuditLine } from '../github/audit.js';
import { createClient } from '../github/client.js';
import type { EtagCache } from '../github/etag-cache.js';
import type { GitHubOctokit } from '../github/octokit.js';
import type { Facts, FileEntry, Read } from '../github/facts.js';
import { createPort, PerformError } from '../github/perform.js';
import { createFacts } from '../github/read-facts.js';
import type { Level } from '../policy/policy.js';
import type { Store, Waiting } from '../store/ledger.js';
import { type Desk, type Handled, NOTHING } from './deps.js';
import { handle } from './handle.js';
import { makeLanes } from './lanes.js';
import { mayMatter } from './may-matter.js';
import { PutOff } from './put-off.js';
import { remember } from './remember.js';

/** What the way in is made of. Time, randomness, GitHub and memory all come in here. */
export interface IntakeDeps {
  readonly store: Store;
  readonly cache: EtagCache;
  /** Octokit with an installation's token; null: as the App itself. */
  readonly octokit: (installation: number | null) => Promise<GitHubOctokit>;
  /** Milliseconds since 1970, UTC. */
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  readonly random: () => number;
  readonly appId: number;
  readonly htmlUrl: string;
  readonly operator: Level | null;
  readonly dryRun: boolean;
  readonly killSwitch: () => boolean;
  readonly markerSecrets: readonly [string, ...string[]];
  readonly audit: (line: AuditLine) => void;
  readonly warn: (what: string) => void;
  /** Told what came of each delivery and of each thing that had waited. */
  readonly onHandled?: (delivery: Delivery, handled: Handled) => void;
}

export interface Intake {
  /** Works on one delivery, after all earlier ones of its repository. Rejects when it should be given again. */
  receive(delivery: Delivery): Promise<void>;
  /** Works on everything whose time has come, one tick at a time. Rejects after the others were done when some could not be. */
  tick(): Promise<void>;
}

/** An owner's first policy file is noticed within a minute. */
const OWNER_FILE_MS = 60_000;

interface Self {
  readonly slug: string;
  readonly botLogin: string;
}

export function createIntake(deps: IntakeDeps): Intake {
  const lanes = makeLanes<number>();
  let self: Promise<Self> | undefined;
  const noOwnerFile = new Map<string, number>();
  const iso = (): string => new Date(deps.now()).toISOString();

  const clientFor = async (installation: number | null) =>
    createClient({
      octokit: await deps.octokit(installation),
      identity: installation === null ? `app:${deps.appId}` : `installation:${installation}`,
      cache: deps.cache,
      now: deps.now,
      sleep: deps.sleep,
      random: deps.random,
    });

  /** The App's own login stands in nothing it is told; a failed look-up is tried again with the next delivery. */
  const whoAmI = (): Promise<Self> => {
    self ??= (async () => {
      const client = await clientFor(null);
      const { slug } = await client.get('GET /app', {}, z.object({ slug: z.string() }));
      return { slug, botLogin: `${slug}[bot]` };
    })();
    self.catch(() => (self = undefined));
    return self;
  };

  /** Most owners have no such file, and to find that out costs three requests that no ETag makes cheaper. */
  const ownerFolder = async (facts: Facts, owner: string): Promise<Read<readonly FileEntry[]>> => {
    if ((noOwnerFile.get(owner) ?? 0) > deps.now()) return { kind: 'absent' };
    const folder = await facts.folder({ owner, name: '.github' }, '.github');
    if (folder.kind === 'absent') noOwnerFile.set(owner, deps.now() + OWNER_FILE_MS);
    else noOwnerFile.delete(owner);
    return folder;
  };

  const deskFor = async (repository: Repository, installation: number): Promise<Desk> => {
    const [client, me] = await Promise.all([clientFor(installation), whoAmI()]);
    const ledger = deps.store.repository(repository.id);
    const facts = createFacts({ client, repository, appId: deps.appId });
    return {
      repository,
      installation,
      ledger,
      facts,
      ownerFolder: () => ownerFolder(facts, repository.owner),
      now: iso,
      warn: deps.warn,
      self: { appId: deps.appId, botId: null, botLogin: me.botLogin },
      operator: deps.operator,
      perform: (effects, under, deliveryId) =>
        createPort({
          client,
          repository,
          ledger,
          clock: { now: deps.now },
          sleep: deps.sleep,
          app: { id: deps.appId, slug: me.slug, botLogin: me.botLogin },
          place: {
            htmlUrl: deps.htmlUrl,
            owner: repository.owner,
            repo: repository.name,
            defaultBranch: repository.defaultBranch,
            prevention: 'off',
          },
          escalate: under.escalate,
          mode: under.mode.value === 'observe' ? 'observe' : 'enforce',
          dryRun: deps.dryRun,
          killSwitch: deps.killSwitch,
          markerSecrets: deps.markerSecrets,
          audit: deps.audit,
        }).perform(effects, deliveryId),
    };
  };

  const work = async (delivery: Delivery, desk: Desk, graceOver: boolean): Promise<void> => {
    try {
      deps.onHandled?.(delivery, await handle(delivery, desk, graceOver));
    } catch (error) {
      if (error instanceof PerformError)
        deps.onHandled?.(delivery, { performed: error.performed, acts: [], mode: null });
      if (error instanceof PutOff) deps.onHandled?.(delivery, error.handled);
      throw error;
    }
  };

  /** A delivery that failed is as if it had not come: its redelivery is worked on. */
  const receive = async (delivery: Delivery): Promise<void> => {
    const { repository, installation } = envelopeOf(delivery);
    if (repository === null || installation === null) return;
    if (deps.killSwitch()) throw new PutOff('the kill switch is on', NOTHING);
    await lanes(repository.id, async () => {
      const ledger = deps.store.repository(repository.id);
      if (!(await ledger.begin(delivery.id))) return;
      try {
        await remember(delivery, { ledger, now: iso() });
        if (await mayMatter(delivery, repository, ledger))
          await work(delivery, await deskFor(repository, installation), false);
      } catch (error) {
        await ledger.forget(delivery.id);
        throw error;
      }
    });
  };

  /** It goes on waiting until it was worked on: an answer that GitHub did not give judges nobody. */
  const workOnDue = async ({ id, due, delivery }: Waiting): Promise<void> => {
    const { repository, installation } = envelopeOf(delivery);
    if (repository === null || installation === null) return;
    await lanes(repository.id, async () => {
      const ledger = deps.store.repository(repository.id);
      const stillWaits = async (): Promise<boolean> =>
        (await ledger.waiting()).some((waiting) => waiting.id === id && waiting.due === due);
      // Another tick may have worked on it while this one stood in the lane.
      if (!(await stillWaits())) return;
      await work(delivery, await deskFor(repository, installation), true);
      // The work may have put it off: then it goes on waiting.
      if (await stillWaits()) await ledger.unwait(id);
    });
  };

  const tickNow = async (): Promise<void> => {
    if (deps.killSwitch()) return;
    const failed: unknown[] = [];
    for (const id of await deps.store.repositories()) {
      const due = (await deps.store.repository(id).waiting()).filter(
        (waiting) => Date.parse(waiting.due) <= deps.now(),
      );
      for (const waiting of due) await workOnDue(waiting).catch((error: unknown) => failed.push(error));
    }
    if (failed.length > 0)
      throw new AggregateError(failed, `${failed.length} waiting deliveries could not be worked on`);
  };
  let ticking: Promise<void> | undefined;

  return {
    receive,
    tick() {
      ticking ??= tickNow().finally(() => (ticking = undefined));
      return ticking;
    },
  };
}
