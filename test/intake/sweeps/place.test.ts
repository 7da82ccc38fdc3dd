import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { placeOf } from '../../../src/intake/sweeps/place.js';
import { openStore } from '../../../src/store/open.js';

test.each([
  ['nothing was kept -> nowhere', null, undefined],
  ['what was kept', '{"at":"x"}', { at: 'x' }],
  ['what an earlier version kept in another shape -> nowhere', '{"since":1}', undefined],
  ['what is no JSON -> nowhere', '{"at":', undefined],
])('%s', async (_rule, kept, expected) => {
  const store = await openStore({ file: ':memory:' });
  if (kept !== null) await store.saveCursor('sweep:x', kept);
  const place = placeOf(store, 'sweep:x', z.object({ at: z.string() }));
  expect(await place.read()).toEqual(expected);
  await place.save({ at: 'y' });
  expect(await place.read()).toEqual({ at: 'y' });
  await store.close();
});
