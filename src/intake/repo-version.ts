import type { Facts, FileEntry, Landing, Read } from '../github/facts.js';
import { bothExtensions, loadPolicyFile, type PolicyFile } from '../policy/load.js';
import { MAX_BYTES } from '../policy/text.js';
import type { PolicyMemory } from '../store/ledger.js';
import type { Desk } from './deps.js';
import { landedBy } from './landing.js';
import { namesFor } from './policy-names.js';
import {
  decode,
  parseKnown,
  POLICY_NAMES,
  type Rejected,
  type Version,
  versionOf,
} from './policy-version.js';

export interface RepoVersion {
  readonly version: Version;
  readonly present: readonly string[];
  readonly rejected: Rejected | null;
}

/** `scope`: a policy of the owner's `.github` repository is the owner's own. `touched`: as `policyInForce` says. */
export async function repoVersion(
  desk: Desk,
  folder: Read<readonly FileEntry[]>,
  scope: 'repo' | 'org',
  touched: boolean,
): Promise<RepoVersion> {
  const known = await desk.ledger.policies('repo');
  const lastGood = (rejected: RepoVersion['rejected'], present: readonly string[]): RepoVersion => ({
    version: known[0] === undefined ? { kind: 'none' } : versionOf(known[0], scope),
    present,
    rejected,
  });
  if (folder.kind === 'unreadable') {
    const last = lastGood(
      { ...folder, kind: 'unread' },
      known.slice(0, 1).map(({ path }) => path),
    );
    return known.length > 0 ? last : { ...last, version: folder };
  }
  const entries = folder.kind === 'found' ? folder.value.filter(({ path }) => POLICY_NAMES.has(path)) : [];
  const present = entries.map(({ path }) => path);
  const [entry, second] = entries;
  if (second !== undefined) {
    const both = { kind: 'invalid' as const, path: second.path, problems: [bothExtensions()] };
    return known.length > 0 ? lastGood(both, present) : firstOf(entries, both, desk, scope, present);
  }
  if (entry !== undefined && known[0]?.blob === entry.blob) return lastGood(null, present);
  if (known[0] === undefined) return firstSight(entry ?? null, touched, desk, scope, present);
  if (entry === undefined && known[0].text === '')
    return { version: { kind: 'none' }, present, rejected: null };
  return newVersion(desk, entry?.path ?? known[0].path, entry ?? null, known, scope, present);
}

/**
 * Nothing remembered, and at most one file. What an agent has just taken away or put under the other name is looked
 * for in the history of both names; where nobody touched it, no file is no policy, and costs nothing more.
 */
async function firstSight(
  entry: FileEntry | null,
  touched: boolean,
  desk: Desk,
  scope: 'repo' | 'org',
  present: readonly string[],
): Promise<RepoVersion> {
  const none: RepoVersion = { version: { kind: 'none' }, present, rejected: null };
  const found = entry === null ? none : await newVersion(desk, entry.path, entry, [], scope, present);
  if (found.version.kind !== 'none' || !(touched || found.rejected?.kind === 'by-agent')) return found;
  for (const path of [...POLICY_NAMES].filter((name) => name !== entry?.path)) {
    const gone = await newVersion(desk, path, null, [], scope, present);
    if (gone.version.kind !== 'none') return { ...gone, rejected: found.rejected ?? gone.rejected };
  }
  return found;
}

/** Two files, and no version remembered: the one that a person landed before the other came is in force. */
async function firstOf(
  entries: readonly FileEntry[],
  both: RepoVersion['rejected'],
  desk: Desk,
  scope: 'repo' | 'org',
  present: readonly string[],
): Promise<RepoVersion> {
  let found: RepoVersion = { version: { kind: 'none' }, present, rejected: both };
  // `.yml` is the name we tell people, so it is the one where both are a person's.
  for (const entry of [...entries].sort((a, b) => b.path.localeCompare(a.path))) {
    found = await newVersion(desk, entry.path, entry, [], scope, present);
    if (found.version.kind !== 'none') break;
  }
  return { ...found, rejected: both };
}

/** A version of the file that may come into force. */
interface Candidate {
  readonly file: PolicyFile | null;
  readonly memory: PolicyMemory;
}

/**
 * A version not seen before, or a file that is gone: in force only once a person has landed it. Goes back through the
 * versions to the newest one a person landed, and no further than the one in force. The very first version also
 * counts when it was landed by a login that is an agent's and a person's: an owner may have no other.
 */
async function newVersion(
  desk: Desk,
  path: string,
  entry: FileEntry | null,
  known: readonly PolicyMemory[],
  scope: 'repo' | 'org',
  present: readonly string[],
): Promise<RepoVersion> {
  const [last] = known;
  const lastFile = last === undefined ? null : parseKnown(last, scope);
  const versions: PolicyFile[] = lastFile === null ? [] : [lastFile];
  const names = await namesFor(desk);
  let newest = true;
  let rejected: RepoVersion['rejected'] = null;
  let firstOfAll: Candidate | null = null;
  const take = async ({ file, memory }: Candidate): Promise<RepoVersion> => {
    // An empty text is a version too: a person took the file away, and no older one is in force.
    if (file !== null || last !== undefined) await desk.ledger.savePolicy('repo', memory);
    return { version: file === null ? { kind: 'none' } : { kind: 'file', file }, present, rejected };
  };
  const keepLast = (otherwise: Version): RepoVersion => ({
    version: lastFile === null ? otherwise : { kind: 'file', file: lastFile },
    present,
    rejected,
  });
  for await (const landing of landingsOrNow(desk.facts, path)) {
    const bytes = newest
      ? await newestBytes(desk, path, entry)
      : await desk.facts.file(desk.repository, path, landing.commit);
    if (bytes?.kind === 'unreadable') {
      rejected = { ...bytes, kind: 'unread' };
      return keepLast(bytes);
    }
    const text = bytes?.kind === 'found' ? decode(bytes.value) : '';
    if (bytes?.kind === 'found' && text === last?.text) break;
    const loaded = bytes?.kind === 'found' ? loadPolicyFile(bytes.value, path, scope, names) : null;
    if (loaded?.kind === 'invalid') {
      if (newest) rejected = { kind: 'invalid', path, problems: loaded.problems };
    } else {
      const file = loaded?.file ?? null;
      const blob = newest && entry !== null ? entry.blob : `commit:${landing.commit}`;
      const { by, at } = await landedBy(landing, [...versions, ...(file === null ? [] : [file])], desk);
      const memory = { path, blob, text, ...since(at, last, desk.now()) };
      const candidate = { file, memory };
      // Where GitHub no longer says who, a version that is known stays; without one nobody is accused.
      if (by === 'person' || (by === 'unknown' && last === undefined)) return take(candidate);
      if (file !== null) versions.push(file);
      if (newest) rejected = { kind: 'by-agent', path };
      firstOfAll = by === 'shared' && file !== null ? candidate : null;
    }
    newest = false;
  }
  if (last !== undefined || firstOfAll === null) return keepLast({ kind: 'none' });
  if (firstOfAll.memory.blob === entry?.blob) rejected = null;
  return take(firstOfAll);
}

/** Our clock may be behind GitHub's by so much. Milliseconds. */
const SKEW = 60_000;

/**
 * Since when a version is in force: since it landed, where that is known and fits in behind the version before it, which
 * was read as the newest when it was first seen.
 */
function since(
  landedAt: string | null,
  last: PolicyMemory | undefined,
  now: string,
): Pick<PolicyMemory, 'since' | 'seenAt' | 'landed'> {
  const at = landedAt === null ? Number.NaN : Date.parse(landedAt);
  const fits = at <= Date.parse(now) + SKEW && (last === undefined || at > Date.parse(last.since));
  return fits
    ? { since: new Date(Math.min(at, Date.parse(now))).toISOString(), seenAt: now, landed: true }
    : { since: now, seenAt: now };
}

/** Null: the file is gone. One beyond the largest that may be is not read: its size alone refuses it. */
async function newestBytes(
  desk: Desk,
  path: string,
  entry: FileEntry | null,
): Promise<Read<Uint8Array> | null> {
  if (entry === null) return null;
  if (entry.size > MAX_BYTES) return { kind: 'found', value: new Uint8Array(MAX_BYTES + 1) };
  return desk.facts.file(desk.repository, path);
}

/** Where the history of a path is empty (a file that came with a history nobody can list), one landing by nobody known. */
async function* landingsOrNow(facts: Facts, path: string): AsyncIterable<Landing> {
  let any = false;
  for await (const landing of facts.landings(path)) {
    any = true;
    yield landing;
  }
  if (!any) yield { commit: '', pull: null, by: null, at: null };
}
