import { z } from 'zod';
import type { Repository } from '../acts/act.js';
import type { FileFact, FilesFact } from '../decide/facts.js';
import type { Client } from './client.js';
import { linkTarget, mayBeLink, resolveLink } from './links.js';
import * as shapes from './shapes.js';

/** GitHub lists at most 3,000 files of a PR. */
const LISTED_FILES = 3000;
/** Requests about single files (a blob, a walk through folders) one PR may cost. */
const SINGLE_FILES = 20;

const SYMLINK = '120000';

type Raw = z.infer<typeof shapes.file>;

const blobShape = z.object({ content: z.string(), encoding: z.string() });

/** The files a PR changes, with symbolic links resolved to what they point at. */
export const createFilesReader = (client: Client, repository: Repository) => {
  const at = { owner: repository.owner, repo: repository.name };

  const tree = (sha: string, recursive: 'recursive' | 'flat') =>
    client.get(
      'GET /repos/{owner}/{repo}/git/trees/{tree_sha}',
      { ...at, tree_sha: sha, ...(recursive === 'recursive' ? { recursive: '1' } : {}) },
      shapes.gitTree,
      'forever',
    );

  /** The mode of one path, folder by folder: for trees too big to be listed whole. */
  const walk = async (root: string, path: string): Promise<string | null> => {
    let sha = root;
    const segments = path.split('/');
    for (const [index, name] of segments.entries()) {
      const found = (await tree(sha, 'flat')).tree.find((entry) => entry.path === name);
      if (found === undefined) return null;
      if (index === segments.length - 1) return found.mode;
      if (found.type !== 'tree' || !found.sha) return null;
      sha = found.sha;
    }
    return null;
  };

  const blobText = async (sha: string): Promise<string> => {
    const blob = await client.get(
      'GET /repos/{owner}/{repo}/git/blobs/{file_sha}',
      { ...at, file_sha: sha },
      blobShape,
      'forever',
    );
    return Buffer.from(blob.content, blob.encoding === 'base64' ? 'base64' : 'utf8').toString('utf8');
  };

  /** path → what it resolves to, for the links among `suspects`; `left` is true when some were not looked at. */
  const links = async (suspects: readonly Raw[], headSha: string) => {
    const resolved = new Map<string, string>();
    if (suspects.length === 0) return { resolved, left: false };
    const whole = await tree(headSha, 'recursive');
    let budget = SINGLE_FILES;
    const modes = new Map(whole.tree.map((entry) => [entry.path, entry.mode]));
    for (const raw of suspects) {
      let mode = modes.get(raw.filename) ?? null;
      if (mode === null && whole.truncated === true) {
        if (budget === 0) return { resolved, left: true };
        budget -= 1;
        mode = await walk(headSha, raw.filename);
      }
      if (mode !== SYMLINK) continue;
      let target = raw.patch === undefined ? null : linkTarget(raw.patch);
      if (target === null && raw.sha) {
        if (budget === 0) return { resolved, left: true };
        budget -= 1;
        target = await blobText(raw.sha);
      }
      if (target !== null) resolved.set(raw.filename, resolveLink(raw.filename, target));
    }
    return { resolved, left: false };
  };

  /**
   * `expected` is the PR's `changed_files`. `partial`: GitHub lists fewer than there are, or too many may be links
   * to look at each.
   */
  const files = async (
    pull: number,
    headSha: string,
    expected: number | undefined,
    changedFiles: () => Promise<number | undefined>,
  ): Promise<FilesFact> => {
    const raw = await client.list(
      'GET /repos/{owner}/{repo}/pulls/{pull_number}/files',
      { ...at, pull_number: pull },
      shapes.file,
    );
    const changed = expected ?? (raw.length >= LISTED_FILES ? await changedFiles() : undefined) ?? raw.length;
    const { resolved, left } = await links(raw.filter(mayBeLink), headSha);
    const facts = raw.map((one): FileFact => {
      const linksTo = resolved.get(one.filename);
      return {
        path: one.filename,
        ...(one.previous_filename === undefined ? {} : { previousPath: one.previous_filename }),
        status: one.status,
        blob: one.sha ?? null,
        ...(linksTo === undefined ? {} : { linksTo }),
      };
    });
    return raw.length < changed || left
      ? { kind: 'partial', files: facts, changed: Math.max(changed, raw.length) }
      : { kind: 'complete', files: facts };
  };

  return { files };
};
