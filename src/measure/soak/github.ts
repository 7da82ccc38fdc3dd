import { generateKeyPairSync } from 'node:crypto';
import { createGitHub } from '../../sandbox/app/github.js';
import { FAULTS, type FaultKind, type FaultOptions } from '../../sandbox/faults/draw.js';
import type { Impatience } from '../../sandbox/faults/told-to-wait.js';
import { type Served, serveSandbox } from '../../sandbox/http/serve.js';
import type { Deliveries, Sandbox } from '../../sandbox/sandbox.js';
import { type Books, createBooks } from './books.js';
import { createRandom } from '../random.js';
import { POLICY } from './cast.js';
import { tally } from './difference.js';
import { look } from './seen.js';

export const APP_ID = 777;
export const SECRET = 'the secret of the soak';

/** Every fifth repository shares an installation, and so what it is told to wait, with the one before it. */
const SHARING = 5;
const installationOf = (index: number): number => index - Math.floor((index + 1) / SHARING);
/** Real milliseconds after which a request that hangs ends, beside the two seconds the server waits. */
const HANG_MS = 5_000;
/** Of each kind as many as of any other, but of the limit that says no time: that one closes an installation for a minute and more. */
const KINDS: readonly FaultKind[] = FAULTS.flatMap((kind) =>
  kind === 'secondary-unsaid' ? [kind] : Array.from({ length: 8 }, () => kind),
);
export interface SoakGitHubOptions {
  readonly seed: string;
  readonly repositories: number;
  readonly faults: number;
  readonly lag: number;
}

/** A request as it comes in, before anything of it is done. `answer` does it. */
export type Between = (method: string, path: string, answer: () => Promise<Response>) => Promise<Response>;

export interface Site {
  readonly books: Books;
  readonly sandbox: Sandbox;
}

/** A GitHub with many repositories, on a port of this machine, whose clock can be moved on. */
export interface SoakGitHub extends Pick<Deliveries, 'deliveries' | 'outcome' | 'onRedelivery'> {
  readonly url: string;
  readonly privateKey: string;
  readonly sites: readonly Site[];
  /** Milliseconds that its clock is ahead of the machine's. */
  ahead: number;
  /** Whether requests meet faults; not at first. */
  failing: boolean;
  readonly requests: number;
  /** How many requests met which fault. */
  readonly faults: ReadonlyMap<string, number>;
  readonly impatient: readonly Impatience[];
  close(): Promise<void>;
}

const numbered = (seed: string): number => createRandom(seed, 'faults').below(2 ** 31);

/** Starts it. `between` stands before every request. */
export const startGitHub = async (options: SoakGitHubOptions, between: Between): Promise<SoakGitHub> => {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  });
  let ahead = 0;
  let requests = 0;
  let failing = false;
  const clock = { now: () => Date.now() + ahead };
  const faults: FaultOptions = {
    seed: numbered(options.seed),
    share: options.faults,
    kinds: KINDS,
    hang: HANG_MS,
    wait: [1, 1],
    only: () => failing,
  };
  const github = createGitHub({
    clock,
    webhookSecret: SECRET,
    appId: APP_ID,
    auth: { publicKey },
    lag: options.lag,
    ...(options.faults === 0 ? {} : { faults }),
  });

  const sites = Array.from({ length: options.repositories }, (_, index): Site => {
    const place = installationOf(index) + 1;
    const repository = { id: index + 1, owner: `owner-${place}`, name: `project-${index + 1}` };
    const installation = 5_000 + place;
    const sandbox = github.add({ repository, installation, world: {}, policy: POLICY });
    const passed = (head: string): boolean => {
      const shown = clock.now() - options.lag;
      const sha = sandbox.sha(head);
      const runs = [...sandbox.state.checks.of(sha)].filter(
        ({ app, startedAt }) => app === APP_ID && startedAt < shown,
      );
      return runs.at(-1)?.conclusion === 'success';
    };
    const random = createRandom(options.seed, 'story', index);
    const books = createBooks({
      ...repository,
      installation,
      random,
      sha: (short) => sandbox.sha(short),
      passed,
    });
    return { books, sandbox };
  });

  const fetch: typeof globalThis.fetch = (input, init) => {
    requests += 1;
    const request = new Request(input, init);
    const { pathname } = new URL(request.url);
    return between(request.method, pathname, async () => unlimited(await github.fetch(request)));
  };
  const served: Served = await serveSandbox({ fetch });

  return {
    url: served.url,
    privateKey,
    sites,
    get ahead() {
      return ahead;
    },
    set ahead(ms) {
      ahead = ms;
    },
    get failing() {
      return failing;
    },
    set failing(whether) {
      failing = whether;
    },
    get requests() {
      return requests;
    },
    get faults() {
      return tally(github.requests.flatMap(({ fault }) => (fault === null ? [] : [fault])));
    },
    impatient: github.impatient,
    get deliveries() {
      return github.deliveries;
    },
    outcome: (guid, outcome) => github.outcome(guid, outcome),
    onRedelivery: (take) => github.onRedelivery(take),
    close: () => served.close(),
  };
};

/** An Enterprise Server counts nothing until it refuses. */
const unlimited = (response: Response): Response => {
  if (response.headers.get('x-ratelimit-remaining') === '0') return response;
  for (const name of [...response.headers.keys()])
    if (name.startsWith('x-ratelimit-')) response.headers.delete(name);
  return response;
};

export const lookAt = ({ sandbox }: Site) => look(sandbox.state);
