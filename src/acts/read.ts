import type { Act } from './act.js';
import type { Delivery } from './payload.js';
import { readIssue } from './read-issue.js';
import { readProtection } from './read-protection.js';
import { readPull, readReview } from './read-pull.js';
import { type PushReading, readPush, readRef } from './read-push.js';
import { readRelease } from './read-release.js';

/** What a sweep made of a row of the activity list has a GUID that begins with this: no webhook told it. */
export const ACTIVITY_GUID = 'activity:';
export const BY_ACTIVITY = 'activity';

/** The acts one delivery tells, by whoever did them. Pure; never throws, whatever the payload. */
export function readActs(delivery: Delivery, reading: PushReading): readonly Act[] {
  const acts = actsOf(delivery, reading);
  return delivery.id.startsWith(ACTIVITY_GUID) ? acts.map((act) => ({ ...act, telling: BY_ACTIVITY })) : acts;
}

function actsOf(delivery: Delivery, reading: PushReading): readonly Act[] {
  switch (delivery.name) {
    case 'pull_request':
      return readPull(delivery);
    case 'pull_request_review':
      return readReview(delivery);
    case 'push':
      return readPush(delivery, reading);
    case 'create':
    case 'delete':
      return readRef(delivery, reading);
    case 'release':
      return readRelease(delivery);
    case 'issues':
      return readIssue(delivery);
    default:
      return readProtection(delivery);
  }
}
