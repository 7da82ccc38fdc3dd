import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  readSettings,
  readStoreFile,
  withEnvFile,
  type Environment,
  type SettingProblem,
  type Settings,
  type SettingsResult,
} from '../settings.js';
import { openStore } from '../store/open.js';
import { StoreError } from '../store/store.js';
import { fail, ok, skip, warn, type Finding } from './doctor-finding.js';
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

/** The settings, and the file of the store that they name; null: none. */
const settingsOf = (environment: Environment, cwd: string): [SettingsResult, string | null] => {
  const read = withEnvFile(environment, cwd);
  if (read.kind === 'wrong') return [{ kind: 'wrong', problems: [read.problem] }, null];
  const setting = readStoreFile(read.env);
  return [readSettings(read.env), setting.kind === 'ok' ? setting.file : null];
};

/** What holds, and what somebody may have forgotten that they switched it on. */
const heldFindings = ({ killSwitch, dryRun }: Settings): readonly Finding[] => [
  ok('settings', 'the settings hold'),
  ...(killSwitch
    ? [
        warn(
          'settings',
          'AGENT_POLICY_KILL_SWITCH is on: no delivery is taken, and nothing is done',
          'Remove it when the reason is gone; what GitHub sent meanwhile is asked for again',
        ),
      ]
    : []),
  ...(dryRun
    ? [
        warn(
          'settings',
          'AGENT_POLICY_DRY_RUN is on: nothing is written to GitHub',
          'Remove it to have checks, comments and issues',
        ),
      ]
    : []),
];

/**
 * Looks at everything the App needs to do its work. Changes nothing, on GitHub or here.
 * @param given the database that was named on the command line
 */
export const examine = async (
  given: string | undefined,
  { env, cwd, fetch, now, node }: Outside,
): Promise<readonly Finding[]> => {
  const [settings, named] = settingsOf(env, cwd);
  const file = given ?? named;
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
    ...(settings.kind === 'ok' ? heldFindings(settings.settings) : settings.problems.map(settingFinding)),
    ...github,
    ...(store === null
      ? [skip('store', 'not looked at while it is not known which file it is')]
      : await storeFindings(store, now())),
  ];
};
