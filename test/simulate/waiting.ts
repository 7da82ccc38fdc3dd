import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { playCase } from '../../src/cli/play.js';
import { differencesOf } from '../../src/cli/simulate.js';
import { parseCase } from '../../src/sandbox/parse-case.js';
import { contractFetch } from '../openapi/validate.js';

const folder = fileURLToPath(new URL('../cases/', import.meta.url));
export const files = readdirSync(folder).filter((name) => /^C\d+\.yml$/.test(name));
export const cases = files.flatMap((name) => parseCase(readFileSync(`${folder}${name}`, 'utf8'), name));

/** Cases (the case itself: null) that wait for a later part of the App, by the part they wait for. */
type Waiting = Readonly<
  Record<string, { readonly waitsFor: string; readonly variants: readonly (string | null)[] }>
>;
export const waiting = JSON.parse(readFileSync(new URL('waiting.json', import.meta.url), 'utf8')) as Waiting;
const waits = (id: string, variant: string | null): boolean =>
  waiting[id]?.variants.includes(variant) === true;

/** Plays the cases of some files with all their variants: each holds, or is listed as waiting and does not hold yet. */
export function playAll(some: readonly string[]): void {
  describe.each(some)('%s', (file) => {
    const mine = cases.filter(({ id }) => `${id}.yml` === file);

    test.each(mine.map((one) => [one.variant ?? one.title, one] as const))('%s', async (_name, one) => {
      const played = await playCase(one, contractFetch);
      expect(played.unknownEndpoints).toEqual([]);
      const differences = differencesOf(one, played);
      if (waits(one.id, one.variant)) expect(differences).not.toEqual([]);
      else expect(differences).toEqual([]);
    });
  });
}
