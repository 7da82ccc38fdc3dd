import type { Caller } from '../app/caller.js';
import type { Host } from '../app/host.js';
import type { Json } from '../records.js';
import type { State } from '../state.js';

/** One request, taken apart. */
export interface AppCall {
  readonly host: Host;
  readonly caller: Caller;
  /** `https://api.github.com`, or where the sandbox is served. */
  readonly origin: string;
  readonly method: string;
  /** Decoded: `/repos/acme/widgets/contents/.github/agent-policy.yml`. */
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: Json;
  readonly accept: string;
}

/** One request about a repository. */
export interface Call extends AppCall {
  readonly state: State;
  /** True for the owner's `.github` repository instead of the one the case is about. */
  readonly inOrg: boolean;
  /** Keeps a text that the App wrote. */
  wrote(field: string, text: unknown): void;
}

export interface Answer {
  readonly status: number;
  /** JSON; undefined: no body. */
  readonly body?: unknown;
  /** Sent as it is instead of `body`. */
  readonly raw?: { readonly type: string; readonly bytes: Buffer };
  readonly headers?: Readonly<Record<string, string>>;
}

/** Endpoint, as GitHub's OpenAPI description spells it → what answers it. */
export type Routes = Readonly<Record<string, (call: Call) => Answer>>;
/** The same for endpoints that name no repository. */
export type AppRoutes = Readonly<Record<string, (call: AppCall) => Answer>>;

const DOCS = 'https://docs.github.com/rest';

export const ok = (body: unknown): Answer => ({ status: 200, body });
export const created = (body: unknown): Answer => ({ status: 201, body });
export const noContent = (): Answer => ({ status: 204 });

export const failed = (status: number, message: string, more: Json = {}): Answer => ({
  status,
  body: { message, documentation_url: DOCS, status: String(status), ...more },
});

export const notFound = (message = 'Not Found'): Answer => failed(404, message);

/** 422, as GitHub words it: one error with its resource, code and field. */
export const invalid = (resource: string, field: string, message: string, code = 'custom'): Answer =>
  failed(422, 'Validation Failed', { errors: [{ resource, code, field, message }] });

const DEFAULT_PAGE = 30;
const LARGEST_PAGE = 100;

export const sizeOf = (call: AppCall): number => {
  const wanted = Number(call.query.get('per_page') ?? DEFAULT_PAGE);
  return Number.isInteger(wanted) && wanted > 0 ? Math.min(wanted, LARGEST_PAGE) : DEFAULT_PAGE;
};

/** One entry of a Link header: this request again, with other parameters. */
export const link = (call: AppCall, changes: Readonly<Record<string, string>>, relation: string): string => {
  const query = new URLSearchParams(call.query);
  for (const [key, value] of Object.entries(changes)) query.set(key, value);
  return `<${call.origin}${encodeURI(call.path)}?${query.toString()}>; rel="${relation}"`;
};

/** One page of a list, with GitHub's Link header; `wrap` for answers that hold the list in an object. */
export const page = <T>(
  call: AppCall,
  items: readonly T[],
  wrap: (items: readonly T[]) => unknown = (all) => all,
): Answer => {
  const size = sizeOf(call);
  const wanted = Number(call.query.get('page') ?? 1);
  const number = Number.isInteger(wanted) && wanted > 0 ? wanted : 1;
  const last = Math.max(1, Math.ceil(items.length / size));
  const links = [
    ...(number > 1 ? [link(call, { page: String(number - 1) }, 'prev')] : []),
    ...(number < last
      ? [link(call, { page: String(number + 1) }, 'next'), link(call, { page: String(last) }, 'last')]
      : []),
    ...(number > 1 ? [link(call, { page: '1' }, 'first')] : []),
  ];
  return {
    status: 200,
    body: wrap(items.slice((number - 1) * size, number * size)),
    ...(links.length === 0 ? {} : { headers: { link: links.join(', ') } }),
  };
};

/** One page of a list that is read by cursor (`after`), as the activity list is. */
export const cursorPage = <T>(
  call: AppCall,
  items: readonly T[],
  idOf: (item: T) => string,
  shape: (item: T) => unknown,
): Answer => {
  const size = sizeOf(call);
  const after = call.query.get('after');
  const start = after === null ? 0 : items.findIndex((item) => idOf(item) === after) + 1;
  const shown = items.slice(start, start + size);
  const last = shown.at(-1);
  const more = last !== undefined && start + size < items.length;
  return {
    status: 200,
    body: shown.map(shape),
    ...(more ? { headers: { link: link(call, { after: idOf(last) }, 'next') } } : {}),
  };
};
