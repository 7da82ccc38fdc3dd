import { catalogueNames } from '../agents/catalogue.js';
import { type KnownNames, loadPolicyFile } from '../policy/load.js';
import type { Desk } from './deps.js';

export const CATALOGUE_NAMES: KnownNames = { catalogue: catalogueNames() };

/** Names a repository's file may use: the catalogue's, and the agents its owner's file declares. */
export async function namesFor(desk: Desk): Promise<KnownNames> {
  const [org] = await desk.ledger.policies('org');
  const loaded = org === undefined ? null : loadPolicyFile(org.text, org.path, 'org');
  const declared = loaded?.kind === 'valid' ? Object.keys(loaded.file.content.agents ?? {}) : [];
  return { ...CATALOGUE_NAMES, declared };
}
