import { asRecord, numberOf } from '../records.js';
import { releaseJson } from '../shapes/release.js';
import { NO_SHA } from '../shas.js';
import type { Release } from '../state.js';
import { type Handler, type Happening, keepOverlay, keyText, lastingOverlay, nowOf } from './happening.js';

const releaseOf = (happening: Happening): Release => {
  const { state, by, action } = happening;
  const tag = keyText(happening, 'tag') ?? '';
  const known = state.releases.find((release) => release.tag === tag);
  if (known !== undefined) return known;
  const release: Release = {
    id: numberOf(asRecord(happening.overlay['release'])['id']) ?? state.nextId('release'),
    tag,
    author: by,
    name: tag,
    body: '',
    draft: action === 'created',
    prerelease: action === 'prereleased',
    createdAt: nowOf(happening),
    publishedAt: null,
    updatedAt: nowOf(happening),
    overlay: {},
  };
  state.releases.push(release);
  if (!state.tags.has(tag) && action !== 'created') {
    state.tags.set(tag, state.branches.get(state.defaultBranch) ?? NO_SHA);
  }
  return release;
};

/** GitHub tells one publishing as `published` and again as `released` or `prereleased`. */
export const release: Handler = (happening) => {
  const { state, action } = happening;
  const found = releaseOf(happening);
  const at = nowOf(happening);
  const before = { name: found.name, body: found.body };
  if (['published', 'released', 'prereleased'].includes(action)) {
    found.draft = false;
    found.publishedAt ??= at;
  }
  if (action === 'unpublished') found.draft = true;
  found.name = keyText(happening, 'name') ?? found.name;
  found.body = keyText(happening, 'body') ?? found.body;
  found.updatedAt = at;
  keepOverlay(found, lastingOverlay(happening, 'release', ['updated_at', 'published_at', 'draft']));
  if (action === 'deleted') state.releases.splice(state.releases.indexOf(found), 1);
  return {
    release: releaseJson(state, found),
    ...(action === 'edited' ? { changes: { body: { from: before.body } } } : {}),
  };
};
