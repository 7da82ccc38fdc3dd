import { type Json, layOverRecord } from '../records.js';
import { iso, type Release } from '../state.js';
import { userJson } from './account.js';
import { nodeId, REPO_API, REPO_HTML, urlPart } from './urls.js';

export const releaseJson = (release: Release, defaultBranch: string): Json => {
  const url = `${REPO_API}/releases/${release.id}`;
  const tag = urlPart(release.tag);
  return layOverRecord(
    {
      url,
      assets_url: `${url}/assets`,
      upload_url: `https://uploads.github.com/repos/acme/widgets/releases/${release.id}/assets{?name,label}`,
      html_url: `${REPO_HTML}/releases/tag/${tag}`,
      id: release.id,
      author: userJson(release.author),
      node_id: nodeId('RE', release.id),
      tag_name: release.tag,
      target_commitish: defaultBranch,
      name: release.name,
      draft: release.draft,
      prerelease: release.prerelease,
      immutable: false,
      created_at: iso(release.createdAt),
      updated_at: iso(release.updatedAt),
      published_at: release.publishedAt === null ? null : iso(release.publishedAt),
      assets: [],
      tarball_url: `${REPO_API}/tarball/${tag}`,
      zipball_url: `${REPO_API}/zipball/${tag}`,
      body: release.body,
    },
    release.overlay,
  );
};
