import { createHmac } from 'node:crypto';
import type { Delivery } from './sandbox.js';

const HOOK_ID = 4_321;

/** A GUID that only counts: the same case always sends the same ones. */
export const guidOf = (count: number): string =>
  `00000000-0000-4000-8000-${count.toString(16).padStart(12, '0')}`;

/** `X-Hub-Signature-256` of a body: HMAC-SHA256 over its bytes. */
export const signatureOf = (secret: string, body: string): string =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

/** A payload as GitHub delivers it: raw body, headers, signature. */
export const signed = (
  name: string,
  guid: string,
  payload: unknown,
  secret: string,
  appId: number,
): Delivery => {
  const body = JSON.stringify(payload);
  return {
    guid,
    name,
    body,
    headers: {
      accept: '*/*',
      'content-type': 'application/json',
      'user-agent': 'GitHub-Hookshot/a1b2c3d',
      'x-github-delivery': guid,
      'x-github-event': name,
      'x-github-hook-id': String(HOOK_ID),
      'x-github-hook-installation-target-id': String(appId),
      'x-github-hook-installation-target-type': 'integration',
      'x-hub-signature-256': signatureOf(secret, body),
    },
  };
};
