import { existsSync, statSync } from 'node:fs';
import { printable } from '../policy/quote.js';
import { lastSweeps, type SweepReport } from '../intake/sweeps/sweeps.js';
import { SCHEMA_VERSION } from '../store/migrate.js';
import { openStore } from '../store/open.js';
import { isServed } from '../store/sqlite/lock.js';
import { StoreError, type Store } from '../store/store.js';
import { plural, utc } from '../words/names.js';
import { fail, ok, warn, type Finding } from './doctor-finding.js';
import { bytesText } from './problem-text.js';

/** A delivery that waits longer than this waits for something that does not come. Milliseconds. */
const LONG = 15 * 60_000;

/** Bytes of the database and of the two files that belong to it. */
const sizeOf = (file: string): number =>
  ['', '-wal', '-shm']
    .map((suffix) => statSync(`${file}${suffix}`, { throwIfNoEntry: false })?.size ?? 0)
    .reduce((sum, size) => sum + size, 0);

const servedFinding = (file: string): Finding =>
  isServed(file)
    ? ok('store', 'a server holds its lock')
    : warn('store', 'no server holds its lock: none runs on it', 'Start the server');

const inboxFindings = async ({ inbox }: Store, now: number): Promise<readonly Finding[]> => {
  const { queued, waiting, dead } = await inbox.counts();
  const oldest = await inbox.oldestUndone();
  const undone = `${plural(queued + waiting, 'delivery', 'deliveries')} to be done`;
  return [
    oldest !== null && now - Date.parse(oldest) > LONG
      ? warn(
          'store',
          `${undone}, the oldest since ${utc(oldest)}`,
          '`agent-policy deliveries list --state waiting` says what each waits for',
        )
      : ok('store', undone),
    ...(dead === 0
      ? []
      : [
          warn(
            'store',
            `${plural(dead, 'delivery is', 'deliveries are')} dead: not tried again`,
            '`agent-policy deliveries list --state dead` says why; `deliveries replay` queues them once more',
          ),
        ]),
  ];
};

/** Webhooks that never came are found by sweeps: hourly where something moved, daily everywhere. */
const OVERDUE = 25 * 60 * 60_000;

const SWEEPS: Readonly<Record<SweepReport['sweep'], string>> = {
  deliveries: "GitHub's log of deliveries",
  repositories: 'the repositories',
};

const sweepFinding = (now: number, { sweep, at }: SweepReport): Finding => {
  const name = SWEEPS[sweep];
  if (at === null)
    return warn(
      'sweeps',
      `${name}: never gone through to the end`,
      'A running server does so by itself; see its log',
    );
  const last = `${name}: last gone through ${utc(at)}`;
  return now - Date.parse(at) > OVERDUE
    ? warn('sweeps', last, 'A running server does so every day; see its log')
    : ok('sweeps', last);
};

/** The database: whether it opens, of what version and size it is, who serves from it, what is not done. */
export const storeFindings = async (file: string, now: number): Promise<readonly Finding[]> => {
  const name = printable(file);
  if (!existsSync(file))
    return [
      warn(
        'store',
        `there is no database at ${name} yet`,
        'The server makes it when it starts; see AGENT_POLICY_STORE',
      ),
    ];
  try {
    const store = await openStore({ file, lock: 'beside', thread: false });
    try {
      return [
        ok('store', `${name} opens: schema ${String(SCHEMA_VERSION)}, ${bytesText(sizeOf(file))} on disk`),
        servedFinding(file),
        ...(await inboxFindings(store, now)),
        ...(await lastSweeps(store)).map((report) => sweepFinding(now, report)),
      ];
    } finally {
      await store.close();
    }
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return [fail('store', 'the database does not open', error.message.replace(/\.$/, ''))];
  }
};
