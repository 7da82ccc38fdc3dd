import { createHash } from 'node:crypto';
import type { Clock } from '../sandbox.js';

/** An installation token is good for an hour, in milliseconds. */
export const TOKEN_LIFE = 3_600_000;

/** What an installation token may be used for. */
export interface Grant {
  readonly token: string;
  readonly installation: number;
  /** Ids of the repositories it was asked for; null: all of the installation. */
  readonly repositories: readonly number[] | null;
  /** Permission → `read` or `write`. */
  readonly permissions: Readonly<Record<string, string>>;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

export interface Tokens {
  mint(asked: Pick<Grant, 'installation' | 'repositories' | 'permissions'>): Grant;
  /** Undefined: never minted, expired or revoked. */
  find(token: string): Grant | undefined;
  revoke(token: string): void;
}

/** Installation tokens by the sandbox's clock. The same requests in the same order get the same tokens. */
export const createTokens = (clock: Clock): Tokens => {
  const grants = new Map<string, Grant>();
  let count = 0;
  return {
    mint: (asked) => {
      count += 1;
      const digest = createHash('sha256').update(`token ${count}`).digest('hex').slice(0, 36);
      const grant = { ...asked, token: `ghs_${digest}`, expiresAt: clock.now() + TOKEN_LIFE };
      grants.set(grant.token, grant);
      return grant;
    },
    find: (token) => {
      const grant = grants.get(token);
      if (grant === undefined || grant.expiresAt > clock.now()) return grant;
      grants.delete(token);
      return undefined;
    },
    revoke: (token) => {
      grants.delete(token);
    },
  };
};
