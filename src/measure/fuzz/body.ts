import { gzipSync } from 'node:zlib';
import type { Random } from '../random.js';

/** A webhook as it really looks, by its event. */
export interface Sample {
  readonly name: string;
  readonly body: string;
}

/**
 * What work on a body ends with. `dead`: it is no JSON object. `settled`: done or dead, since that depends on whether a
 * rule listens to what it calls itself and finds what it reads.
 */
export type Outcome = 'dead' | 'settled';

export interface Body {
  readonly kind: string;
  readonly bytes: Buffer;
  readonly outcome: Outcome;
}

/** GitHub sends no payload above 25 MB: the last size that is taken. */
export const LARGEST = 25 * 1024 * 1024;

/** Of nested JSON: more than a parser that calls itself survives. */
const LEVELS = 100_000;

type Make = (random: Random, samples: readonly [Sample, ...Sample[]]) => Buffer | string;

const words = (random: Random): string =>
  Array.from({ length: 1 + random.below(30) }, () => random.below(36 ** 6).toString(36)).join(' ');

const small = (random: Random): string => JSON.stringify({ action: 'opened', said: words(random) });

const nested = (open: string, close: string): string => open.repeat(LEVELS) + close.repeat(LEVELS);

const DEEP_ARRAY = `{"deep":${nested('[', ']')}}`;
const DEEP_OBJECT = `{"deep":${nested('{"a":', '}').replace('}', '0}')}}`;

const sample = (random: Random, samples: readonly [Sample, ...Sample[]]): string => random.pick(samples).body;

/** Another value in place of one that stands after a colon. */
const VALUES: readonly [string, ...string[]] = [
  'null',
  'true',
  '1e400',
  '-1',
  '9'.repeat(400),
  '"text"',
  '[]',
  '{}',
  '"\\ud800"',
  '"\\u0000"',
];

const changed: Make = (random, samples) => {
  const text = sample(random, samples);
  const places = [...text.matchAll(/:(?:\d+|true|false|null|"[^"\\]*")/g)];
  const place = places[random.below(places.length)];
  if (place === undefined) return text;
  return `${text.slice(0, place.index + 1)}${random.pick(VALUES)}${text.slice(place.index + place[0].length)}`;
};

/** JSON objects, whatever else is odd about them. */
const OBJECTS: Readonly<Record<string, Make>> = {
  'small object': small,
  'empty object': () => '{}',
  'white space around': (random) => ` \r\n\t${small(random)}\n `,
  'huge numbers': () => `{"id":${'9'.repeat(5_000)},"number":1e400,"other":-0.0e-400}`,
  __proto__: () =>
    '{"__proto__":{"repository":{"id":1}},"constructor":{"prototype":{"polluted":true}},"toString":1}',
  'the same key twice': () => '{"repository":{"id":1},"repository":[],"action":"opened","action":null}',
  'invalid UTF-8 in a text': () =>
    Buffer.concat([Buffer.from('{"said":"'), Buffer.from([0xff, 0xc0, 0x80, 0xed, 0xa0]), Buffer.from('"}')]),
  'lone surrogates': () => '{"said":"\\ud800\\udfff\\ud83d"}',
  'repository of another shape': (random) =>
    `{"action":"opened","repository":${random.pick(['[]', '1', '{"id":"1"}', '{"id":-1}', '{"id":1e99}', '{"id":0}'])}}`,
  'repository without installation': () =>
    '{"repository":{"id":77,"name":"n","owner":{"login":"o"}},"installation":null}',
};

const DEEP: Readonly<Record<string, Make>> = {
  'deep arrays': () => DEEP_ARRAY,
  'deep objects': () => DEEP_OBJECT,
};

/** What no JSON object is. */
const OTHERS: Readonly<Record<string, Make>> = {
  'truncated JSON': (random, samples) => {
    const text = random.chance(0.5) ? small(random) : sample(random, samples);
    return text.slice(0, 1 + random.below(text.length - 1));
  },
  'no JSON': (random) => words(random),
  'one byte': () => 'x',
  'white space': () => ' \n ',
  'array, text or number': (random) => random.pick(['[]', '"text"', '42', 'null', 'true', '[{}]']),
  'byte order mark': (random) => `\ufeff${small(random)}`,
  'UTF-16': (random) => Buffer.from(`\ufeff${small(random)}`, 'utf16le'),
  'random bytes': (random) =>
    Buffer.from(Array.from({ length: 1 + random.below(900) }, () => random.below(256))),
  gzip: (random) => gzipSync(small(random)),
  'deep and open': () => '['.repeat(LEVELS),
  'form data': (random) => `payload=${encodeURIComponent(small(random))}`,
};

const fromMaps = (
  maps: readonly (readonly [Readonly<Record<string, Make>>, Outcome])[],
): readonly (readonly [string, Make, Outcome])[] =>
  maps.flatMap(([map, outcome]) =>
    Object.entries(map).map(([kind, make]): readonly [string, Make, Outcome] => [kind, make, outcome]),
  );

const PLAIN = fromMaps([
  [OBJECTS, 'settled'],
  [OTHERS, 'dead'],
]);
const HEAVY = fromMaps([[DEEP, 'settled']]);

/** A body for one request. Most are small; a real one comes now and then, and a deep one seldom: they cost what they weigh. */
export const bodyOf = (random: Random, samples: readonly [Sample, ...Sample[]]): Body => {
  const share = random.unit();
  if (share < 0.02) return { kind: 'real', bytes: Buffer.from(sample(random, samples)), outcome: 'settled' };
  if (share < 0.04)
    return {
      kind: 'real, one value changed',
      bytes: Buffer.from(changed(random, samples)),
      outcome: 'settled',
    };
  const from = share < 0.043 ? HEAVY : PLAIN;
  const [kind, make, outcome] = from[random.below(from.length)] ?? ['small object', small, 'settled'];
  const made = make(random, samples);
  return { kind, bytes: typeof made === 'string' ? Buffer.from(made) : made, outcome };
};

/** A JSON object of exactly that many bytes. */
export const objectOf = (size: number): Body => ({
  kind: `object of ${size} bytes`,
  bytes: Buffer.from(`{"fill":"${'x'.repeat(size - '{"fill":""}'.length)}"}`, 'latin1'),
  outcome: 'settled',
});
