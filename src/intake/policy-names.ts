import { catalogueNames } from '../agents/catalogue.js';
import type { KnownNames } from '../policy/load.js';
import type { Desk } from './deps.js';
import { parseKnown } from './policy-version.js';

export const CATALOGUE_NAMES: KnownNames = { catalogue: catalogueNames() };

/** Names a repository's file may use: the catalogue's, and the agents its owner's file declares. */
export async function namesFor(desk: Desk): Promise<KnownNames> {
  const [org] = await desk.ledger.policies('org');
  const file = org === undefined ? null : parseKnown(org, 'org');
  const declared = Object.keys(file?.content.agents ?? {});
  return { ...CATALOGUE_NAMES, declared };
}
