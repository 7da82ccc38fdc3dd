import { expect } from '@jest/globals';
import type { Octokit } from '@octokit/core';
import { asInstallation, onBoth, statusOf } from './both.js';
import { PLACE } from './hub.js';

const open = (app: Octokit, title = 'An issue') =>
  app.request('POST /repos/{owner}/{repo}/issues', {
    ...PLACE,
    title,
    body: 'A body',
    labels: ['needs-human'],
  });

onBoth('issues', (check) => {
  const change = 'PATCH /repos/{owner}/{repo}/issues/{issue_number}';

  check('one is opened by the App, and is read', async (hub) => {
    const app = await asInstallation(hub);
    const made = await open(app);
    expect(made.status).toBe(201);
    const { data } = await app.request('GET /repos/{owner}/{repo}/issues/{issue_number}', {
      ...PLACE,
      issue_number: made.data.number,
    });
    expect(data).toMatchObject({
      title: 'An issue',
      body: 'A body',
      state: 'open',
      user: { login: 'agent-policy[bot]', type: 'Bot' },
      labels: [{ name: 'needs-human' }],
    });
  });
  check('without a title -> 422', async (hub) => {
    const app = await asInstallation(hub);
    for (const body of [{ body: 'x' }, { title: '' }])
      expect(await statusOf(app.request('POST /repos/acme/widgets/issues', body))).toBe(422);
  });
  check('it is closed with a reason, and opened again', async (hub) => {
    const app = await asInstallation(hub);
    const { data } = await open(app);
    const at = { ...PLACE, issue_number: data.number };
    const closed = await app.request(change, { ...at, state: 'closed', state_reason: 'not_planned' });
    expect(closed.data).toMatchObject({ state: 'closed', state_reason: 'not_planned' });
    expect(closed.data.closed_at).not.toBeNull();
    const reopened = await app.request(change, { ...at, state: 'open' });
    expect(reopened.data).toMatchObject({ state: 'open', closed_at: null });
  });
  check('opened again, it says so', async (hub) => {
    const app = await asInstallation(hub);
    const at = { ...PLACE, issue_number: (await open(app)).data.number };
    await app.request(change, { ...at, state: 'closed' });
    const { data } = await app.request(change, { ...at, state: 'open' });
    expect(data.state_reason).toBe('reopened');
  });
  check('closed without a reason, it is completed', async (hub) => {
    const app = await asInstallation(hub);
    const at = { ...PLACE, issue_number: (await open(app)).data.number };
    expect((await app.request(change, { ...at, state: 'closed' })).data.state_reason).toBe('completed');
  });
  check('they are listed by creator and state', async (hub) => {
    const app = await asInstallation(hub);
    const { data } = await open(app, 'Of the App, closed');
    await app.request(change, { ...PLACE, issue_number: data.number, state: 'closed' });
    await hub.personOpensIssue('Of Mara');
    const titles = async (creator: string, state: 'open' | 'closed' | 'all'): Promise<readonly string[]> =>
      (
        await app.request('GET /repos/{owner}/{repo}/issues', { ...PLACE, creator, state, per_page: 100 })
      ).data.map(({ title }) => title);
    expect(await titles('agent-policy[bot]', 'closed')).toContain('Of the App, closed');
    expect(await titles('agent-policy[bot]', 'open')).not.toContain('Of the App, closed');
    expect(await titles('agent-policy[bot]', 'all')).not.toContain('Of Mara');
    expect(await titles('mara', 'all')).toContain('Of Mara');
  });
  check('PRs are in the list too', async (hub) => {
    const { data } = await (
      await asInstallation(hub)
    ).request('GET /repos/{owner}/{repo}/issues', {
      ...PLACE,
      per_page: 100,
    });
    const pull = data.find(({ number }) => number === hub.pull.number);
    expect(pull?.pull_request).toBeDefined();
  });
  check('one there is not -> 404', async (hub) => {
    const app = await asInstallation(hub);
    expect(await statusOf(app.request(change, { ...PLACE, issue_number: 9_999, state: 'closed' }))).toBe(404);
  });
});

onBoth('comments', (check) => {
  const say = (app: Octokit, issue_number: number, body: string) =>
    app.request('POST /repos/{owner}/{repo}/issues/{issue_number}/comments', {
      ...PLACE,
      issue_number,
      body,
    });
  const list = 'GET /repos/{owner}/{repo}/issues/{issue_number}/comments';
  const one = '/repos/{owner}/{repo}/issues/comments/{comment_id}';

  check('one is made on an issue and on a PR, and is listed', async (hub) => {
    const app = await asInstallation(hub);
    const { data: issue } = await open(app);
    for (const issue_number of [issue.number, hub.pull.number]) {
      const made = await say(app, issue_number, 'Hello');
      expect(made.status).toBe(201);
      expect(made.data).toMatchObject({ body: 'Hello', user: { login: 'agent-policy[bot]', type: 'Bot' } });
      const { data } = await app.request(list, { ...PLACE, issue_number });
      expect(data.map(({ id }) => id)).toContain(made.data.id);
    }
  });
  check('the App that spoke is named', async (hub) => {
    const app = await asInstallation(hub);
    const { data } = await say(app, hub.pull.number, 'By the App');
    expect(data.performed_via_github_app).toMatchObject({ id: 777 });
  });
  check('it is changed, and removed', async (hub) => {
    const app = await asInstallation(hub);
    const { data } = await say(app, hub.pull.number, 'First');
    const at = { ...PLACE, comment_id: data.id };
    expect((await app.request(`PATCH ${one}`, { ...at, body: 'Second' })).data.body).toBe('Second');
    expect((await app.request(`GET ${one}`, at)).data.body).toBe('Second');
    expect(await statusOf(app.request(`DELETE ${one}`, at))).toBe(204);
    expect(await statusOf(app.request(`GET ${one}`, at))).toBe(404);
  });
  check('they come in pages, in the order they were made', async (hub) => {
    const app = await asInstallation(hub);
    const issue_number = (await open(app)).data.number;
    for (const body of ['1', '2', '3']) await say(app, issue_number, body);
    const bodies = async (page: number): Promise<readonly (string | undefined)[]> =>
      (await app.request(list, { ...PLACE, issue_number, per_page: 2, page })).data.map(({ body }) => body);
    expect([await bodies(1), await bodies(2), await bodies(3)]).toEqual([['1', '2'], ['3'], []]);
    const { headers } = await app.request(list, { ...PLACE, issue_number, per_page: 2 });
    expect(headers.link).toMatch(/[?&]page=2[^>]*>; rel="next"/);
  });
  check('an empty one -> 422', async (hub) => {
    const app = await asInstallation(hub);
    expect(await statusOf(say(app, hub.pull.number, ''))).toBe(422);
  });
  check('on nothing -> 404', async (hub) => {
    expect(await statusOf(say(await asInstallation(hub), 9_999, 'x'))).toBe(404);
  });
});

onBoth('reviews', (check) => {
  const review = 'POST /repos/{owner}/{repo}/pulls/{pull_number}/reviews';

  check('one is made on the head, and is listed', async (hub) => {
    const app = await asInstallation(hub);
    const at = { ...PLACE, pull_number: hub.pull.number };
    const made = await app.request(review, { ...at, event: 'REQUEST_CHANGES', body: 'Not so' });
    expect(made.data).toMatchObject({ state: 'CHANGES_REQUESTED', body: 'Not so', commit_id: hub.pull.head });
    const { data } = await app.request('GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews', at);
    expect(data).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ id: made.data.id, state: 'CHANGES_REQUESTED', commit_id: hub.pull.head }),
      ]),
    );
  });
  check('the answer to one that is made is 200', async (hub) => {
    const app = await asInstallation(hub);
    const asked = { ...PLACE, pull_number: hub.pull.number, event: 'COMMENT', body: 'Seen' } as const;
    expect(await statusOf(app.request(review, asked))).toBe(200);
  });
  check('a comment or a request for changes without words -> 422', async (hub) => {
    const app = await asInstallation(hub);
    for (const event of ['COMMENT', 'REQUEST_CHANGES'] as const) {
      const asked = app.request(review, { ...PLACE, pull_number: hub.pull.number, event });
      expect({ event, status: await statusOf(asked) }).toEqual({ event, status: 422 });
    }
  });
  check('without an event it is not submitted', async (hub) => {
    const app = await asInstallation(hub);
    const { data } = await app.request(review, { ...PLACE, pull_number: hub.pull.number, body: 'later' });
    expect(data.state).toBe('PENDING');
  });
  check('on a PR there is not -> 404', async (hub) => {
    const asked = { ...PLACE, pull_number: 9_999, event: 'COMMENT', body: 'x' } as const;
    expect(await statusOf((await asInstallation(hub)).request(review, asked))).toBe(404);
  });
});
