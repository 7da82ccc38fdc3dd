import type { Probot } from 'probot';
import type { Service } from './service.js';

/** Puts every delivery that Probot's own front door verified into the store, from where it is worked on. */
export function listen(app: Probot, service: Pick<Service, 'accept'>): void {
  app.onAny(async ({ id, name, payload }) => {
    await service.accept({ guid: id, name, body: Buffer.from(JSON.stringify(payload)) });
  });
}
