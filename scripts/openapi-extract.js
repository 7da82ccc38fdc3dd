// Cuts GitHub's description of its REST API and webhooks down to what this project uses, for the contract tests.
//
//   npm i --prefix /tmp/openapi @octokit/openapi@23.0.2 --ignore-scripts      (385 MB: never a dependency)
//   node scripts/openapi-extract.js /tmp/openapi/node_modules/@octokit/openapi/generated/api.github.com.json
//
// Writes test/openapi/github.slim.json (request and 2xx response bodies) and test/openapi/webhooks.slim.json.
// OpenAPI 3.0's `nullable` becomes JSON Schema; request bodies are closed, so that a misspelled key is found.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const source = process.argv[2];
if (source === undefined) {
  console.error('usage: node scripts/openapi-extract.js path/to/api.github.com.json');
  process.exit(2);
}
const spec = JSON.parse(readFileSync(source, 'utf8'));

/** Where the description is plainly narrower than what GitHub answers: said once, here. */
const mended = (schema, change) => {
  if (schema === undefined) throw new Error('the description changed: look again at what is mended here');
  change(schema);
};
// A label without a description has null there, also in the list shape of a PR.
mended(
  spec.components.schemas['pull-request-simple'].properties.labels.items.properties.description,
  (schema) => {
    schema.nullable = true;
  },
);
// Null where no rule is in evaluate mode, as the detail of a rule suite already says.
mended(spec.components.schemas['rule-suites'].items.properties.evaluation_result, (schema) => {
  schema.nullable = true;
});

const ENDPOINT = /['"`]((?:GET|POST|PUT|PATCH|DELETE) \/[^'"`\s]+)['"`]/g;

/** Every endpoint the sandbox answers and every one the App calls. */
const endpoints = () => {
  const files = [
    ...readdirSync(join(root, 'src/sandbox/rest')).map((name) => join(root, 'src/sandbox/rest', name)),
    join(root, 'src/github/endpoints.ts'),
  ].filter((file) => file.endsWith('.ts') && existsSync(file));
  const found = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(ENDPOINT)].map((match) => match[1]),
  );
  const rest = found.filter((endpoint) => endpoint !== 'POST /graphql');
  return [...new Set(rest.map(spelled))].sort();
};

/** An endpoint as GitHub's description spells its parameters: matched by shape, `{…+}` is one parameter too. */
const spelled = (endpoint) => {
  const [method, path] = endpoint.split(' ');
  const shape = (text) => text.replace(/\{[^}]+\}/g, '{}');
  const wanted = Object.keys(spec.paths).find(
    (candidate) => shape(candidate) === shape(path) && spec.paths[candidate][method.toLowerCase()],
  );
  if (wanted === undefined) throw new Error(`GitHub describes no ${endpoint}`);
  return `${method} ${wanted}`;
};

/** GitHub's answers are ahead of its description in these. */
const ALSO_ACCEPTED = { require_extra_approval_for_unattributed_changes: { type: 'boolean' } };

const WORDS = new Set([
  'description',
  'example',
  'examples',
  'externalDocs',
  'title',
  'deprecated',
  'default',
]);
let schemas = {};

const nullableOf = (schema) => {
  if (schema.enum) schema.enum = [...new Set([...schema.enum, null])];
  if (typeof schema.type === 'string') return { ...schema, type: [schema.type, 'null'] };
  return { anyOf: [schema, { type: 'null' }] };
};

/** A schema of the description as JSON Schema; `closed` for request bodies. Referred schemas come along. */
const slim = (schema, closed, composed = false) => {
  if (schema === null || typeof schema !== 'object') return schema;
  // An account cannot be a user and an enterprise at once, as the list of installations has it.
  if (
    schema.allOf?.some(
      (entry) => entry.$ref === '#/components/schemas/enterprise' || entry.properties?.website_url,
    )
  ) {
    const { allOf, ...rest } = schema;
    return slim({ ...rest, anyOf: allOf }, closed, composed);
  }
  if (schema.$ref) {
    const name = schema.$ref.replace('#/components/schemas/', '');
    const own = closed ? (composed ? `open:${name}` : `request:${name}`) : name;
    if (!(own in schemas)) {
      schemas[own] = true;
      schemas[own] = slim(spec.components.schemas[name], closed, composed);
    }
    return { $ref: `#/components/schemas/${own}` };
  }
  const result = {};
  const siblings = schema.properties !== undefined || schema.allOf !== undefined;
  for (const [key, value] of Object.entries(schema)) {
    if ((WORDS.has(key) && typeof value !== 'object') || key.startsWith('x-') || key === 'nullable') continue;
    if (
      key === 'example' ||
      key === 'examples' ||
      key === 'externalDocs' ||
      key === 'default' ||
      key === 'discriminator'
    )
      continue;
    if (key === 'properties') {
      result.properties = {};
      for (const [name, property] of Object.entries(value)) result.properties[name] = slim(property, closed);
    } else if (['allOf', 'oneOf', 'anyOf'].includes(key)) {
      result[key] = value.map((entry) => slim(entry, closed, composed || siblings || key === 'allOf'));
    } else if (['items', 'additionalProperties', 'not'].includes(key)) {
      result[key] = slim(value, closed);
    } else {
      result[key] = value;
    }
  }
  if (
    closed &&
    !composed &&
    schema.properties &&
    !('additionalProperties' in schema && typeof schema.additionalProperties === 'object')
  ) {
    result.additionalProperties = false;
    if ('require_last_push_approval' in schema.properties) Object.assign(result.properties, ALSO_ACCEPTED);
  }
  return schema.nullable ? nullableOf(result) : result;
};

const jsonOf = (content) =>
  content?.['application/json'] ?? Object.entries(content ?? {}).find(([type]) => type.includes('json'))?.[1];

const responseOf = (response) =>
  response.$ref ? spec.components.responses[response.$ref.replace('#/components/responses/', '')] : response;

const write = (name, value) => {
  const text = JSON.stringify(value);
  writeFileSync(join(root, 'test/openapi', name), `${text}\n`);
  console.log(
    `${name}: ${(text.length / 1024).toFixed(0)} KB, ${Object.keys(value.components.schemas).length} schemas`,
  );
};

const operations = {};
for (const endpoint of endpoints()) {
  const [method, path] = endpoint.split(' ');
  const operation = spec.paths[path][method.toLowerCase()];
  const body = jsonOf(operation.requestBody?.content)?.schema;
  const responses = {};
  for (const [status, given] of Object.entries(operation.responses)) {
    if (!status.startsWith('2')) continue;
    const schema = jsonOf(responseOf(given).content)?.schema;
    responses[status] = schema === undefined ? null : slim(schema, false);
  }
  operations[endpoint] = {
    required: operation.requestBody?.required === true,
    request: body === undefined ? null : slim(body, true),
    responses,
  };
}
write('github.slim.json', {
  version: spec.info.version,
  operations,
  components: { schemas },
});

schemas = {};
const table = readFileSync(join(root, 'src/sandbox/event-table.ts'), 'utf8');
const families = [...table.matchAll(/^ {2}(\w+): family\(/gm)].map((match) => match[1].replaceAll('_', '-'));
const webhooks = {};
for (const [name, { post }] of Object.entries(spec['x-webhooks'])) {
  const known = families.some((family) => name === family || name.startsWith(`${family}-`));
  if (!known || /^pull-request-review-(comment|thread)/.test(name)) continue;
  webhooks[name] = slim(post.requestBody.content['application/json'].schema, false);
}
write('webhooks.slim.json', {
  version: spec.info.version,
  webhooks,
  components: { schemas },
});
