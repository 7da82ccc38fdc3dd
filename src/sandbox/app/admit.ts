import type { KeyObject } from 'node:crypto';
import { type Answer, failed, notFound } from '../rest/answer.js';
import type { State } from '../state.js';
import type { Caller } from './caller.js';
import { readJwt } from './jwt.js';
import { type Access, accessTo } from './permissions.js';

/** The App as GitHub knows it: its id, its client id and the key its tokens are verified with. */
export interface AppKey {
  readonly id: number;
  readonly clientId: string;
  readonly publicKey: KeyObject;
}

const BAD_CREDENTIALS = failed(401, 'Bad credentials');
const NO_ACCESS = 'Resource not accessible by integration';

const asApp = (caller: Caller, key: AppKey, now: number): Answer | undefined => {
  if (caller.kind !== 'jwt') return failed(401, 'A JSON web token could not be decoded');
  const jwt = readJwt(caller.token, key, now);
  return jwt.kind === 'app' ? undefined : failed(jwt.status, jwt.message);
};

const covers = (granted: string | undefined, level: 'read' | 'write'): boolean =>
  granted === 'write' || granted === 'admin' || (level === 'read' && granted === 'read');

/** An installation's token on one repository: is it one of its own, and may it do this there? */
const onRepository = (
  caller: Extract<Caller, { kind: 'installation' }>,
  access: Extract<Access, { kind: 'permission' }>,
  state: State,
): Answer | undefined => {
  const { grant } = caller;
  const read = access.public && !state.private;
  const chosen = grant.repositories === null || grant.repositories.includes(state.repo.id);
  const own = chosen && grant.installation === state.repo.installation;
  if (!own) return read ? undefined : state.private ? notFound() : failed(403, NO_ACCESS);
  if (access.name === 'metadata' || covers(grant.permissions[access.name], access.level) || read)
    return undefined;
  const refused = failed(403, NO_ACCESS);
  return { ...refused, headers: { 'x-accepted-github-permissions': `${access.name}=${access.level}` } };
};

/**
 * What GitHub answers to somebody who may not ask for this; undefined where they may. `state` is the repository that is
 * asked about; undefined for an endpoint that names none.
 */
export const refusalOf = (
  endpoint: string,
  caller: Caller,
  state: State | undefined,
  key: AppKey,
  now: number,
): Answer | undefined => {
  const access = accessTo(endpoint);
  if (access.kind === 'app') return asApp(caller, key, now);
  if (caller.kind === 'unknown') return BAD_CREDENTIALS;
  if (access.kind === 'anyone') return undefined;
  if (caller.kind === 'jwt') return BAD_CREDENTIALS;
  if (caller.kind === 'nobody') {
    if (access.kind === 'permission' && access.public && state?.private === false) return undefined;
    return state?.private === true ? notFound() : failed(401, 'Requires authentication');
  }
  if (access.kind === 'installation') return undefined;
  if (state !== undefined) return onRepository(caller, access, state);
  return covers(caller.grant.permissions[access.name], access.level) ? undefined : failed(403, NO_ACCESS);
};
