import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { Ajv, type ValidateFunction } from 'ajv';
import fc from 'fast-check';
import { parse } from 'yaml';
import { policyJsonSchema } from '../../src/policy/json-schema.js';
import { loadPolicyFile } from '../../src/policy/load.js';
import { NAMES, ORG_SAMPLE } from './sample.js';

const committed = (): object => {
  const path = fileURLToPath(new URL('../../schema/agent-policy.schema.json', import.meta.url));
  return JSON.parse(readFileSync(path, 'utf8')) as object;
};

const compile = (): ValidateFunction => new Ajv({ strict: true, allowUnionTypes: true }).compile(committed());

/** Every object of the schema that lists keys, as `path: description`. */
const undescribed = (schema: unknown, path: string): readonly string[] => {
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties, additionalProperties } = schema as Record<string, unknown>;
  const of = Object.entries((properties ?? {}) as Record<string, Record<string, unknown>>);
  return [
    ...of.filter(([, value]) => typeof value['description'] !== 'string').map(([key]) => `${path}.${key}`),
    ...of.flatMap(([key, value]) => undescribed(value, `${path}.${key}`)),
    ...undescribed(additionalProperties, `${path}.*`),
  ];
};

describe('the committed JSON Schema', () => {
  test('is the one that the reader makes (npm run schema)', () => {
    expect(committed()).toEqual(JSON.parse(JSON.stringify(policyJsonSchema())));
  });

  test('accepts the sample with every key, and nothing else', () => {
    const validate = compile();
    expect(validate(parse(ORG_SAMPLE))).toBe(true);
    expect(validate({ ...(parse(ORG_SAMPLE) as object), forcepush: 'allow' })).toBe(false);
    expect(validate({ version: 1, merge: 'prr' })).toBe(false);
    expect(validate({ merge: 'pr' })).toBe(false);
  });

  test('describes every key', () => {
    expect(undescribed(committed(), '')).toEqual([]);
  });
});

const loads = (text: string | Uint8Array): boolean => {
  const result = loadPolicyFile(text, 'f.yml', 'org', { catalogue: NAMES });
  if (result.kind === 'valid') return true;
  for (const { line, column, message } of result.problems) {
    if (!(line >= 1 && column >= 1 && message.length > 0))
      throw new Error(`a problem without place: ${message}`);
  }
  if (result.problems.length === 0) throw new Error('invalid, and no problem told');
  return false;
};

/** A good file in few characters, so that a mutation hits something that matters. */
const COMPACT = `version: 1
merge: pr
agents:
  claude: {}
  coder: { apps: [1001], accounts: [9003, fws-coder], shared: marked, acts: { push.force: own } }
trunk: &t [main, "release/*"]
people: { approvals: 1, approvers: ["@acme/platform", otto], gated: false }
limits: { open-pulls: 10, merges-per-day: unlimited }
runs: { quiet: 45m }
repositories: { include: *t }
`;

/** Pieces that matter to YAML or to the schema, to put somewhere into the text. */
const PIECES = [
  ...[
    '\n',
    '\t',
    '  ',
    ' ',
    ':',
    ': ',
    '-',
    '- ',
    '[',
    ']',
    '{',
    '}',
    ',',
    '#',
    '&a',
    '*a',
    '!',
    '!!int ',
    '|',
    '>',
    "'",
    '"',
    '%',
    '@',
    '`',
    '?',
    '? ',
  ],
  ...[
    '\\',
    '\0',
    '\u001b',
    '\u202e',
    '\uFEFF',
    '~',
    'null',
    'true',
    'no',
    '1e3',
    '0x1',
    '-1',
    '.nan',
    '.inf',
    '1.5',
    '---\n',
    '...\n',
    '<<: ',
    '__proto__: ',
    'constructor: ',
  ],
  ...[
    'own',
    'any',
    'none',
    'merge',
    'unlimited',
    '99999999999999999999',
    '2026-01-01',
    '45m',
    '[bot]',
    'é',
    '🙂',
    '"1"',
  ],
] as const;

const textMutation = fc.oneof(
  fc.record({ kind: fc.constant('insert' as const), at: fc.nat(), piece: fc.constantFrom(...PIECES) }),
  fc.record({
    kind: fc.constant('insert' as const),
    at: fc.nat(),
    piece: fc.string({ maxLength: 6, unit: 'binary' }),
  }),
  fc.record({ kind: fc.constant('remove' as const), at: fc.nat(), length: fc.integer({ min: 1, max: 12 }) }),
  fc.record({
    kind: fc.constant('copy' as const),
    at: fc.nat(),
    to: fc.nat(),
    length: fc.integer({ min: 1, max: 40 }),
  }),
);

type TextMutation = typeof textMutation extends fc.Arbitrary<infer M> ? M : never;

const mutateText = (text: string, mutation: TextMutation): string => {
  const at = mutation.at % (text.length + 1);
  switch (mutation.kind) {
    case 'insert':
      return text.slice(0, at) + mutation.piece + text.slice(at);
    case 'remove':
      return text.slice(0, at) + text.slice(at + mutation.length);
    case 'copy': {
      const to = mutation.to % (text.length + 1);
      return text.slice(0, to) + text.slice(at, at + mutation.length) + text.slice(to);
    }
  }
};

const VALUES: readonly unknown[] = [
  ...[
    null,
    true,
    false,
    0,
    1,
    -1,
    1.5,
    11,
    10_001,
    2 ** 53,
    '',
    ' ',
    'none',
    'pr',
    'merge',
    'own',
    'allow',
    'deny',
    'any',
    'marked',
    'unlimited',
  ],
  ...[
    '45m',
    '0s',
    '99d',
    '1',
    '@x',
    '@a/b',
    'a/b',
    'x[bot]',
    'a'.repeat(300),
    '!x',
    '/x',
    'x/',
    '\\',
    '***',
    [],
    [1],
    ['a'],
    [null],
    [[]],
    {},
    { a: 1 },
    { merge: 'pr' },
  ],
];

type Container = Record<string, unknown> | unknown[];

const containersOf = (value: unknown): readonly Container[] => {
  if (Array.isArray(value)) return [value as unknown[], ...value.flatMap(containersOf)];
  if (typeof value === 'object' && value !== null) {
    return [value as Record<string, unknown>, ...Object.values(value).flatMap(containersOf)];
  }
  return [];
};

const KEYS = [
  'merge',
  'acts',
  'shared',
  'agents',
  'x',
  'constructor',
  'a b',
  'a:b',
  '',
  'pull.merge',
  'version',
  'limits',
];

const treeMutation = fc.record({
  where: fc.nat(),
  which: fc.nat(),
  how: fc.constantFrom('set', 'add', 'remove'),
  key: fc.constantFrom(...KEYS),
  value: fc.constantFrom(...VALUES),
});

const mutateTree = (
  tree: unknown,
  mutation: typeof treeMutation extends fc.Arbitrary<infer M> ? M : never,
): void => {
  const containers = containersOf(tree);
  const container = containers[mutation.where % containers.length];
  const value = structuredClone(mutation.value);
  if (container === undefined) return;
  if (Array.isArray(container)) {
    const index = mutation.which % (container.length + 1);
    container.splice(index, mutation.how === 'add' ? 0 : 1, ...(mutation.how === 'remove' ? [] : [value]));
    return;
  }
  const keys = Object.keys(container);
  const key = mutation.how === 'add' ? mutation.key : keys[mutation.which % Math.max(1, keys.length)];
  if (key === undefined) return;
  if (mutation.how === 'remove') Reflect.deleteProperty(container, key);
  else container[key] = value;
};

describe('10,000 random mutations of a good file', () => {
  const validate = compile();
  const good = parse(COMPACT) as unknown;
  const readYaml = (text: string): unknown => parse(text, { logLevel: 'silent' });
  /** What loads, the JSON Schema accepts. Returns whether it loads. */
  const neverLaxer = (text: string, value: (text: string) => unknown): boolean => {
    const valid = loads(text);
    if (valid && !validate(value(text))) throw new Error(`loads, and the JSON Schema rejects it: ${text}`);
    return valid;
  };

  test('of its text: never a crash, never laxer than the JSON Schema', () => {
    let valid = 0;
    fc.assert(
      fc.property(fc.array(textMutation, { minLength: 1, maxLength: 3 }), (mutations) => {
        if (neverLaxer(mutations.reduce(mutateText, COMPACT), readYaml)) valid += 1;
      }),
      { numRuns: 5_000 },
    );
    expect(valid).toBeGreaterThan(50);
    expect(valid).toBeLessThan(4_500);
  });

  test('of its values: never a crash, never laxer than the JSON Schema', () => {
    let valid = 0;
    fc.assert(
      fc.property(fc.array(treeMutation, { minLength: 1, maxLength: 3 }), (mutations) => {
        const tree = structuredClone(good);
        for (const mutation of mutations) mutateTree(tree, mutation);
        if (neverLaxer(JSON.stringify(tree), JSON.parse)) valid += 1;
      }),
      { numRuns: 5_000 },
    );
    expect(valid).toBeGreaterThan(50);
    expect(valid).toBeLessThan(4_500);
  });

  test('any bytes at all: never a crash', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(loads(bytes)).toBe(false);
      }),
      { numRuns: 1_000 },
    );
  });
});
