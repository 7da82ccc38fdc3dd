import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { playCase } from '../../src/cli/play.js';
import { differencesOf } from '../../src/cli/simulate.js';
import { parseCase } from '../../src/sandbox/parse-case.js';
import { contractFetch } from '../openapi/validate.js';

const folder = fileURLToPath(new URL('../cases/', import.meta.url));
const files = readdirSync(folder).filter((name) => /^C\d+\.yml$/.test(name));
const cases = files.flatMap((name) => parseCase(readFileSync(`${folder}${name}`, 'utf8'), name));

/** Cases (the case itself: null) that wait for a later part of the App, by the part they wait for. */
type Waiting = Readonly<
  Record<string, { readonly waitsFor: string; readonly variants: readonly (string | null)[] }>
>;
const waiting = JSON.parse(readFileSync(new URL('waiting.json', import.meta.url), 'utf8')) as Waiting;
const waits = (id: string, variant: string | null): boolean =>
  waiting[id]?.variants.includes(variant) === true;

test('there are 31 cases', () => {
  expect(files).toHaveLength(31);
});

test('whatever is listed as waiting is a case', () => {
  const known = new Set(cases.map(({ id, variant }) => `${id} ${String(variant)}`));
  const listed = Object.entries(waiting).flatMap(([id, { variants }]) =>
    variants.map((variant) => `${id} ${String(variant)}`),
  );
  expect(listed.filter((name) => !known.has(name))).toEqual([]);
});

describe.each(files)('%s', (file) => {
  const mine = cases.filter(({ id }) => `${id}.yml` === file);

  test.each(mine.map((one) => [one.variant ?? one.title, one] as const))('%s', async (_name, one) => {
    const played = await playCase(one, contractFetch);
    expect(played.unknownEndpoints).toEqual([]);
    const differences = differencesOf(one, played);
    if (waits(one.id, one.variant)) expect(differences).not.toEqual([]);
    else expect(differences).toEqual([]);
  });
});

const ownFolder = fileURLToPath(new URL('own/', import.meta.url));
const own = readdirSync(ownFolder).flatMap((name) =>
  parseCase(readFileSync(`${ownFolder}${name}`, 'utf8'), name),
);

describe('beside the cases', () => {
  test.each(own.map((one) => [`${one.title}: ${one.variant ?? 'the case itself'}`, one] as const))(
    '%s',
    async (_name, one) => {
      const played = await playCase(one, contractFetch);
      expect(played.unknownEndpoints).toEqual([]);
      expect(differencesOf(one, played)).toEqual([]);
    },
  );

  test('where everything is allowed, nothing but the check is written', async () => {
    const everything = own.find(({ id }) => id === 'allow-everything');
    if (everything === undefined) throw new Error('the case is gone');
    const { requests } = await playCase(everything, contractFetch);
    const writes = requests
      .filter(({ request }) => !request.startsWith('GET '))
      .map(({ request }) => request);
    expect(writes.filter((request) => !request.endsWith('/access_tokens'))).toEqual([
      'POST /repos/acme/widgets/check-runs',
    ]);
  });
});
