import type { Change } from '../changes.js';
import type { BlobEntry } from '../files.js';
import { type CommitNode, treeOf } from '../graph.js';
import { asRecord, type Json, textOf } from '../records.js';
import { blobSha } from '../shas.js';
import { iso, type State } from '../state.js';
import { userOrNull } from './account.js';
import { nodeId, urlPart } from './urls.js';

const verificationJson = (commit: CommitNode): Json => ({
  verified: commit.verified,
  reason: commit.verified ? 'valid' : 'unsigned',
  signature: null,
  payload: null,
  verified_at: null,
});

/** One file of a diff, with the patch GitHub would print for it. */
export const fileJson = (
  state: State,
  change: Change,
  files: ReadonlyMap<string, BlobEntry>,
  sha: string,
): Json => {
  const content = files.get(change.path)?.content ?? '';
  const lines = content === '' ? [] : content.replace(/\n$/, '').split('\n');
  const removed = change.status === 'removed';
  const encoded = change.path.split('/').map(urlPart).join('/');
  const untouched = change.status === 'renamed' && change.content === undefined;
  const end = content.endsWith('\n') || content === '' ? '' : '\n\\ No newline at end of file';
  const range = lines.length === 1 ? '+1' : `+1,${lines.length}`;
  const header = change.status === 'added' ? `@@ -0,0 ${range} @@` : `@@ -1 ${range} @@`;
  const old = change.status === 'added' ? '' : `-before\n`;
  const patch = `${header}\n${old}${lines.map((line) => `+${line}`).join('\n')}${end}`;
  const additions = removed || untouched ? 0 : lines.length;
  const deletions = change.status === 'added' || untouched ? 0 : 1;
  return {
    sha: removed ? blobSha(`${change.path}\n`) : blobSha(content),
    filename: change.path,
    status: change.status,
    additions,
    deletions,
    changes: additions + deletions,
    blob_url: `${state.repo.html}/blob/${sha}/${encoded}`,
    raw_url: `${state.repo.html}/raw/${sha}/${encoded}`,
    contents_url: `${state.repo.api}/contents/${encoded}?ref=${sha}`,
    ...(removed ? { patch: '@@ -1 +0,0 @@\n-before' } : untouched ? {} : { patch }),
    ...(change.was === undefined ? {} : { previous_filename: change.was }),
  };
};

/** A commit, as REST lists it. */
export const commitJson = (state: State, commit: CommitNode): Json => {
  const url = `${state.repo.api}/commits/${commit.sha}`;
  const who = { name: commit.name, email: commit.email, date: iso(commit.at) };
  const account = userOrNull(commit.author);
  return {
    url,
    sha: commit.sha,
    node_id: nodeId('C', commit.sha),
    html_url: `${state.repo.html}/commit/${commit.sha}`,
    comments_url: `${url}/comments`,
    commit: {
      url: `${state.repo.api}/git/commits/${commit.sha}`,
      author: who,
      committer: who,
      message: commit.message,
      comment_count: 0,
      tree: { sha: treeOf(commit), url: `${state.repo.api}/git/trees/${treeOf(commit)}` },
      verification: verificationJson(commit),
    },
    author: account,
    committer: account,
    parents: commit.parents.map((sha) => ({
      sha,
      url: `${state.repo.api}/commits/${sha}`,
      html_url: `${state.repo.html}/commit/${sha}`,
    })),
  };
};

/** A commit with its files, as `GET /commits/{ref}` answers it. */
export const fullCommitJson = (state: State, commit: CommitNode): Json => {
  const files = state.graph.files(commit.sha);
  const listed = commit.changes.map((change) => fileJson(state, change, files, commit.sha));
  const sum = (key: string): number => listed.reduce((total, file) => total + Number(file[key]), 0);
  return {
    ...commitJson(state, commit),
    stats: { additions: sum('additions'), deletions: sum('deletions'), total: sum('changes') },
    files: listed,
  };
};

/** A Git commit object. */
export const gitCommitJson = (state: State, commit: CommitNode): Json => {
  const rest = commitJson(state, commit);
  const inner = asRecord(rest['commit']);
  return {
    sha: commit.sha,
    node_id: rest['node_id'],
    url: inner['url'],
    html_url: rest['html_url'],
    author: inner['author'],
    committer: inner['committer'],
    tree: inner['tree'],
    message: commit.message,
    parents: rest['parents'],
    verification: inner['verification'],
  };
};

/** A commit as `push` lists it. */
export const pushCommitJson = (state: State, commit: CommitNode): Json => {
  const who = {
    name: commit.name,
    email: commit.email,
    ...(commit.author === null ? {} : { username: commit.author.login }),
  };
  const paths = (status: Change['status']): string[] =>
    commit.changes.filter((change) => change.status === status).map((change) => change.path);
  const renamed = commit.changes.filter((change) => change.status === 'renamed');
  return {
    id: commit.sha,
    tree_id: treeOf(commit),
    distinct: true,
    message: commit.message,
    timestamp: iso(commit.at),
    url: `${state.repo.html}/commit/${commit.sha}`,
    author: who,
    committer: who,
    added: [...paths('added'), ...renamed.map((change) => change.path)],
    removed: [...paths('removed'), ...renamed.map((change) => textOf(change.was) ?? change.path)],
    modified: paths('modified'),
  };
};

/** A commit as check suites, workflow runs and merge groups name it. */
export const simpleCommitJson = (commit: CommitNode): Json => ({
  id: commit.sha,
  tree_id: treeOf(commit),
  message: commit.message,
  timestamp: iso(commit.at),
  author: { name: commit.name, email: commit.email },
  committer: { name: commit.name, email: commit.email },
});
