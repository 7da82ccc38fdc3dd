/** The path of a URL, without host and query: what may stand in a log. */
export const pathOf = (url: string): string => new URL(url, 'https://host').pathname;

/**
 * A file's path for a URL: each segment encoded, slashes kept. `.` and `..` would be taken out again by the URL
 * parser and so ask for something else: they throw.
 */
export const encodePath = (path: string): string =>
  path
    .split('/')
    .filter((segment) => segment !== '')
    .map((segment) => {
      if (segment === '.' || segment === '..') throw new RangeError('A path to read may not hold . or ..');
      return encodeURIComponent(segment);
    })
    .join('/');

const pageOf = (link: string, rel: string): number | null => {
  for (const [, url, name] of link.matchAll(/<([^<>]+)>;\s*rel="([a-z]+)"/g)) {
    if (name !== rel || url === undefined || !URL.canParse(url)) continue;
    const page = Number(new URL(url).searchParams.get('page'));
    if (Number.isInteger(page) && page > 0) return page;
  }
  return null;
};

/** The numbers of the next and the last page in a `Link` header; null where it names none. */
export const pagesOf = (
  link: string | null,
): { readonly next: number | null; readonly last: number | null } =>
  link === null ? { next: null, last: null } : { next: pageOf(link, 'next'), last: pageOf(link, 'last') };

/** What `next` of a `Link` header asks for, for lists that are read by cursor; null where there is no next page. */
export const nextQuery = (link: string | null): Readonly<Record<string, string>> | null => {
  for (const [, url, name] of (link ?? '').matchAll(/<([^<>]+)>;\s*rel="([a-z]+)"/g)) {
    if (name === 'next' && url !== undefined && URL.canParse(url))
      return Object.fromEntries(new URL(url).searchParams);
  }
  return null;
};
