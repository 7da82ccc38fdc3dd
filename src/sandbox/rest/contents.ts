import type { BlobEntry } from '../files.js';
import type { Json } from '../records.js';
import { API, HTML, urlPart } from '../shapes/urls.js';
import { blobSha, treeSha } from '../shas.js';
import { orgRepositoryOf, type State } from '../state.js';
import { POLICY_PATH } from '../world.js';
import { type Answer, type Call, notFound, ok, type Routes } from './answer.js';
import { resolve } from './resolve.js';

const INLINE_LIMIT = 1_048_576;

interface Tree {
  readonly fullName: string;
  readonly ref: string;
  readonly commit: string;
  readonly files: ReadonlyMap<string, BlobEntry>;
}

const orgFiles = (state: State): ReadonlyMap<string, BlobEntry> =>
  new Map([
    ['README.md', { content: '# acme\n', mode: '100644' }],
    ...(state.orgPolicy === null
      ? []
      : ([[POLICY_PATH, { content: state.orgPolicy, mode: '100644' }]] as [string, BlobEntry][])),
  ]);

const treeOf = ({ state, query, inOrg }: Call): Tree | undefined => {
  const ref = query.get('ref') ?? '';
  if (inOrg)
    return {
      fullName: orgRepositoryOf(state),
      ref: 'main',
      commit: state.shas.full('org'),
      files: orgFiles(state),
    };
  const commit = resolve(state, ref === '' ? state.defaultBranch : ref);
  if (commit === undefined) return undefined;
  return {
    fullName: state.repo.fullName,
    ref: ref === '' ? state.defaultBranch : ref,
    commit,
    files: state.graph.files(commit),
  };
};

const nameOf = (path: string): string => path.split('/').at(-1) ?? path;

const entryJson = (tree: Tree, path: string, entry: BlobEntry | null): Json => {
  const encoded = path.split('/').map(urlPart).join('/');
  const url = `${API}/repos/${tree.fullName}/contents/${encoded}?ref=${urlPart(tree.ref)}`;
  const sha = entry === null ? treeSha(tree.commit, path) : blobSha(entry.content);
  const git = `${API}/repos/${tree.fullName}/git/${entry === null ? 'trees' : 'blobs'}/${sha}`;
  const html = `${HTML}/${tree.fullName}/${entry === null ? 'tree' : 'blob'}/${tree.ref}/${encoded}`;
  return {
    name: nameOf(path),
    path,
    sha,
    size: entry === null ? 0 : Buffer.byteLength(entry.content),
    url,
    html_url: html,
    git_url: git,
    download_url:
      entry === null ? null : `https://raw.githubusercontent.com/${tree.fullName}/${tree.ref}/${encoded}`,
    type: entry === null ? 'dir' : entry.mode === '120000' ? 'symlink' : 'file',
    _links: { self: url, git, html },
  };
};

/** Base64 in lines of 60, as GitHub sends it. */
const base64 = (text: string): string =>
  Buffer.from(text)
    .toString('base64')
    .replace(/.{1,60}/g, '$&\n');

const fileAnswer = (call: Call, tree: Tree, path: string, entry: BlobEntry): Answer => {
  if (/\braw\b/.test(call.accept)) {
    return {
      status: 200,
      raw: { type: 'application/vnd.github.raw+json; charset=utf-8', bytes: Buffer.from(entry.content) },
    };
  }
  const json = entryJson(tree, path, entry);
  if (entry.mode === '120000') return ok({ ...json, target: entry.content });
  const large = Buffer.byteLength(entry.content) > INLINE_LIMIT;
  return ok({
    ...json,
    content: large ? '' : base64(entry.content),
    encoding: large ? 'none' : 'base64',
  });
};

const contentsOf = (call: Call): Answer => {
  const tree = treeOf(call);
  if (tree === undefined) return notFound(`No commit found for the ref ${call.query.get('ref') ?? ''}`);
  const path = (call.params['path'] ?? '').replace(/^\/+|\/+$/g, '');
  const file = tree.files.get(path);
  if (file !== undefined) return fileAnswer(call, tree, path, file);
  const folder = path === '' ? '' : `${path}/`;
  const children = new Map<string, BlobEntry | null>();
  for (const [name, entry] of tree.files) {
    if (!name.startsWith(folder)) continue;
    const [first = '', ...rest] = name.slice(folder.length).split('/');
    children.set(folder + first, rest.length === 0 ? entry : null);
  }
  if (children.size === 0) return path === '' ? notFound('This repository is empty.') : notFound();
  return ok(
    [...children].sort(([a], [b]) => (a < b ? -1 : 1)).map(([child, entry]) => entryJson(tree, child, entry)),
  );
};

export const contents: Routes = {
  'GET /repos/{owner}/{repo}/contents/{path}': contentsOf,
};
