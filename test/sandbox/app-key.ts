import { createPublicKey, createSign } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** The key of no App: see test/fixtures/README.md. */
export const PRIVATE_KEY = readFileSync('test/fixtures/app-key.pem', 'utf8');
export const PUBLIC_KEY = createPublicKey(PRIVATE_KEY);

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A JSON Web Token with these claims, signed as an App signs its own; `key`: with another key. */
export const jwt = (
  claims: Readonly<Record<string, unknown>>,
  key = PRIVATE_KEY,
  header: Readonly<Record<string, unknown>> = { alg: 'RS256', typ: 'JWT' },
): string => {
  const signed = `${part(header)}.${part(claims)}`;
  return `${signed}.${createSign('RSA-SHA256').update(signed).sign(key, 'base64url')}`;
};

/** What App 777 would send at an instant (milliseconds). */
export const appJwt = (nowMs: number, over: Readonly<Record<string, unknown>> = {}): string => {
  const now = Math.floor(nowMs / 1_000);
  return jwt({ iat: now - 60, exp: now + 540, iss: 777, ...over });
};
