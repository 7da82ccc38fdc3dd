import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { Octokit } from '@octokit/core';
import { serveSandbox, type Served } from '../../src/sandbox/http/serve.js';
import { sandboxOf } from './cases.js';

const open: Served[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((served) => served.close()));
});

const serve = async (face = sandboxOf({ world: { pulls: { 1: { author: 'alpha' } } } }).sandbox) => {
  const served = await serveSandbox(face);
  open.push(served);
  return { served, face, octokit: new Octokit({ baseUrl: served.url, request: { retries: 0 } }) };
};

const place = { owner: 'acme', repo: 'widgets' };

describe('the sandbox over HTTP', () => {
  test('answers as it does in the process: reads, writes, raw bytes, nothing', async () => {
    const { octokit } = await serve();
    const pull = await octokit.request('GET /repos/{owner}/{repo}/pulls/{pull_number}', {
      ...place,
      pull_number: 1,
    });
    expect(pull.data).toMatchObject({ number: 1, user: { login: 'alpha-agent[bot]' } });
    const issue = await octokit.request('POST /repos/{owner}/{repo}/issues', { ...place, title: 'ä' });
    expect(issue).toMatchObject({ status: 201, data: { title: 'ä' } });
    const raw = await octokit.request('GET /repos/{owner}/{repo}/contents/{path}', {
      ...place,
      path: 'README.md',
      headers: { accept: 'application/vnd.github.raw+json' },
    });
    expect(raw.data).toBe('# Widgets\n');
    const gone = await octokit.request('DELETE /installation/token');
    expect(gone.status).toBe(204);
  });
  test('what did not change is 304', async () => {
    const { served } = await serve();
    const url = `${served.url}/repos/acme/widgets`;
    const first = await fetch(url);
    await first.text();
    const again = await fetch(url, { headers: { 'if-none-match': first.headers.get('etag') ?? '' } });
    expect(again.status).toBe(304);
  });
  test('pages link to where they are served', async () => {
    const { served, octokit } = await serve();
    for (const title of ['a', 'b', 'c'])
      await octokit.request('POST /repos/{owner}/{repo}/issues', { ...place, title });
    const first = await fetch(`${served.url}/repos/acme/widgets/issues?per_page=2`);
    await first.text();
    const next = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    expect(next.startsWith(`${served.url}/repos/acme/widgets/issues?`)).toBe(true);
    const second = (await (await fetch(next)).json()) as { title: string }[];
    expect(second.map(({ title }) => title)).toEqual(['a', 'Change 1']);
  });
  test('a refusal is a refusal', async () => {
    const { octokit } = await serve();
    const asked = octokit.request('GET /repos/{owner}/{repo}/pulls/{pull_number}', {
      ...place,
      pull_number: 9,
    });
    await expect(asked).rejects.toMatchObject({ status: 404 });
  });
  test('where the face gives no answer, the connection is reset', async () => {
    const failing = { fetch: () => Promise.reject(new TypeError('no answer')) };
    const served = await serveSandbox(failing);
    open.push(served);
    await expect(fetch(`${served.url}/app`)).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } });
  });
  test('a body without end is refused', async () => {
    const { served } = await serve();
    const { port } = new URL(served.url);
    const socket = connect(Number(port), '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write('POST /app HTTP/1.1\r\nhost: x\r\ncontent-length: 60000000\r\n\r\n');
    socket.write(Buffer.alloc(27_000_000));
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 413 /);
    socket.destroy();
  });
  test('closed, the port is free again and nothing answers', async () => {
    const { served } = await serve();
    await (await fetch(`${served.url}/rate_limit`)).text();
    await served.close();
    open.length = 0;
    await expect(fetch(`${served.url}/rate_limit`)).rejects.toMatchObject({
      cause: { code: 'ECONNREFUSED' },
    });
    const again = await serveSandbox(sandboxOf().sandbox, { port: Number(new URL(served.url).port) });
    open.push(again);
    expect(again.url).toBe(served.url);
  });
});
