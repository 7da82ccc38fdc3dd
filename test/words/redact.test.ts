import { describe, expect, test } from '@jest/globals';
import { code, inert } from '../../src/words/inert.js';
import { redact } from '../../src/words/redact.js';

const x = (count: number): string => 'Ab1'.repeat(count).slice(0, count);

describe('redact', () => {
  test.each([
    ['a classic token', `ghp_${x(36)}`, 'GitHub token'],
    ['an OAuth token', `gho_${x(36)}`, 'GitHub token'],
    ['a user token of an App', `ghu_${x(36)}`, 'GitHub token'],
    ['an installation token', `ghs_${x(36)}`, 'GitHub token'],
    ['a refresh token', `ghr_${x(76)}`, 'GitHub token'],
    ['a fine-grained token', `github_pat_${x(22)}_${x(59)}`, 'GitHub token'],
    ['a key id of AWS', 'AKIAIOSFODNN7EXAMPLE', 'AWS key id'],
    ['an API key', `sk-ant-api03-${x(40)}`, 'API key'],
    ['a live key', `sk_live_${x(24)}`, 'API key'],
    ['a bot token', `xoxb-123456789012-${x(24)}`, 'Slack token'],
    ['a token of GitLab', `glpat-${x(20)}`, 'GitLab token'],
    ['a token of npm', `npm_${x(36)}`, 'npm token'],
    ['a token of PyPI', `pypi-${x(60)}`, 'PyPI token'],
    ['a token of Hugging Face', `hf_${x(34)}`, 'Hugging Face token'],
    ['a key of Google', `AIza${x(35)}`, 'Google API key'],
    ['a web token', `eyJ${x(20)}.eyJ${x(40)}.${x(43)}`, 'JSON web token'],
    [
      'a private key',
      `-----BEGIN RSA PRIVATE KEY-----\n${x(64)}\n-----END RSA PRIVATE KEY-----`,
      'private key',
    ],
    ['the beginning of a private key', `-----BEGIN PRIVATE KEY-----\n${x(64)}\n${x(64)}`, 'private key'],
  ])('%s is hidden, and what is around it stays', (_, secret, name) => {
    const end = secret.startsWith('-----BEGIN PRIVATE') ? '' : ' after';
    expect(redact(`before ${secret}${end}`)).toBe(`before (hidden: ${name})${end}`);
  });

  test('a password in a URL is hidden', () => {
    expect(redact('https://me:hunter2@example.com/x')).toBe(
      'https://(hidden: password in a URL)@example.com/x',
    );
  });

  test.each([
    'ghp_short',
    'a task-force-of-many-people',
    'risk-averse-and-otherwise-long-words-here',
    'https://example.com:8080/a@b',
    'AKIA',
    'eyJ is how it begins',
    '1a2b3c4d5e6f70819203a4b5c6d7e8f901234567',
  ])('what is no secret stays: %s', (text) => {
    expect(redact(text)).toBe(text);
  });

  test.each([
    ['inert', inert],
    ['code', code],
  ])('%s hides a secret before it cuts and after it took out what cannot be seen', (_, shown) => {
    const token = `ghp_${x(36)}`;
    expect(shown(`${'a'.repeat(15)} ${token}`, 40)).not.toContain('ghp_');
    expect(shown(token.split('').join('\u200B'))).not.toContain('ghp_');
    expect(shown(`-----BEGIN PRIVATE KEY-----\n${x(64)}\n-----END PRIVATE KEY-----`)).not.toContain(x(10));
  });
});
