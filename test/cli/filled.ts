import { arrival, type Machine } from './machine.js';

/** One of each state: 1 dead, 2 waiting, 3 queued, 4 done, 5 expected; 6 is done and its body is gone. */
export const fill = (machine: Machine): Promise<void> =>
  machine.serve(async (store) => {
    const { inbox } = store;
    const seenAt = '2026-11-30T09:00:00.000Z';
    await store.saveRepository({ id: 42, owner: 'acme', name: 'widgets', installation: 9, seenAt });
    for (const minute of [1, 2, 3, 4]) await inbox.accept(arrival(minute));
    await inbox.bury(1, {
      attempts: 8,
      at: '2026-11-30T10:00:00.000Z',
      error: 'GitHub answered 502 to GET /repos/acme/widgets: GitHub is failing',
    });
    await inbox.retry(2, {
      attempts: 3,
      due: '2026-11-30T12:04:00.000Z',
      error: 'no answer in time',
    });
    await inbox.done(4, '2026-11-30T09:04:01.000Z');
    await inbox.expect('guid-lost', '2026-11-30T08:00:00.000Z');
    const hint = { repository: 77, action: null, lane: 0, subject: null };
    await inbox.accept(
      arrival(0, { guid: 'guid-old', name: 'push', hint, receivedAt: '2026-10-01T00:00:00.000Z' }),
    );
    await inbox.done(6, '2026-10-01T00:00:01.000Z');
    await store.prune({
      bodiesSince: '2026-11-01T00:00:00.000Z',
      deliveriesSince: '2026-01-01T00:00:00.000Z',
      actsSince: '2026-01-01T00:00:00.000Z',
    });
  });
