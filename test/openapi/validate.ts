import { readFileSync } from 'node:fs';
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';

type Schema = Record<string, unknown>;

interface Operation {
  readonly required: boolean;
  readonly request: Schema | null;
  readonly responses: Readonly<Record<string, Schema | null>>;
}

interface Rest {
  readonly version: string;
  readonly operations: Readonly<Record<string, Operation>>;
  readonly components: Schema;
}

interface Webhooks {
  readonly version: string;
  readonly webhooks: Readonly<Record<string, Schema>>;
  readonly components: Schema;
}

const read = <T>(name: string): T => JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8')) as T;

/** GitHub's description of the endpoints this project uses: see scripts/openapi-extract.js. */
export const REST = read<Rest>('github.slim.json');
export const WEBHOOKS = read<Webhooks>('webhooks.slim.json');

/** Not ajv's to judge: its `email` refuses the address of every bot, `1+x[bot]@users.noreply.github.com`. */
const FORMATS = ['email', 'int64', 'int32', 'uri-template', 'repo.nwo', 'ssh-key', 'timestamp'];

const validatorOf = (id: string, components: Schema): ((schema: Schema) => ValidateFunction) => {
  const ajv = new Ajv({ strict: false, allErrors: false, discriminator: false });
  addFormats.default(ajv);
  for (const format of FORMATS) ajv.addFormat(format, true);
  ajv.addSchema({ $id: id, components });
  const compiled = new Map<Schema, ValidateFunction>();
  return (schema) => {
    const known = compiled.get(schema);
    if (known !== undefined) return known;
    // The extract's references are local to it: they mean the schemas that were added under `id`.
    const rooted = JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', `"$ref":"${id}#/`)) as Schema;
    const validate = ajv.compile(rooted);
    compiled.set(schema, validate);
    return validate;
  };
};

const restValidator = validatorOf('https://rest.example/description', REST.components);
const webhookValidator = validatorOf('https://webhooks.example/description', WEBHOOKS.components);

const worded = (errors: readonly ErrorObject[] | null | undefined): readonly string[] =>
  (errors ?? []).map(
    (error) => `${error.instancePath || '/'} ${error.message ?? ''} ${JSON.stringify(error.params)}`,
  );

/** Parameters that hold slashes. */
const SPANNING = new Set(['path', 'ref', 'basehead', 'branch', 'name']);

const routes = Object.keys(REST.operations)
  .map((endpoint) => {
    const [method = '', path = ''] = endpoint.split(' ');
    const source = path
      .split(/(\{\w+\})/)
      .map((part) => {
        if (!part.startsWith('{')) return part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
        const name = part.slice(1, -1);
        return name === 'path' ? '.*' : SPANNING.has(name) ? '.+' : '[^/]+';
      })
      .join('');
    const literal = path.replace(/\{\w+\}/g, '').length;
    return { endpoint, method, pattern: new RegExp(`^${source}/?$`), literal };
  })
  .sort((a, b) => b.literal - a.literal);

/** `GET`, `/repos/acme/widgets/pulls/1` → the endpoint of GitHub's description; undefined when it has none. */
export const endpointOf = (method: string, path: string): string | undefined => {
  // Octokit drops the slash before an empty path: the root's contents.
  const decoded = decodeURIComponent(path).replace(/\/contents$/, '/contents/');
  return routes.find((route) => route.method === method && route.pattern.test(decoded))?.endpoint;
};

/** What is wrong with a request's body; nothing when it is as GitHub describes it. */
export const checkRequest = (method: string, path: string, body: unknown): readonly string[] => {
  const endpoint = endpointOf(method, path);
  const operation = endpoint === undefined ? undefined : REST.operations[endpoint];
  if (operation === undefined) return [`GitHub describes no ${method} ${path}`];
  if (operation.request === null) {
    const empty = body === undefined || body === null || Object.keys(body as object).length === 0;
    return empty ? [] : [`${String(endpoint)} takes no body`];
  }
  if (body === undefined || body === null)
    return operation.required ? [`${String(endpoint)} needs a body`] : [];
  const validate = restValidator(operation.request);
  return validate(body) ? [] : worded(validate.errors);
};

/** What is wrong with an answer of 2xx; anything else is exempt. */
export const checkResponse = (
  method: string,
  path: string,
  status: number,
  body: unknown,
): readonly string[] => {
  if (status < 200 || status >= 300) return [];
  const endpoint = endpointOf(method, path);
  const operation = endpoint === undefined ? undefined : REST.operations[endpoint];
  if (operation === undefined) return [`GitHub describes no ${method} ${path}`];
  const schema = operation.responses[String(status)];
  if (schema === undefined) return [`${String(endpoint)} never answers ${status}`];
  if (schema === null)
    return body === undefined || body === '' ? [] : [`${String(endpoint)} ${status} has no body`];
  const validate = restValidator(schema);
  return validate(body) ? [] : worded(validate.errors);
};

/** What is wrong with a webhook's payload. */
export const checkWebhook = (name: string, payload: unknown): readonly string[] => {
  const action = (payload as { action?: unknown }).action;
  const key = [name, ...(typeof action === 'string' ? [action] : [])].join('-').replaceAll('_', '-');
  const schema = WEBHOOKS.webhooks[key];
  if (schema === undefined) return [`GitHub describes no webhook ${key}`];
  const validate = webhookValidator(schema);
  return validate(payload) ? [] : worded(validate.errors);
};

/** A request or an answer is not as GitHub describes it. */
export class ContractError extends Error {
  constructor(what: string, problems: readonly string[]) {
    super(`${what} is not as GitHub describes it:\n  ${problems.join('\n  ')}`);
    this.name = 'ContractError';
  }
}

/** Answers that were found good: the same one again is not looked at again. */
const looked = new Set<string>();

/**
 * A `fetch` that checks what goes through it against GitHub's own description: the endpoint, the request's body and
 * an answer of 2xx. Throws `ContractError`. GraphQL, raw file bodies and refusals pass.
 */
export const contractFetch =
  (fetch: typeof globalThis.fetch): typeof globalThis.fetch =>
  async (input, init) => {
    const request = new Request(input, init);
    const { pathname } = new URL(request.url);
    if (pathname === '/graphql') return fetch(request);
    const text = await request.clone().text();
    const body: unknown = text === '' ? undefined : JSON.parse(text);
    const line = `${request.method} ${decodeURIComponent(pathname)}`;
    const asked = checkRequest(request.method, pathname, body);
    if (asked.length > 0) throw new ContractError(line, asked);
    const response = await fetch(request);
    const json = response.headers.get('content-type')?.startsWith('application/json') === true;
    const empty = response.status === 204;
    if (response.ok && (json || empty)) {
      const answered = await response.clone().text();
      const seen = `${request.method} ${pathname} ${response.status} ${answered}`;
      if (looked.has(seen)) return response;
      const parsed: unknown = answered === '' ? undefined : JSON.parse(answered);
      const problems = checkResponse(request.method, pathname, response.status, parsed);
      if (problems.length > 0) throw new ContractError(`the answer ${response.status} to ${line}`, problems);
      looked.add(seen);
    }
    return response;
  };
