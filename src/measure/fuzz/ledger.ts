import { createHash } from 'node:crypto';
import type { Store } from '../../store/store.js';
import type { Outcome as Fate } from './body.js';
import type { FuzzCase, Step } from './case.js';
import type { Outcome } from './connection.js';
import type { Expected } from './draft.js';

/** Something that is not as it has to be. `case`: its number; null: it is about the whole run. */
export interface Difference {
  readonly case: number | null;
  readonly kind: string;
  readonly what: string;
}

/** A delivery that the store has to hold, or may. */
interface Entry {
  readonly case: number;
  readonly kind: string;
  readonly must: boolean;
  readonly name: string;
  readonly digest: string;
  readonly outcome: Fate;
}

const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('base64');

/** What was sent and answered, told from the cases alone; at the end the store is compared with it. */
export interface FuzzLedger {
  /** What is wrong with the answers to a step. */
  note(fuzzed: FuzzCase, step: Step, outcome: Outcome): readonly Difference[];
  /** How many answers there were, by status. */
  readonly answers: ReadonlyMap<number, number>;
  /** Requests that the store has to hold. */
  readonly stored: number;
  /** What the store holds and should not, or the other way round. Nothing may be under way in the server. */
  compare(store: Store): Promise<readonly Difference[]>;
}

const ALL = 10_000_000;

export const createFuzzLedger = (): FuzzLedger => {
  const entries = new Map<string, Entry>();
  const answers = new Map<number, number>();

  const remember = ({ number, kind }: FuzzCase, expected: Expected, must: boolean): void => {
    const before = entries.get(expected.guid);
    if (before?.must === true) return;
    const { name, body, outcome } = expected;
    entries.set(expected.guid, { case: number, kind, must, name, digest: digestOf(body), outcome });
  };

  const wrongEnd = (expected: Expected, { end }: Outcome): string | null => {
    switch (end) {
      case 'late':
        return 'no answer in time';
      case 'no HTTP':
        return 'what was answered is no HTTP';
      case 'closed':
        return expected.mayClose ? null : 'the connection ended without an answer';
      case 'answered':
      case 'not awaited':
        return null;
    }
  };

  return {
    note(fuzzed, step, outcome) {
      const found: Difference[] = [];
      for (const [at, expected] of step.expected.entries()) {
        const status = outcome.answers[at]?.status;
        if (status !== undefined) answers.set(status, (answers.get(status) ?? 0) + 1);
        const what =
          status === undefined
            ? wrongEnd(expected, outcome)
            : expected.statuses.has(status)
              ? null
              : `answered ${status} instead of ${[...expected.statuses].join(' or ')}`;
        if (what !== null) found.push({ case: fuzzed.number, kind: fuzzed.kind, what });
        if (expected.stored !== 'no') remember(fuzzed, expected, expected.stored === 'yes' || status === 202);
      }
      return found;
    },
    answers,
    get stored() {
      return [...entries.values()].filter(({ must }) => must).length;
    },
    async compare({ inbox }) {
      const found: Difference[] = [];
      const seen = new Set<string>();
      const differ = (entry: Entry, what: string): void =>
        void found.push({ case: entry.case, kind: entry.kind, what });
      for (const row of await inbox.list({ limit: ALL })) {
        const entry = entries.get(row.guid);
        if (entry === undefined) {
          found.push({
            case: null,
            kind: row.guid,
            what: `the store holds a ${row.name} that nobody signed`,
          });
          continue;
        }
        if (seen.has(row.guid)) differ(entry, 'the store holds it twice');
        seen.add(row.guid);
        if (row.name !== entry.name) differ(entry, `stored as ${row.name} instead of ${entry.name}`);
        const body = (await inbox.find(row.guid))?.body ?? null;
        if (body === null || digestOf(body) !== entry.digest) differ(entry, 'the store holds another body');
        const ends = entry.outcome === 'settled' ? ['done', 'dead'] : [entry.outcome];
        if (!ends.includes(row.state))
          differ(entry, `it is ${row.state} instead of ${ends.join(' or ')}: ${row.error ?? 'no error'}`);
      }
      for (const [guid, entry] of entries)
        if (entry.must && !seen.has(guid)) differ(entry, 'acknowledged, and not in the store');
      return found;
    },
  };
};
