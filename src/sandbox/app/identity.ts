import { type Accounts, ORGANIZATION } from '../accounts.js';
import type { RepositoryOptions } from '../sandbox.js';
import { API, HTML } from '../shapes/urls.js';
import type { RepositoryIdentity } from '../state.js';

const DEFAULT = { id: 1, owner: ORGANIZATION.login, name: 'widgets' };
const DEFAULT_INSTALLATION = 424_242;
const LARGEST_ID = 1_000_000;

/**
 * Which repository the options mean, and by which installation it is reached.
 * @throws {RangeError} for an id that is not from 1 to a million
 */
export const identityOf = (options: RepositoryOptions, accounts: Accounts): RepositoryIdentity => {
  const { id, owner: login, name } = options.repository ?? DEFAULT;
  if (!Number.isInteger(id) || id < 1 || id > LARGEST_ID) {
    throw new RangeError(`A repository of the sandbox has an id from 1 to ${LARGEST_ID}, not ${id}.`);
  }
  const owner = accounts.organization(login);
  const fullName = `${owner.login}/${name}`;
  return {
    id,
    owner,
    name,
    fullName,
    installation: options.installation ?? DEFAULT_INSTALLATION + owner.id - ORGANIZATION.id,
    api: `${API}/repos/${fullName}`,
    html: `${HTML}/${fullName}`,
  };
};

export const sameName = (a: RepositoryIdentity, b: RepositoryIdentity): boolean =>
  a.fullName.toLowerCase() === b.fullName.toLowerCase();
