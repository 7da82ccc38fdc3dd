import { z } from 'zod';
import type { Repository } from '../acts/act.js';
import type { Client } from './client.js';
import type { FileEntry, Read } from './facts.js';
import { RequestFailure, unreadable } from './failure.js';
import * as shapes from './shapes.js';
import type { ContentEntry } from './shapes.js';

interface Place {
  readonly owner: string;
  readonly name: string;
}

/** The contents API lists at most 1,000 entries of a folder and does not say that it left some out. */
const LISTED_ENTRIES = 1000;
/** Bytes. The contents API gives no content above it. */
const LARGEST_FILE = 1024 * 1024;

const CONTENTS = 'GET /repos/{owner}/{repo}/contents/{path}';

const parentOf = (path: string): string => path.split('/').slice(0, -1).join('/');
const clean = (path: string): string => path.split('/').filter(Boolean).join('/');

/** Files and folders at a ref. What is absent is known from a listing that lacks it, never from a 404 alone. */
export const createContentsReader = (client: Client, repository: Repository) => {
  const ask = (repo: Place, path: string, ref: string | undefined) =>
    client.get(
      CONTENTS,
      { owner: repo.owner, repo: repo.name, path, ...(ref === undefined ? {} : { ref }) },
      shapes.contents,
    );

  /** Whether the owner has a `.github` repository that this App sees (docs/decisions/040-org-file-absent.md). */
  const rootMissing = async (repo: Place, failure: RequestFailure): Promise<Read<never>> => {
    if (failure.known === 'empty-repository') return { kind: 'absent' };
    const isOwners =
      repo.owner === repository.owner && repo.name === '.github' && repository.name !== '.github';
    if (!isOwners) return unreadable(failure);
    try {
      await client.get(
        'GET /repos/{owner}/{repo}',
        { owner: repo.owner, repo: repo.name },
        z.object({ id: z.number() }),
      );
      return unreadable(failure);
    } catch (error) {
      return error instanceof RequestFailure && error.status === 404 ? { kind: 'absent' } : unreadable(error);
    }
  };

  /** After a 404 on `path`: absent when its parent's listing lacks it. */
  const missing = async (
    repo: Place,
    path: string,
    ref: string | undefined,
    failure: RequestFailure,
  ): Promise<Read<never>> => {
    if (path === '') return rootMissing(repo, failure);
    const parent = await entries(repo, parentOf(path), ref);
    if (parent.kind !== 'found') return parent;
    return parent.value.some((entry) => entry.path === path) ? unreadable(failure) : { kind: 'absent' };
  };

  /** All entries of a folder from its git tree, where the contents API would cut the list. */
  const wholeFolder = async (
    repo: Place,
    path: string,
    ref: string | undefined,
  ): Promise<Read<readonly ContentEntry[]>> => {
    let sha = ref ?? 'HEAD';
    if (path !== '') {
      const parent = await entries(repo, parentOf(path), ref);
      if (parent.kind !== 'found') return parent;
      const own = parent.value.find((entry) => entry.path === path);
      if (own === undefined) return { kind: 'absent' };
      ({ sha } = own);
    }
    const listed = await client.get(
      'GET /repos/{owner}/{repo}/git/trees/{tree_sha}',
      { owner: repo.owner, repo: repo.name, tree_sha: sha },
      shapes.gitTree,
    );
    if (listed.truncated === true)
      return { kind: 'unreadable', why: 'the folder has too many entries to list', transient: false };
    const type = (entry: { type: string; mode: string }): string =>
      entry.type === 'tree'
        ? 'dir'
        : entry.mode === '120000'
          ? 'symlink'
          : entry.type === 'blob'
            ? 'file'
            : 'submodule';
    return {
      kind: 'found',
      value: listed.tree.map((entry) => ({
        type: type(entry),
        path: path === '' ? entry.path : `${path}/${entry.path}`,
        sha: entry.sha ?? '',
        size: entry.size ?? 0,
      })),
    };
  };

  const entries = async (
    repo: Place,
    path: string,
    ref: string | undefined,
  ): Promise<Read<readonly ContentEntry[]>> => {
    try {
      const answer = await ask(repo, path, ref);
      if (!Array.isArray(answer)) return { kind: 'absent' };
      return answer.length < LISTED_ENTRIES
        ? { kind: 'found', value: answer }
        : await wholeFolder(repo, path, ref);
    } catch (error) {
      return error instanceof RequestFailure && error.status === 404
        ? missing(repo, path, ref, error)
        : unreadable(error);
    }
  };

  return {
    /** Files and symbolic links directly under a folder. A path that is a file is an absent folder. */
    async folder(repo: Place, path: string, ref?: string): Promise<Read<readonly FileEntry[]>> {
      const listed = await entries(repo, clean(path), ref);
      if (listed.kind !== 'found') return listed;
      return {
        kind: 'found',
        value: listed.value
          .filter(({ type }) => type === 'file' || type === 'symlink')
          .map((entry) => ({ path: entry.path, blob: entry.sha, size: entry.size ?? 0 })),
      };
    },

    /** Bytes of a file, at most 1 MiB. A path that is a folder is an absent file. */
    async file(repo: Place, path: string, ref?: string): Promise<Read<Uint8Array>> {
      const at = clean(path);
      try {
        const answer = await ask(repo, at, ref);
        if (Array.isArray(answer)) return { kind: 'absent' };
        if (answer.type !== 'file')
          return { kind: 'unreadable', why: `it is a ${answer.type}, not a file`, transient: false };
        if ((answer.size ?? 0) > LARGEST_FILE || answer.encoding !== 'base64' || answer.content === undefined)
          return { kind: 'unreadable', why: 'it is larger than 1 MiB', transient: false };
        return { kind: 'found', value: new Uint8Array(Buffer.from(answer.content, 'base64')) };
      } catch (error) {
        return error instanceof RequestFailure && error.status === 404
          ? missing(repo, at, ref, error)
          : unreadable(error);
      }
    },
  };
};
