import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { z } from 'zod';
import { openStore } from '../../store/open.js';
import type { Store } from '../../store/store.js';
import type { Books } from './books.js';
import { compare, type Difference } from './difference.js';

const run = promisify(execFile);
const COMMAND = fileURLToPath(new URL('../../../bin/agent-policy.js', import.meta.url));
const LARGEST_LOG = 256 * 1024 * 1024;

const exported = z.object({
  repository: z.object({ id: z.number() }),
  kind: z.string(),
  verdict: z.string(),
  subject: z.object({
    pull: z.number().optional(),
    issue: z.number().optional(),
    ref: z.string().optional(),
    before: z.string().optional(),
    after: z.string().optional(),
  }),
});
type Exported = z.infer<typeof exported>;

/** The act log as `agent-policy export` gives it. */
const exportedActs = async (store: string): Promise<readonly Exported[]> => {
  const args = [COMMAND, 'export', '--format', 'jsonl', '--store', store];
  const { stdout } = await run(process.execPath, args, { maxBuffer: LARGEST_LOG });
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => exported.parse(JSON.parse(line)));
};

/** What sweeps find in GitHub's lists although no webhook came. */
const FOUND_WITHOUT: ReadonlySet<string> = new Set([
  'pull.merge',
  'push.trunk',
  'push.force',
  'branch.delete',
]);

type Named = { readonly kind: string; readonly verdict: string } & Exported['subject'];

/** An act by what tells it from any other of its repository. */
const nameOf = ({ kind, verdict, pull, issue, ref, before, after }: Named): string =>
  [
    verdict,
    kind,
    ...(pull === undefined ? [] : [`#${pull}`]),
    ...(issue === undefined ? [] : [`#${issue}`]),
    // A merge is told by its PR, and a branch that went by its name: its webhooks tell more or less of the rest.
    ...(kind === 'pull.merge' || ref === undefined ? [] : [ref]),
    ...(kind === 'branch.delete' || before === undefined ? [] : [before]),
    ...(after === undefined ? [] : [after]),
  ].join(' ');

/** Verdicts that the story names; a merge's own push is `explained`, and a tag no webhook told `unattributed`. */
const NAMED: ReadonlySet<string> = new Set(['allow', 'deny', 'person']);
/** Pushes of merges, and rewrites that people made, are acts that the story does not name one by one. */
const isNamed = ({ kind, verdict, subject }: Exported): boolean =>
  NAMED.has(verdict) && (verdict === 'deny' || kind !== 'push.trunk' || subject.ref !== 'main');

/** The acts of a story that somebody told, or that can be found without, each with the webhooks that told it. */
const actsOf = (books: Books): readonly { readonly name: string; readonly told: readonly string[] }[] =>
  [...books.acts.map((act) => ({ act, by: act })), ...books.breaches.map((by) => ({ act: by.act, by }))]
    .map(({ act, by }) => ({ act, told: books.toldBy.get(by) ?? [] }))
    .filter(({ act, told }) => FOUND_WITHOUT.has(act.kind) || told.length > 0)
    .map(({ act, told }) => ({ name: nameOf(act), told }));

/** Acts of the log that the story does not have, has more often, or misses. */
export const verifyActs = async (all: readonly Books[], store: string): Promise<readonly Difference[]> => {
  const rows = await exportedActs(store);
  return all.flatMap((books): Difference[] => {
    const acts = actsOf(books);
    const seen = rows.filter((row) => row.repository.id === books.id && isNamed(row));
    return compare(
      acts.map(({ name }) => name),
      seen.map(({ kind, verdict, subject }) => nameOf({ kind, verdict, ...subject })),
    ).map((one) => ({
      where: `${books.owner}/${books.name}, act log`,
      expected: `${one.expected} × ${one.thing}`,
      seen: `${one.seen}`,
      deliveries: acts.filter(({ name }) => name === one.thing).flatMap(({ told }) => told),
    }));
  });
};

/** What is not at an end in the store. */
export interface Unfinished {
  /** Webhooks that never came in; one that was stored and not acknowledged before the server died has. */
  readonly missing: number;
  readonly queued: number;
  readonly waiting: number;
  readonly expected: number;
  /** What waits for its time: a push to a trunk for its merge. */
  readonly grace: number;
}

const FAR = '9999-12-31T23:59:59.999Z';

const beside = async <T>(file: string, work: (store: Store) => Promise<T>): Promise<T> => {
  const store = await openStore({ file, lock: 'beside' });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
};

/** Null: everything that was sent came in, and nothing is left to be done. */
export const unfinishedIn = (file: string, guids: readonly string[]): Promise<Unfinished | null> =>
  beside(file, async ({ inbox, due }) => {
    const { queued, waiting, expected } = await inbox.counts();
    const missing = new Set(guids).size - (await inbox.known(guids)).size;
    const grace = (await due(FAR)).length;
    return missing + queued + waiting + expected + grace === 0
      ? null
      : { missing, queued, waiting, expected, grace };
  });

const DEAD_SHOWN = 100;

/** Webhooks that are not done, acknowledged or not, and dead letters: the story explains none. */
export const verifyDeliveries = (
  guids: readonly string[],
  acknowledged: ReadonlySet<string>,
  file: string,
): Promise<readonly Difference[]> =>
  beside(file, async ({ inbox }) => {
    const found: Difference[] = [];
    const where = 'the store';
    const sent = new Set(guids);
    for (const guid of sent) {
      const stored = await inbox.find(guid);
      if (stored?.state === 'done') continue;
      const expected = acknowledged.has(guid) ? 'an acknowledged delivery done' : 'a delivery done';
      const seen = stored === undefined ? 'not there' : `${stored.state}, ${stored.error ?? 'no error'}`;
      found.push({ where, expected, seen, deliveries: [guid] });
    }
    for (const { guid, name, error } of await inbox.list({ state: 'dead', limit: DEAD_SHOWN }))
      if (!sent.has(guid))
        found.push({
          where,
          expected: 'no dead letter',
          seen: `${name}: ${error ?? ''}`,
          deliveries: [guid],
        });
    return found;
  });
