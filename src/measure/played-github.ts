import { createGitHub } from '../sandbox/app/github.js';
import { type Served, serveSandbox } from '../sandbox/http/serve.js';
import type { Deliver, Sandbox } from '../sandbox/sandbox.js';
import { APP_ID, SECRET } from './stand-in.js';

/** A GitHub in memory on the loopback, whose repositories one installation reaches. */
export interface PlayedGitHub {
  readonly url: string;
  readonly repositories: readonly Sandbox[];
  /** Requests so far, and those of them that wrote; those for tokens are left out. */
  counts(): { readonly requests: number; readonly writes: number };
  /** Told of each check run that is asked for: whose head it is. */
  onCheck(listener: (sha: string) => void): void;
  close(): Promise<void>;
}

const POLICY = `version: 1
merge: pr
agents:
  alpha: { apps: [1001], accounts: [9001] }
people: { approvals: 1, approvers: [otto, mara, rae] }
limits: { open-pulls: 100, pulls-per-hour: 100 }
`;

const INSTALLATION = 4_242;

/** An event as a case would have it (docs/simulate.md). */
export const event = (
  name: string,
  action: string | null,
  keys: Readonly<Record<string, unknown>>,
): Deliver => ({
  kind: 'deliver',
  title: action === null ? name : `${name}.${action}`,
  name,
  action,
  keys,
});

const headOf = async (request: Request): Promise<string | null> => {
  const body: unknown = await request.json();
  const sha = typeof body === 'object' && body !== null && 'head_sha' in body ? body.head_sha : null;
  return typeof sha === 'string' ? sha : null;
};

export const playGitHub = async (repositories: number): Promise<PlayedGitHub> => {
  const github = createGitHub({ clock: { now: Date.now }, webhookSecret: SECRET, appId: APP_ID });
  const sandboxes = Array.from({ length: repositories }, (_, at) =>
    github.add({
      world: {},
      policy: POLICY,
      repository: { id: at + 1, owner: 'acme', name: `repository-${at + 1}` },
      installation: INSTALLATION,
    }),
  );
  let told: (sha: string) => void = () => undefined;
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    if (request.method === 'POST' && new URL(request.url).pathname.endsWith('/check-runs')) {
      const sha = await headOf(request.clone());
      if (sha !== null) told(sha);
    }
    return github.fetch(request);
  };
  const served: Served = await serveSandbox({ fetch });
  return {
    url: served.url,
    repositories: sandboxes,
    counts() {
      const asked = github.requests.filter(({ request }) => !request.endsWith('/access_tokens'));
      const writes = asked.filter(({ request }) => !request.startsWith('GET '));
      return { requests: asked.length, writes: writes.length };
    },
    onCheck(listener) {
      told = listener;
    },
    close: () => served.close(),
  };
};
