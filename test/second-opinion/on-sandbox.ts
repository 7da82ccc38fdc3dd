import { createGitHub } from '../../src/sandbox/app/github.js';
import { createDeliverer } from '../../src/sandbox/http/deliverer.js';
import { serveSandbox } from '../../src/sandbox/http/serve.js';
import type { Deliver } from '../../src/sandbox/sandbox.js';
import { PUBLIC_KEY } from '../sandbox/app-key.js';
import { APP, type Hub, WEBHOOK_SECRET } from './hub.js';
import { listen } from './listener.js';

const event = (title: string, keys: Readonly<Record<string, unknown>>): Deliver => {
  const [name = '', action = null] = title.split('.');
  return { kind: 'deliver', title, name, action, keys };
};

export const onSandbox = async (): Promise<Hub> => {
  const app = await listen();
  const github = createGitHub({
    clock: { now: () => Date.now() },
    webhookSecret: WEBHOOK_SECRET,
    appId: APP,
    auth: { publicKey: PUBLIC_KEY },
    hookUrl: app.url,
  });
  const widgets = github.add({
    policy: null,
    world: {
      pulls: {
        1: { author: 'mara', head: 'feature', sha: 'h1', files: [{ path: 'src/b.ts', content: 'hi\n' }] },
      },
    },
  });
  github.add({ policy: null, world: { private: true }, repository: { id: 2, owner: 'acme', name: 'gears' } });
  widgets.happen(
    event('push', { by: 'mara', ref: 'main', before: 'm0', after: 'm1', content: { 'docs/a.md': 'hi\n' } }),
    0,
  );
  const served = await serveSandbox(github);
  const deliverer = createDeliverer(github, { url: app.url });
  let issues = 1;
  return {
    url: served.url,
    main: widgets.sha('m1'),
    pull: { number: 1, head: widgets.sha('h1') },
    received: app.received,
    personOpensIssue: async (title) => {
      issues += 1;
      const opened = event('issues.opened', { by: 'mara', issue: issues, title });
      await deliverer.send(widgets.deliverAll(opened, 0));
    },
    close: async () => {
      deliverer.close();
      await served.close();
      await app.close();
    },
  };
};
