import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readSettings, readStoreFile, type Environment, type SettingProblem } from '../settings.js';
import { openStore } from '../store/open.js';
import { StoreError } from '../store/store.js';
import { fail, ok, skip, type Finding } from './doctor-finding.js';
import { githubFindings } from './doctor-github.js';
import { nodeFinding } from './doctor-node.js';
import { storeFindings } from './doctor-store.js';
import type { Outside } from './outside.js';

const settingFinding = ({ variable, wrong, remedy }: SettingProblem): Finding =>
  fail('settings', `${variable} ${wrong}`, remedy.replace(/\.$/, ''));

/** What an earlier process was told; a store that does not open is another finding. */
const toldToWait =
  (file: string) =>
  async (key: string): Promise<string | undefined> => {
    try {
      const store = await openStore({ file, lock: 'beside', thread: false });
      try {
        return await store.cursor(`told-to-wait:${key}`);
      } finally {
        await store.close();
      }
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      return undefined;
    }
  };

/**
 * Looks at everything the App needs to do its work. Changes nothing, on GitHub or here.
 * @param env the environment, with what `.env` adds
 * @param given the database that was named on the command line
 */
export const examine = async (
  env: Environment,
  given: string | undefined,
  { cwd, fetch, now, node }: Outside,
): Promise<readonly Finding[]> => {
  const settings = readSettings(env);
  const setting = readStoreFile(env);
  const file = given ?? (setting.kind === 'ok' ? setting.file : null);
  const store = file === null ? null : resolve(cwd, file);
  const github =
    settings.kind === 'ok'
      ? await githubFindings({
          settings: settings.settings,
          fetch,
          now,
          sleep: (ms) => sleep(ms),
          toldToWait: store === null ? async () => undefined : toldToWait(store),
        })
      : [skip('credentials', 'GitHub is not asked while the settings do not hold')];
  return [
    nodeFinding(node),
    ...(settings.kind === 'ok'
      ? [ok('settings', 'the settings hold')]
      : settings.problems.map(settingFinding)),
    ...github,
    ...(store === null
      ? [skip('store', 'not looked at while AGENT_POLICY_STORE does not hold')]
      : await storeFindings(store, now())),
  ];
};
