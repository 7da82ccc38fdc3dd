import { createPublicKey } from 'node:crypto';
import { createAccounts } from '../accounts.js';
import { atEvent } from '../case-error.js';
import { createFetch } from '../fetch.js';
import { refusing } from '../refusing.js';
import { createBudgets } from '../faults/budgets.js';
import { drawing } from '../faults/draw.js';
import { createPatience } from '../faults/told-to-wait.js';
import { keysOf } from '../parse-event.js';
import { type Json, textOf } from '../records.js';
import type {
  Deliver,
  Deliveries,
  Delivery,
  GitHubOptions,
  RepositoryOptions,
  RequestRow,
  Sandbox,
} from '../sandbox.js';
import { appJson } from '../shapes/account.js';
import { guidOf, signed } from '../sign.js';
import { play } from '../webhooks/index.js';
import { createState } from '../world.js';
import type { AppKey } from './admit.js';
import { createDeliveryLog } from './deliveries.js';
import type { Host, Site } from './host.js';
import { identityOf, sameName } from './identity.js';
import { createTokens } from './tokens.js';

const DEFAULT_APP = 777;
const DEFAULT_HOOK = 'https://agent-policy.example/api/github/webhooks';

/** GitHub with one App and any number of repositories. `fetch` reaches all of them. */
export interface GitHub extends Deliveries {
  readonly fetch: typeof globalThis.fetch;
  /** Puts a repository with the world of a case in it. */
  add(options: RepositoryOptions): Sandbox;
  readonly sandboxes: readonly Sandbox[];
  readonly requests: readonly RequestRow[];
}

const HANG_MS = 60_000;

const keyOf = (auth: GitHubOptions['auth'], appId: number): AppKey | null => {
  if (auth === undefined || auth === 'open') return null;
  const { publicKey } = auth;
  return {
    id: appId,
    clientId: textOf(appJson({ id: appId, slug: 'agent-policy' })['client_id']) ?? '',
    publicKey: typeof publicKey === 'string' ? createPublicKey(publicKey) : publicKey,
  };
};

const counters = (): ((kind: string) => number) => {
  const last = new Map<string, number>();
  return (kind) => {
    const id = (last.get(kind) ?? 1_000) + 1;
    last.set(kind, id);
    return id;
  };
};

/** A GitHub in memory, with no repository yet. */
export const createGitHub = (options: GitHubOptions): GitHub => {
  const { clock, webhookSecret, appId = DEFAULT_APP } = options;
  const nextId = counters();
  const sites: Site[] = [];
  const sandboxes: Sandbox[] = [];
  const host: Host = {
    clock,
    appId,
    accounts: createAccounts(appId),
    sites,
    key: keyOf(options.auth, appId),
    tokens: createTokens(clock),
    deliveries: createDeliveryLog(clock, () => nextId('delivery')),
    hookUrl: options.hookUrl ?? DEFAULT_HOOK,
    requests: [],
    draw: drawing(options.faults),
    patience: createPatience(clock, options.faults),
    budgets: createBudgets(clock, options.rateLimit),
    hang: options.faults?.hang ?? HANG_MS,
    keep: options.keep ?? Infinity,
    nextId,
  };
  const fetch = createFetch(host);
  let count = 0;

  const { rows, outcome, takeRedeliveries, onRedelivery } = host.deliveries;
  const { impatient } = host.patience;
  const shared = { fetch, impatient, outcome, takeRedeliveries, onRedelivery };

  const sandboxOf = ({ state, written, requests, unknownEndpoints }: Site): Sandbox => {
    const playAll = (event: Deliver, repetition: number): readonly Json[] =>
      atEvent(event, () => play(state, event.name, event.action, keysOf(event, repetition)));

    const deliverAll: Sandbox['deliverAll'] = (event, repetition) => {
      const payloads = playAll(event, repetition);
      if (event.keys['drop'] === true) return [];
      return payloads.map((payload): Delivery => {
        count += 1;
        const delivery = signed(event.name, guidOf(count), payload, webhookSecret, appId);
        const { id, installation } = state.repo;
        host.deliveries.sent(delivery, {
          action: textOf(payload['action']) ?? null,
          installation,
          repository: id,
        });
        return delivery;
      });
    };

    return {
      ...shared,
      get deliveries() {
        return rows();
      },
      deliverAll,
      deliver: (event, repetition) => {
        const sent = deliverAll(event, repetition);
        const [only] = sent;
        if (only === undefined || sent.length > 1) {
          throw new Error(`${event.title} sends ${sent.length} deliveries; deliverAll gives them`);
        }
        return only;
      },
      happen: (event, repetition) => {
        playAll(event, repetition);
      },
      written,
      requests,
      unknownEndpoints,
      state,
      sha: (short) => state.shas.full(short),
      short: (sha) => state.shas.short(sha),
    };
  };

  return {
    ...shared,
    get deliveries() {
      return rows();
    },
    sandboxes,
    requests: host.requests,
    add: (given) => {
      const repo = identityOf(given, host.accounts);
      const taken = sites.find(({ state }) => state.repo.id === repo.id || sameName(state.repo, repo));
      if (taken !== undefined) throw new Error(`${repo.fullName} (${repo.id}) is there already.`);
      const state = createState({
        repo,
        lag: options.lag ?? 0,
        world: given.world,
        policy: given.policy,
        clock,
        appId,
        accounts: host.accounts,
        nextId,
        events: given.events ?? [],
        ...(given.desiredRuleset === undefined ? {} : { desiredRuleset: given.desiredRuleset }),
      });
      const refuse = refusing(given.world.fail ?? []);
      const site: Site = { state, refuse, written: [], requests: [], unknownEndpoints: [] };
      sites.push(site);
      const sandbox = sandboxOf(site);
      sandboxes.push(sandbox);
      return sandbox;
    },
  };
};
