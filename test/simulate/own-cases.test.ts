import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { playCase } from '../../src/cli/play.js';
import { differencesOf } from '../../src/cli/simulate.js';
import { parseCase } from '../../src/sandbox/parse-case.js';
import { contractFetch } from '../openapi/validate.js';

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
