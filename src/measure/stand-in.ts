import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What a measured server and the GitHub beside it agree on. */
export const APP_ID = 777;
export const SECRET = 'the webhook secret of the measurements';
export const PREVIOUS_SECRET = 'the webhook secret before it';
export const WEBHOOK_PATH = '/api/github/webhooks';

/** A folder of its own for a run, with a key for the App that nothing outside ever sees. */
export interface Place {
  readonly folder: string;
  readonly privateKey: string;
  remove(): void;
}

export const createPlace = (parent = tmpdir()): Place => {
  const folder = mkdtempSync(join(parent, 'agent-policy-measure-'));
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  });
  return { folder, privateKey, remove: () => rmSync(folder, { recursive: true, force: true }) };
};

/** The environment of a server that is measured: `github` is the address of the GitHub beside it. */
export const environmentOf = (
  { privateKey }: Place,
  github: string,
  store: string,
): Readonly<Record<string, string>> => ({
  NODE_ENV: 'production',
  LOG_LEVEL: 'warn',
  LOG_FORMAT: 'json',
  APP_ID: String(APP_ID),
  PRIVATE_KEY: privateKey,
  WEBHOOK_SECRET: SECRET,
  WEBHOOK_SECRET_PREVIOUS: PREVIOUS_SECRET,
  WEBHOOK_PATH,
  GITHUB_API_URL: github,
  AGENT_POLICY_STORE: store,
});
