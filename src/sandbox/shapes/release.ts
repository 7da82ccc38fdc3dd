import { type Json, layOverRecord } from '../records.js';
import { iso, type Release, type State } from '../state.js';
import { userJson } from './account.js';
import { nodeId, urlPart } from './urls.js';

export const releaseJson = (state: State, release: Release): Json => {
  const url = `${state.repo.api}/releases/${release.id}`;
  const tag = urlPart(release.tag);
  return layOverRecord(
    {
      url,
      assets_url: `${url}/assets`,
      upload_url: `https://uploads.github.com/repos/${state.repo.fullName}/releases/${release.id}/assets{?name,label}`,
      html_url: `${state.repo.html}/releases/tag/${tag}`,
      id: release.id,
      author: userJson(release.author),
      node_id: nodeId('RE', release.id),
      tag_name: release.tag,
      target_commitish: state.defaultBranch,
      name: release.name,
      draft: release.draft,
      prerelease: release.prerelease,
      immutable: false,
      created_at: iso(release.createdAt),
      updated_at: iso(release.updatedAt),
      published_at: release.publishedAt === null ? null : iso(release.publishedAt),
      assets: [],
      tarball_url: `${state.repo.api}/tarball/${tag}`,
      zipball_url: `${state.repo.api}/zipball/${tag}`,
      body: release.body,
    },
    release.overlay,
  );
};
