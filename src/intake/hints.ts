import { rulesFor, triggeringEvents } from '../decide/triggers.js';
import { type Lane, rankOf } from '../github/lane.js';
import type { Hint } from '../store/inbox.js';
import { rememberedEvents } from './remember.js';

/*
 * GitHub writes compact JSON, and inside a string every quote is escaped: the bytes `"repository":{` are a key of the
 * payload and never somebody's text. To look for them costs a hundredth of parsing, and a hint only says whose turn it is.
 */

/** Bytes after a key in which its first fields stand. An account has about 1,200. */
const REACH = 2_000;

const after = (body: Buffer, key: string, reach = REACH): string => {
  const at = body.lastIndexOf(key);
  return at === -1 ? '' : body.toString('latin1', at, at + reach);
};

const first = (text: string, form: RegExp): string | null => form.exec(text)?.[1] ?? null;

/** Deliveries by name that some rule or memory reads; all others end at the door. */
const READ: ReadonlySet<string> = new Set([
  ...triggeringEvents(),
  ...rememberedEvents().map((event) => event.split('.')[0] ?? event),
]);

/** Whether a rule is triggered by a delivery of this name, or memory keeps something of it. */
export const isRead = (name: string): boolean => READ.has(name);

/** `pull_request` actions that may end in a suspension, or take back what an agent armed. */
const HOLDING: ReadonlySet<string> = new Set(['closed', 'auto_merge_enabled', 'enqueued']);

const laneOf = (name: string, action: string | null, body: Buffer): Lane => {
  const bot = (): boolean => /"type":"Bot"/.test(after(body, '"sender":{'));
  switch (name) {
    case 'merge_group':
      return 'merge-group';
    case 'pull_request':
      if (HOLDING.has(action ?? '')) return 'hold';
      return bot() ? 'agents' : 'people';
    case 'pull_request_review':
      return bot() ? 'agents' : 'people';
    case 'check_run':
    case 'check_suite':
      return 'people';
    case 'push':
      return mayHold(body) ? 'hold' : 'words';
    case 'issues':
      return 'words';
    default:
      return rulesFor(name, action).length > 0 ? 'hold' : 'words';
  }
};

/** A push to the default branch, one that rewrites or deletes, and one of a tag. Pushes to side branches tell nothing urgent. */
const mayHold = (body: Buffer): boolean => {
  const start = body.toString('latin1', 0, 600);
  const ref = first(start, /^\{"ref":"refs\/heads\/([^"\\]+)"/);
  if (ref === null) return true;
  return (
    body.includes('"forced":true') ||
    body.includes('"deleted":true') ||
    first(after(body, '"default_branch":"', 300), /^"default_branch":"([^"\\]+)"/) === ref
  );
};

const subjectOf = (name: string, body: Buffer): string | null => {
  const number =
    name === 'pull_request'
      ? first(body.toString('latin1', 0, 200), /"number":(\d{1,10})[,}]/)
      : name === 'pull_request_review'
        ? first(after(body, '"pull_request":{', 300), /\/pulls\/(\d{1,10})"/)
        : null;
  return number === null ? null : `pull:${number}`;
};

/** A push without its commits, which are most of it and tell nothing of whose turn it is. What follows them stays. */
const withoutCommits = (body: Buffer): Buffer => {
  const from = body.indexOf(',"commits":[{');
  const to = from === -1 ? -1 : body.lastIndexOf(',"head_commit":');
  return to <= from ? body : Buffer.concat([body.subarray(0, from), body.subarray(to)]);
};

/** What the bytes of a payload say of whose turn it is, without parsing them. What they do not say is null. */
export function hintOf(name: string, bytes: Uint8Array): Hint {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const body = name === 'push' ? withoutCommits(all) : all;
  const action = first(body.toString('latin1', 0, 100), /^\{"action":"([a-z_]{1,64})"/);
  const repository = first(after(body, '"repository":{"id":', 40), /^"repository":\{"id":(\d{1,15})[,}]/);
  return {
    repository: repository === null ? null : Number(repository),
    action,
    lane: rankOf(laneOf(name, action, body)),
    subject: subjectOf(name, body),
  };
}
