import type { Act } from './act.js';
import { type Delivery, parsePayload } from './payload.js';

/**
 * GitHub tells one publishing as `published` and as `released` or `prereleased`: one act. A draft is out of nobody's
 * reach but its writers', so saving and editing one is none; deleting a release always is.
 */
export function readRelease(delivery: Delivery): readonly Act[] {
  const payload = parsePayload('release', delivery.payload);
  if (payload?.sender == null) return [];
  const { release, sender: actor, action } = payload;
  const told = { telling: `release.${action ?? ''}`, actor, release: release.tag_name };
  switch (action) {
    case 'published':
    case 'released':
    case 'prereleased':
      return [{ ...told, kind: 'release.publish', key: `release.publish:${release.id}`, pair: true }];
    case 'edited':
    case 'unpublished':
      if (release.draft && action === 'edited') return [];
      return [
        { ...told, kind: 'release.edit', key: `release.edit:${release.id}:${delivery.id}`, pair: false },
      ];
    case 'deleted':
      return [{ ...told, kind: 'release.delete', key: `release.delete:${release.id}`, pair: false }];
    default:
      return [];
  }
}
