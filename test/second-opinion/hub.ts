import type { IncomingHttpHeaders } from 'node:http';

/** One delivery as it arrived: headers and raw bytes. */
export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
}

/**
 * A GitHub over HTTP that a test can look at: `acme/widgets`, public, with README.md and docs/a.md on main; `acme/gears`,
 * private; App 777 installed on both; a PR that mara opened from `feature`, which adds src/b.ts.
 */
export interface Hub {
  /** The address of its REST API. */
  readonly url: string;
  /** Tip of main. */
  readonly main: string;
  readonly pull: { readonly number: number; readonly head: string };
  /** Mara opens an issue, and GitHub sends the webhook of it; settles when the issue is there. */
  personOpensIssue(title: string): Promise<void>;
  /** What the App's webhook address got so far. */
  readonly received: readonly Received[];
  close(): Promise<void>;
}

export const APP = 777;
export const INSTALLATION = 424_242;
export const WEBHOOK_SECRET = 'a secret of both';
export const PLACE = { owner: 'acme', repo: 'widgets' } as const;
