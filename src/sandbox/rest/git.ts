import type { BlobEntry } from '../files.js';
import { treeOf } from '../graph.js';
import { deleteBranch, moveBranch, noteActivity } from '../history.js';
import type { Json } from '../records.js';
import { textOf } from '../records.js';
import { gitCommitJson } from '../shapes/commit.js';
import { nodeId, urlPart } from '../shapes/urls.js';
import { blobSha, NO_SHA, treeSha } from '../shas.js';
import type { State } from '../state.js';
import {
  type Answer,
  type Call,
  created,
  failed,
  noContent,
  notFound,
  ok,
  page,
  type Routes,
} from './answer.js';
import { commitAt, pullAt } from './resolve.js';

const refJson = (state: State, ref: string, sha: string): Json => ({
  ref,
  node_id: nodeId('REF', ref),
  url: `${state.repo.api}/git/${ref}`,
  object: { sha, type: 'commit', url: `${state.repo.api}/git/commits/${sha}` },
});

const allRefs = (state: State): readonly (readonly [string, string])[] => [
  ...[...state.branches].map(([name, sha]) => [`refs/heads/${name}`, sha] as const),
  ...[...state.tags].map(([name, sha]) => [`refs/tags/${name}`, sha] as const),
  ...[...state.pulls]
    .filter((pull) => pull.exists)
    .map((pull) => [`refs/pull/${pull.number}/head`, pull.headSha] as const),
];

const shaOfRef = (state: State, ref: string): string | undefined => {
  const [kind = '', ...rest] = ref.split('/');
  const name = rest.join('/');
  if (kind === 'heads') return state.branches.get(name);
  if (kind === 'tags') return state.tags.get(name);
  const number = /^(\d+)\/head$/.exec(name)?.[1];
  return kind === 'pull' ? pullAt(state, number)?.headSha : undefined;
};

const createRef = (call: Call): Answer => {
  const { state, body } = call;
  const ref = textOf(body['ref']) ?? '';
  const sha = textOf(body['sha']) ?? '';
  if (!/^refs\/(heads|tags)\/[^\s~^:?*[\\]+$/.test(ref) || ref.includes('..')) {
    return failed(422, `${ref} is not a valid ref name.`);
  }
  if (!state.graph.commits.has(sha)) return failed(422, 'Object does not exist');
  if (shaOfRef(state, ref.slice('refs/'.length)) !== undefined)
    return failed(422, 'Reference already exists');
  const name = ref.replace(/^refs\/(heads|tags)\//, '');
  if (ref.startsWith('refs/tags/')) {
    state.tags.set(name, sha);
    state.pushedAt = state.clock.now();
  } else {
    moveBranch(state, name, sha);
    noteActivity(state, {
      type: 'branch_creation',
      ref,
      before: NO_SHA,
      after: sha,
      actor: state.accounts.ourApp,
    });
  }
  return created(refJson(state, ref, sha));
};

const deleteRef = (call: Call): Answer => {
  const { state } = call;
  const ref = call.params['ref'] ?? '';
  if (shaOfRef(state, ref) === undefined) return failed(422, 'Reference does not exist');
  if (ref.startsWith('tags/')) {
    state.tags.delete(ref.slice('tags/'.length));
    state.pushedAt = state.clock.now();
  } else deleteBranch(state, ref.slice('heads/'.length), state.accounts.ourApp);
  return noContent();
};

interface Place {
  readonly commit: string;
  readonly folder: string;
  readonly sha: string;
}

const placeOf = (state: State, sha: string): Place | undefined => {
  const known = state.trees.get(sha);
  if (known !== undefined) return { ...known, sha };
  const commit = commitAt(state, sha) ?? state.graph.ofTree(sha);
  return commit === undefined ? undefined : { commit: commit.sha, folder: '', sha: treeOf(commit) };
};

const folderEntry = (state: State, commit: string, path: string, name: string): Json => {
  const sha = treeSha(commit, path);
  state.trees.set(sha, { commit, folder: path });
  return { path: name, mode: '040000', type: 'tree', sha, url: `${state.repo.api}/git/trees/${sha}` };
};

const blobEntry = (state: State, entry: BlobEntry, name: string): Json => {
  const sha = blobSha(entry.content);
  const size = Buffer.byteLength(entry.content);
  return { path: name, mode: entry.mode, type: 'blob', sha, size, url: `${state.repo.api}/git/blobs/${sha}` };
};

const tree = ({ state, params, query }: Call): Answer => {
  const place = placeOf(state, params['tree_sha'] ?? '');
  if (place === undefined) return notFound();
  const under = place.folder === '' ? '' : `${place.folder}/`;
  const recursive = query.get('recursive') !== null;
  const entries = new Map<string, Json>();
  for (const [path, entry] of state.graph.files(place.commit)) {
    if (!path.startsWith(under)) continue;
    const parts = path.slice(under.length).split('/');
    for (let depth = 1; depth < parts.length; depth++) {
      const name = parts.slice(0, depth).join('/');
      if (depth === 1 || recursive) entries.set(name, folderEntry(state, place.commit, under + name, name));
    }
    if (parts.length === 1 || recursive)
      entries.set(parts.join('/'), blobEntry(state, entry, parts.join('/')));
  }
  return ok({
    sha: place.sha,
    url: `${state.repo.api}/git/trees/${place.sha}`,
    tree: [...entries].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, entry]) => entry),
    truncated: false,
  });
};

const blob = ({ state, params }: Call): Answer => {
  const sha = params['file_sha'] ?? '';
  const text = state.graph.blob(sha);
  if (text === undefined) return notFound();
  return ok({
    sha,
    node_id: nodeId('B', sha),
    size: Buffer.byteLength(text),
    url: `${state.repo.api}/git/blobs/${sha}`,
    content: Buffer.from(text).toString('base64'),
    encoding: 'base64',
  });
};

const branchJson = (state: State, name: string, sha: string): Json => {
  const isProtected = state.protections.some((rule) => rule.pattern === name);
  return {
    name,
    commit: { sha, url: `${state.repo.api}/commits/${sha}` },
    protected: isProtected,
    protection: {
      enabled: isProtected,
      required_status_checks: { enforcement_level: 'off', contexts: [], checks: [] },
    },
    protection_url: `${state.repo.api}/branches/${urlPart(name)}/protection`,
  };
};

/** Git's own objects and refs. */
export const git: Routes = {
  'POST /repos/{owner}/{repo}/git/refs': createRef,
  'DELETE /repos/{owner}/{repo}/git/refs/{ref}': deleteRef,
  'GET /repos/{owner}/{repo}/git/ref/{ref}': ({ state, params }) => {
    const sha = shaOfRef(state, params['ref'] ?? '');
    return sha === undefined ? notFound() : ok(refJson(state, `refs/${params['ref'] ?? ''}`, sha));
  },
  // All of them at once: this list has no pages.
  'GET /repos/{owner}/{repo}/git/matching-refs/{ref}': ({ state, params }) =>
    ok(
      allRefs(state)
        .filter(([name]) => name.startsWith(`refs/${params['ref'] ?? ''}`))
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, sha]) => refJson(state, name, sha)),
    ),
  'GET /repos/{owner}/{repo}/git/commits/{commit_sha}': ({ state, params }) => {
    const commit = commitAt(state, params['commit_sha'] ?? '');
    return commit === undefined ? notFound() : ok(gitCommitJson(state, commit));
  },
  'GET /repos/{owner}/{repo}/git/trees/{tree_sha}': tree,
  'GET /repos/{owner}/{repo}/git/blobs/{file_sha}': blob,
  'GET /repos/{owner}/{repo}/branches': (call) =>
    page(
      call,
      [...call.state.branches]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, sha]) => branchJson(call.state, name, sha)),
    ),
  'GET /repos/{owner}/{repo}/tags': (call) => {
    const { state } = call;
    return page(
      call,
      [...state.tags].map(([name, sha]) => ({
        name,
        commit: { sha, url: `${state.repo.api}/commits/${sha}` },
        zipball_url: `${state.repo.html}/zipball/${name}`,
        tarball_url: `${state.repo.html}/tarball/${name}`,
        node_id: nodeId('REF', name),
      })),
    );
  },
};
