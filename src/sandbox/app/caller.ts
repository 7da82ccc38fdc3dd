import { createHash } from 'node:crypto';
import { issuerOf, looksLikeJwt } from './jwt.js';
import type { Grant, Tokens } from './tokens.js';

/**
 * Who sent a request. `identity` is what GitHub counts its limits by: the App (`app:777`), an installation whatever its
 * token (`installation:424242`), a token nobody minted, or nobody.
 */
export type Caller =
  | { readonly kind: 'nobody'; readonly identity: string }
  | { readonly kind: 'jwt'; readonly identity: string; readonly token: string }
  | { readonly kind: 'installation'; readonly identity: string; readonly grant: Grant }
  | { readonly kind: 'unknown'; readonly identity: string };

const TOKEN = /^(?:bearer|token)\s+(\S+)$/i;

export const callerOf = (authorization: string | null, tokens: Tokens): Caller => {
  const token = TOKEN.exec(authorization ?? '')?.[1];
  if (token === undefined) return { kind: 'nobody', identity: 'nobody' };
  if (looksLikeJwt(token)) return { kind: 'jwt', identity: `app:${issuerOf(token) ?? '?'}`, token };
  const grant = tokens.find(token);
  if (grant !== undefined)
    return { kind: 'installation', identity: `installation:${grant.installation}`, grant };
  const digest = createHash('sha256').update(token).digest('hex').slice(0, 12);
  return { kind: 'unknown', identity: `token:${digest}` };
};
