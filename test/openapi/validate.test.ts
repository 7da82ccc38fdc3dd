import { describe, expect, test } from '@jest/globals';
import { checkRequest, checkResponse, checkWebhook, contractFetch, ContractError } from './validate.js';

const CHECKS = '/repos/acme/widgets/check-runs';

const through = (status: number, body: unknown): typeof globalThis.fetch =>
  contractFetch(async () => Response.json(body, { status }));

describe('the contract finds', () => {
  test('a misspelled key of a request', () => {
    const good = { name: 'agent-policy', head_sha: 'x', output: { title: 't', summary: 's' } };
    expect(checkRequest('POST', CHECKS, good)).toEqual([]);
    expect(checkRequest('POST', CHECKS, { ...good, external: 'x' })).not.toEqual([]);
    expect(checkRequest('POST', CHECKS, { ...good, output: { title: 't', sumary: 's' } })).not.toEqual([]);
  });
  test('an endpoint GitHub does not have', async () => {
    expect(checkRequest('GET', '/repos/acme/widgets/wishes', undefined)).toHaveLength(1);
    await expect(through(200, {})('https://api.github.com/repos/acme/widgets/wishes')).rejects.toThrow(
      ContractError,
    );
  });
  test('an answer that lacks what GitHub always sends, and passes a refusal', async () => {
    expect(checkResponse('GET', '/repos/acme/widgets/pulls/1', 200, { number: 1 })).not.toEqual([]);
    const asked = 'https://api.github.com/repos/acme/widgets/pulls/1';
    await expect(through(200, { number: 1 })(asked)).rejects.toThrow('is not as GitHub describes it');
    expect((await through(502, { message: 'Server Error' })(asked)).status).toBe(502);
  });
  test('a webhook that is none, and one that lacks its subject', () => {
    expect(checkWebhook('pull_request', { action: 'merged' })).toEqual([
      'GitHub describes no webhook pull-request-merged',
    ]);
    expect(checkWebhook('pull_request', { action: 'opened' })).not.toEqual([]);
  });
});
