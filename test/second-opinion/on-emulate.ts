import { createEmulator } from 'emulate';
import { EVENTS, PERMISSIONS } from '../../src/sandbox/shapes/account.js';
import { PRIVATE_KEY } from '../sandbox/app-key.js';
import { APP, type Hub, INSTALLATION, WEBHOOK_SECRET } from './hub.js';
import { listen } from './listener.js';

const MARA = 'token-of-mara';
const HI = Buffer.from('hi\n').toString('base64');

export const onEmulate = async (): Promise<Hub> => {
  const app = await listen();
  const emulator = await createEmulator({
    service: 'github',
    port: 0,
    seed: {
      tokens: { [MARA]: { login: 'mara', scopes: ['repo'] } },
      github: {
        users: [{ login: 'mara', name: 'Mara', email: 'mara@example.com' }],
        orgs: [{ login: 'acme', name: 'Acme', members: [{ login: 'mara', role: 'admin' }] }],
        repos: [
          { owner: 'acme', name: 'widgets', auto_init: true },
          { owner: 'acme', name: 'gears', auto_init: true, private: true },
        ],
        apps: [
          {
            app_id: APP,
            slug: 'agent-policy',
            name: 'agent-policy',
            private_key: PRIVATE_KEY,
            permissions: PERMISSIONS,
            events: EVENTS,
            webhook_url: app.url,
            webhook_secret: WEBHOOK_SECRET,
            installations: [{ installation_id: INSTALLATION, account: 'acme', repository_selection: 'all' }],
          },
        ],
      },
    },
  });

  /** Mara does something in acme/widgets. */
  const byMara = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const response = await fetch(`${emulator.url}/repos/acme/widgets/${path}`, {
      method,
      headers: { authorization: `Bearer ${MARA}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  };

  const put = { message: 'more', content: HI };
  await byMara('PUT', 'contents/docs/a.md', { ...put, branch: 'main' });
  const { object } = await byMara<{ object: { sha: string } }>('GET', 'git/ref/heads/main');
  await byMara('POST', 'git/refs', { ref: 'refs/heads/feature', sha: object.sha });
  await byMara('PUT', 'contents/src/b.ts', { ...put, branch: 'feature' });
  const pull = await byMara<{ number: number; head: { sha: string } }>('POST', 'pulls', {
    title: 'Change 1',
    head: 'feature',
    base: 'main',
  });
  return {
    url: emulator.url,
    main: object.sha,
    pull: { number: pull.number, head: pull.head.sha },
    received: app.received,
    personOpensIssue: async (title) => {
      await byMara('POST', 'issues', { title });
    },
    close: async () => {
      await emulator.close();
      await app.close();
    },
  };
};
