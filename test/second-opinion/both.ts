import { afterAll, beforeAll, describe, test } from '@jest/globals';
import { Octokit } from '@octokit/core';
import { appJwt } from '../sandbox/app-key.js';
import { differs } from './differs.js';
import { APP, type Hub, INSTALLATION } from './hub.js';
import { onEmulate } from './on-emulate.js';
import { onSandbox } from './on-sandbox.js';

/** Who asks: the App by its JWT, a token, or nobody. */
export const as = (hub: Hub, token?: string): Octokit =>
  new Octokit({ baseUrl: hub.url, ...(token === undefined ? {} : { auth: token }) });

export const jwtOf = (over: Readonly<Record<string, unknown>> = {}): string =>
  appJwt(Date.now(), { iss: APP, ...over });

/** An installation token, for all or for some of what the installation may. */
export const tokenOf = async (
  hub: Hub,
  some: { repositories?: string[]; permissions?: Record<string, string> } = {},
): Promise<string> => {
  const { data } = await as(hub, jwtOf()).request('POST /app/installations/{installation_id}/access_tokens', {
    installation_id: INSTALLATION,
    ...some,
  });
  return data.token;
};

/** The App on its installation. */
export const asInstallation = async (hub: Hub): Promise<Octokit> => as(hub, await tokenOf(hub));

/** The status of an answer, of a refusal too. */
export const statusOf = async (answer: Promise<{ status: number }>): Promise<number> => {
  try {
    return (await answer).status;
  } catch (error) {
    if (error instanceof Error && 'status' in error && typeof error.status === 'number') return error.status;
    throw error;
  }
};

type Check = (rule: string, work: (hub: Hub) => Promise<void>) => void;

const HUBS = [
  ['the sandbox', onSandbox],
  ['emulate', onEmulate],
] as const;

/**
 * The same tests against the sandbox and against emulate. What emulate does otherwise than GitHub documents stands in
 * `differs`: there the test has to fail on emulate, so that an entry that is no longer true is noticed.
 */
export const onBoth = (subject: string, rules: (check: Check) => void): void => {
  describe.each(HUBS)(`${subject}: %s`, (where, open) => {
    let hub: Hub;
    beforeAll(async () => {
      hub = await open();
    });
    afterAll(() => hub.close());
    rules((rule, work) => {
      const run = where === 'emulate' && differs.has(rule) ? test.failing : test;
      run(rule, () => work(hub));
    });
  });
};
