import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OpenOptions, openStore } from '../../src/store/open.js';
import type { Store } from '../../src/store/store.js';

/** A way to have a fresh store. What is asserted runs in `use`, which closes it afterwards. */
export interface Opener {
  readonly name: string;
  readonly use: (test: (store: Store) => Promise<void>) => Promise<void>;
}

/** A folder of its own, gone afterwards. */
export const inFolder = async (test: (folder: string) => Promise<void>): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'agent-policy-store-'));
  try {
    await test(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/** On `open`: the source's own, or that of the built program, which alone has a thread. */
export const createOpener = (
  name: string,
  open: typeof openStore,
  options: Omit<OpenOptions, 'file'> & { readonly file?: ':memory:' },
): Opener => ({
  name,
  use: (test) =>
    inFolder(async (folder) => {
      const store = await open({ file: join(folder, 'store.db'), ...options });
      try {
        await test(store);
      } finally {
        await store.close();
      }
    }),
});
