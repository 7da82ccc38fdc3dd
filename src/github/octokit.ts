import type { Octokit } from '@octokit/core';

/** What the App needs of an Octokit: Probot's, authenticated for one installation, or a bare one in tests. */
export type GitHubOctokit = Pick<Octokit, 'request' | 'graphql' | 'hook'>;

/**
 * 2026-03-10 takes `merge_commit_sha` out of every PR answer; 2022-11-28 is supported until 2028-03-10.
 * https://docs.github.com/rest/about-the-rest-api/breaking-changes
 */
export const API_VERSION = '2022-11-28';

/** Milliseconds after which a request without an answer is given up. Node's fetch alone waits five minutes. */
export const REQUEST_TIMEOUT = 30_000;

const prepared = new WeakSet<object>();

type Fetch = typeof globalThis.fetch;

const withTimeout =
  (fetch: Fetch, timeout: number): Fetch =>
  (input, init) => {
    const limit = AbortSignal.timeout(timeout);
    const signal = init?.signal ? AbortSignal.any([init.signal, limit]) : limit;
    return fetch(input, { ...init, signal });
  };

/**
 * Makes every request of this Octokit, reads and writes, name the API version and end after REQUEST_TIMEOUT. Octokit
 * and Probot do neither. Doing it twice is doing it once.
 */
export const pinApiVersion = (octokit: GitHubOctokit, timeout: number = REQUEST_TIMEOUT): void => {
  if (prepared.has(octokit.hook)) return;
  prepared.add(octokit.hook);
  octokit.hook.before('request', (options) => {
    options.headers['x-github-api-version'] = API_VERSION;
    // The time limit stands around fetch itself, so that waiting in Probot's throttle does not count.
    options.request = {
      ...options.request,
      fetch: withTimeout(options.request?.fetch ?? globalThis.fetch, timeout),
    };
  });
};
