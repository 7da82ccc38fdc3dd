import type { Database } from '../database.js';
import type { ActRow } from '../ledger.js';
import type { ActsQuery, RecordedAct } from '../store.js';
import { fromJson, millis } from '../values.js';

/** Acts read at a time. A page is a query of its own: a slow reader holds nothing. */
const PAGE = 500;

interface Place {
  readonly at: number;
  readonly id: number;
}

/** In the order they were done, those done at one moment in the order they were told. */
export async function* readActs(
  { sql }: Database,
  { since, until, repository }: ActsQuery,
): AsyncGenerator<RecordedAct> {
  const query = sql
    .selectFrom('acts')
    .leftJoin('repositories', 'repositories.id', 'acts.repository')
    .select(['acts.id', 'acts.at', 'acts.repository', 'acts.data', 'repositories.owner', 'repositories.name'])
    .$if(since !== undefined, (some) => some.where('acts.at', '>=', millis(since ?? '')))
    .$if(until !== undefined, (some) => some.where('acts.at', '<=', millis(until ?? '')))
    .$if(repository !== undefined, (some) => some.where('acts.repository', '=', repository ?? 0))
    .orderBy('acts.at')
    .orderBy('acts.id')
    .limit(PAGE);

  let after: Place | undefined;
  for (;;) {
    const page = query.$if(after !== undefined, (some) =>
      some.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('acts.at', 'acts.id'), '>', tuple(after?.at ?? 0, after?.id ?? 0)),
      ),
    );
    const rows = await page.execute();
    for (const row of rows)
      yield {
        ...fromJson<ActRow>(row.data),
        repository: { id: row.repository, owner: row.owner, name: row.name },
      };
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE) return;
    after = { at: last.at, id: last.id };
  }
}
