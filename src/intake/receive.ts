import { z } from 'zod';
import { type Delivery, envelopeOf } from '../acts/payload.js';
import type { Repository } from '../acts/act.js';
import type { AuditLine } from '../github/audit.js';
import type { Client } from '../github/client.js';
import type { Facts, FileEntry, Read } from '../github/facts.js';
import type { Lane } from '../github/lane.js';
import { leftUntil } from '../github/left-until.js';
import { createOurs } from '../github/ours.js';
import { createPort, PerformError } from '../github/perform.js';
import { createFacts } from '../github/read-facts.js';
import type { Level } from '../policy/policy.js';
import type { Waiting } from '../store/ledger.js';
import type { KnownRepository, Store } from '../store/store.js';
import type { Desk, Handled } from './deps.js';
import { handle } from './handle.js';
import { makeLanes } from './lanes.js';
import { mayMatter } from './may-matter.js';
import { PutOff } from './put-off.js';
import { remember } from './remember.js';
import { type Turn, WAITED } from './turn.js';
import { requireReadable } from './unread-payload.js';

/** What work on deliveries is made of. Time, GitHub and memory all come in here. */
export interface IntakeDeps {
  readonly store: Pick<Store, 'repository' | 'saveRepository'>;
  /** GitHub as an installation sees it; null: as the App itself does. */
  readonly client: (installation: number | null, lane: Lane) => Promise<Client>;
  /** Milliseconds since 1970, UTC. */
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
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
  /**
   * Works on one delivery, after all that were given before for its repository. Rejects when it should be given again:
   * every effect is looked for before it is made, so nothing is done twice.
   */
  receive(delivery: Delivery, turn: Turn): Promise<void>;
  /** Works on what waited for its time. It goes on waiting when this rejects. */
  resume(waiting: Waiting): Promise<void>;
  /** What work on a repository is done with. */
  deskFor(repository: Repository, installation: number, lane: Lane): Promise<Desk>;
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
  const seen = new Map<number, string>();
  const iso = (): string => new Date(deps.now()).toISOString();

  /** The App's own login stands in nothing it is told; a failed look-up is tried again with the next delivery. */
  const whoAmI = (): Promise<Self> => {
    self ??= (async () => {
      const client = await deps.client(null, 'people');
      const { slug } = await client.get('GET /app', {}, z.object({ slug: z.string() }));
      return { slug, botLogin: `${slug}[bot]` };
    })();
    self.catch(() => (self = undefined));
    return self;
  };

  /** Most owners have no such file, and to find that out costs three requests that no ETag makes cheaper. */
  const ownerFolder = async (facts: Facts, owner: string): Promise<Read<readonly FileEntry[]>> => {
    if (leftUntil(noOwnerFile.get(owner) ?? 0, deps.now(), OWNER_FILE_MS) > 0) return { kind: 'absent' };
    const folder = await facts.folder({ owner, name: '.github' }, '.github');
    if (folder.kind === 'absent') noOwnerFile.set(owner, deps.now() + OWNER_FILE_MS);
    else noOwnerFile.delete(owner);
    return folder;
  };

  /** Names change, and sweeps and exports ask for them by id. */
  const see = async ({ id, owner, name }: Repository, installation: number): Promise<void> => {
    const known: KnownRepository = { id, owner, name, installation, seenAt: iso() };
    const text = JSON.stringify([owner, name, installation]);
    if (seen.get(id) === text) return;
    await deps.store.saveRepository(known);
    seen.set(id, text);
  };

  const deskFor = async (repository: Repository, installation: number, lane: Lane): Promise<Desk> => {
    const [client, me] = await Promise.all([deps.client(installation, lane), whoAmI()]);
    const ledger = deps.store.repository(repository.id);
    const facts = createFacts({ client, repository, appId: deps.appId });
    return {
      repository,
      installation,
      ledger,
      facts,
      ours: createOurs({ client, repository, app: me, markerSecrets: deps.markerSecrets }),
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

  const work = async (delivery: Delivery, desk: Desk, graceOver: boolean, turn: Turn): Promise<void> => {
    try {
      // Apart from the call: where nobody listens, the arguments of an optional call are not even evaluated.
      const handled = await handle(delivery, desk, graceOver, turn);
      deps.onHandled?.(delivery, handled);
    } catch (error) {
      if (error instanceof PerformError)
        deps.onHandled?.(delivery, { performed: error.performed, acts: [], mode: null });
      if (error instanceof PutOff) deps.onHandled?.(delivery, error.handled);
      throw error;
    }
  };

  const receive = async (delivery: Delivery, turn: Turn): Promise<void> => {
    requireReadable(delivery);
    const { repository, installation } = envelopeOf(delivery);
    if (repository === null || installation === null) return;
    await lanes(repository.id, async () => {
      const ledger = deps.store.repository(repository.id);
      await see(repository, installation);
      await remember(delivery, { ledger, now: iso() });
      if (await mayMatter(delivery, repository, ledger))
        await work(delivery, await deskFor(repository, installation, turn.lane), false, turn);
    });
  };

  /** It goes on waiting until it was worked on: an answer that GitHub did not give judges nobody. */
  const resume = async ({ id, due, delivery }: Waiting): Promise<void> => {
    const { repository, installation } = envelopeOf(delivery);
    if (repository === null || installation === null) return;
    await lanes(repository.id, async () => {
      const ledger = deps.store.repository(repository.id);
      const stillWaits = async (): Promise<boolean> =>
        (await ledger.waiting()).some((waiting) => waiting.id === id && waiting.due === due);
      // Another tick may have worked on it while this one stood in the lane.
      if (!(await stillWaits())) return;
      await work(delivery, await deskFor(repository, installation, WAITED.lane), true, WAITED);
      // The work may have put it off: then it goes on waiting.
      if (await stillWaits()) await ledger.unwait(id);
    });
  };

  return { receive, resume, deskFor };
}
