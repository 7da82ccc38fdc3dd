import { type KeyObject, verify } from 'node:crypto';
import { isRecord, type Json, numberOf, textOf } from '../records.js';

/** GitHub refuses a token that is good for longer, in seconds. */
const LONGEST = 600;
/** How far the App's clock may be ahead of GitHub's, in seconds. */
const SKEW = 60;

/** The App a token speaks for, or why GitHub does not take it. */
export type Jwt =
  | { readonly kind: 'app'; readonly id: number }
  | { readonly kind: 'refused'; readonly status: 401 | 404; readonly message: string };

const refused = (message: string, status: 401 | 404 = 401): Jwt => ({ kind: 'refused', status, message });
const UNREADABLE = refused('A JSON web token could not be decoded');

const decoded = (part: string | undefined): Json | undefined => {
  try {
    const json: unknown = JSON.parse(Buffer.from(part ?? '', 'base64url').toString());
    return isRecord(json) ? json : undefined;
  } catch {
    return undefined;
  }
};

/** True for what looks like a JSON Web Token: three parts, the first of which reads as its header. */
export const looksLikeJwt = (token: string): boolean => {
  const parts = token.split('.');
  return parts.length === 3 && decoded(parts[0])?.['alg'] !== undefined;
};

/** The issuer a token names, looked at no further; undefined where it names none. */
export const issuerOf = (token: string): number | undefined => {
  const issuer = Number(textOf(decoded(token.split('.')[1])?.['iss']) ?? Number.NaN);
  return Number.isInteger(issuer) ? issuer : undefined;
};

/**
 * Looks at an App's token as GitHub does: RS256 by the App's key, `iss` the App's id or its client id, `exp` at most
 * ten minutes ahead, `iat` at most a minute. `now` is milliseconds since 1970.
 * https://docs.github.com/apps/creating-github-apps/authenticating-with-a-github-app/generating-a-json-web-token-jwt-for-a-github-app
 */
export const readJwt = (
  token: string,
  app: { readonly id: number; readonly clientId: string; readonly publicKey: KeyObject },
  now: number,
): Jwt => {
  const [header, payload, signature, ...more] = token.split('.');
  const claims = decoded(payload);
  if (signature === undefined || more.length > 0 || claims === undefined) return UNREADABLE;
  if (decoded(header)?.['alg'] !== 'RS256') return UNREADABLE;
  const signed = Buffer.from(`${String(header)}.${String(payload)}`);
  if (!verify('RSA-SHA256', signed, app.publicKey, Buffer.from(signature, 'base64url'))) return UNREADABLE;
  const issuer = textOf(claims['iss']);
  if (issuer !== String(app.id) && issuer !== app.clientId) return refused('Integration not found', 404);
  const seconds = Math.floor(now / 1_000);
  const expires = numberOf(claims['exp']);
  const issued = numberOf(claims['iat']);
  if (expires === undefined || expires <= seconds) {
    return refused(
      "'Expiration time' claim ('exp') must be a numeric value representing the future time at which the assertion expires",
    );
  }
  if (expires > seconds + LONGEST) return refused("'Expiration time' claim ('exp') is too far in the future");
  if (issued === undefined || issued > seconds + SKEW) {
    return refused(
      "'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued",
    );
  }
  return { kind: 'app', id: app.id };
};
