import { createHmac } from 'node:crypto';
import { expect } from '@jest/globals';
import { verify } from '@octokit/webhooks-methods';
import { onBoth } from './both.js';
import { type Hub, INSTALLATION, type Received, WEBHOOK_SECRET } from './hub.js';

const GUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** What comes of an issue that Mara opens with that title. */
const opened = async (hub: Hub, title: string): Promise<Received> => {
  await hub.personOpensIssue(title);
  for (let tries = 0; tries < 100; tries += 1) {
    const found = hub.received.find(({ bytes }) => bytes.includes(title));
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error('the delivery never came');
};

onBoth('a signed delivery', (check) => {
  check('names its event, its content and its signature', async (hub) => {
    const { headers } = await opened(hub, 'headers');
    expect(headers).toMatchObject({
      'x-github-event': 'issues',
      'content-type': 'application/json',
      'x-hub-signature-256': expect.stringMatching(/^sha256=[0-9a-f]{64}$/),
      'x-github-delivery': expect.any(String),
    });
  });
  check('is signed over its raw bytes', async (hub) => {
    const { headers, bytes } = await opened(hub, 'signed: ä 😀');
    const signature = String(headers['x-hub-signature-256']);
    expect(signature).toBe(`sha256=${createHmac('sha256', WEBHOOK_SECRET).update(bytes).digest('hex')}`);
    expect(await verify(WEBHOOK_SECRET, bytes.toString(), signature)).toBe(true);
    expect(await verify('another secret', bytes.toString(), signature)).toBe(false);
  });
  check('two deliveries have two names', async (hub) => {
    const first = await opened(hub, 'first of two');
    const second = await opened(hub, 'second of two');
    expect(first.headers['x-github-delivery']).not.toBe(second.headers['x-github-delivery']);
  });
  check('its name is a GUID', async (hub) => {
    const { headers } = await opened(hub, 'guid');
    expect(headers['x-github-delivery']).toMatch(GUID);
  });
  check('says by whose hook it comes, and that it is GitHub', async (hub) => {
    const { headers } = await opened(hub, 'hook');
    expect(headers).toMatchObject({
      'x-github-hook-id': expect.stringMatching(/^\d+$/),
      'x-github-hook-installation-target-id': '777',
      'x-github-hook-installation-target-type': 'integration',
      'user-agent': expect.stringMatching(/^GitHub-Hookshot\//),
    });
  });
  check('carries who did what where, and by which installation it comes', async (hub) => {
    const { bytes } = await opened(hub, 'payload');
    expect(JSON.parse(bytes.toString())).toMatchObject({
      action: 'opened',
      issue: { title: 'payload', state: 'open', user: { login: 'mara' } },
      repository: { full_name: 'acme/widgets', private: false, owner: { login: 'acme' } },
      sender: { login: 'mara', type: 'User' },
      installation: { id: INSTALLATION },
    });
  });
  check("names the owner's organization", async (hub) => {
    const { bytes } = await opened(hub, 'organization');
    expect(JSON.parse(bytes.toString())).toMatchObject({ organization: { login: 'acme' } });
  });
});
