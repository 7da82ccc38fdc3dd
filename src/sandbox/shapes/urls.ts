export const API = 'https://api.github.com';
export const HTML = 'https://github.com';

const KINDS = { user: 'U', bot: 'BOT', organization: 'O', repository: 'R', app: 'A' } as const;

/** A global node id: opaque, and decodable by us alone (`PR_12` style). */
export const nodeId = (kind: string, id: number | string): string =>
  `${KINDS[kind as keyof typeof KINDS] ?? kind}_kwDO${Buffer.from(String(id)).toString('base64url')}`;

/** The id in a node id that `nodeId` made. */
export const idOfNode = (node: string): string =>
  Buffer.from(node.replace(/^[A-Za-z]+_kwDO/, ''), 'base64url').toString();

/** A text as one part of a URL. Half of a surrogate pair has no place there; it becomes U+FFFD, as in UTF-8. */
export const urlPart = (text: string): string =>
  encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\uFFFD'));
