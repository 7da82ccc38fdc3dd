import { loadPolicyFile } from '../policy/load.js';
import type { FileEntry, Read } from '../github/facts.js';
import type { Desk } from './deps.js';
import { CATALOGUE_NAMES } from './policy-names.js';
import { decode, POLICY_NAMES, type Version, versionOf } from './policy-version.js';

/** The policy in the owner's `.github` repository, or the last one known there, read as it stands. */
export async function ownerVersion(
  desk: Desk,
  owners: { owner: string; name: string },
  folder: Read<readonly FileEntry[]>,
): Promise<Version> {
  const [last] = await desk.ledger.policies('org');
  const lastGood = (otherwise: Version): Version => (last === undefined ? otherwise : versionOf(last, 'org'));
  const save = (path: string, blob: string, text: string): Promise<void> =>
    desk.ledger.savePolicy('org', { path, blob, text, since: desk.now(), seenAt: desk.now() });
  if (folder.kind === 'unreadable') return lastGood(folder);
  const entries = folder.kind === 'found' ? folder.value.filter(({ path }) => POLICY_NAMES.has(path)) : [];
  const [entry, second] = entries;
  if (entry === undefined) {
    // That there is none is remembered too: a failure later on then takes nothing away and adds nothing.
    if (last?.text !== '') await save('', '', '');
    return { kind: 'none' };
  }
  if (last?.blob === entry.blob && second === undefined) return versionOf(last, 'org');
  const bytes = second === undefined ? await desk.facts.file(owners, entry.path) : null;
  if (bytes?.kind === 'unreadable') return lastGood(bytes);
  const name = `${owners.owner}/${owners.name}/${entry.path}`;
  const loaded = bytes?.kind === 'found' ? loadPolicyFile(bytes.value, name, 'org', CATALOGUE_NAMES) : null;
  // Two files, or one that does not load: told where it was pushed (docs/decisions/055).
  if (bytes?.kind !== 'found' || loaded?.kind !== 'valid') return lastGood({ kind: 'none' });
  await save(entry.path, entry.blob, decode(bytes.value));
  return { kind: 'file', file: loaded.file };
}
