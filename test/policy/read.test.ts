import { describe, expect, test } from '@jest/globals';
import { ACT_KINDS, type ActKind } from '../../src/acts/act.js';
import { explainAct, explainAgent, explanationJson } from '../../src/policy/explain.js';
import { loadPolicyFile, type PolicyFile, type Scope } from '../../src/policy/load.js';
import type { Policy } from '../../src/policy/policy.js';
import {
  actValue,
  actValueOfUnknownBot,
  isPolicyPath,
  isProtectedPath,
  isTrunk,
  isWorkflowPath,
  levelOf,
  onEvidenceOf,
  unknownBotLevel,
} from '../../src/policy/read.js';
import { resolvePolicy } from '../../src/policy/resolve.js';

const file = (text: string, scope: Scope): PolicyFile => {
  const result = loadPolicyFile(`version: 1\n${text}`, `${scope}.yml`, scope);
  if (result.kind === 'invalid') throw new Error(JSON.stringify(result.problems));
  return result.file;
};

const policyOf = (repo: string, org?: string): Policy =>
  resolvePolicy({
    repo: file(repo, 'repo'),
    org: org === undefined ? null : file(org, 'org'),
    operator: null,
    repositoryName: 'widgets',
  });

const x = (rest: string): string => `agents: { x: { accounts: [1], ${rest} } }`;

describe('the level table', () => {
  test.each<[ActKind, string, string, string]>([
    ['pull.open', 'deny', 'allow', 'allow'],
    ['pull.merge', 'deny', 'deny', 'allow'],
    ['push.trunk', 'deny', 'deny', 'allow'],
    ['push.force', 'deny', 'own', 'own'],
    ['branch.delete', 'deny', 'own', 'own'],
    ['tag.create', 'deny', 'deny', 'deny'],
    ['tag.move', 'deny', 'deny', 'deny'],
    ['tag.delete', 'deny', 'deny', 'deny'],
    ['release.publish', 'deny', 'deny', 'deny'],
    ['release.edit', 'deny', 'deny', 'deny'],
    ['release.delete', 'deny', 'deny', 'deny'],
    ['issue.close', 'deny', 'own', 'own'],
    ['review.approve', 'deny', 'deny', 'deny'],
    ['review.dismiss', 'deny', 'deny', 'deny'],
    ['policy.edit', 'deny', 'deny', 'deny'],
    ['protection.edit', 'deny', 'deny', 'deny'],
    ['workflow.edit', 'deny', 'deny', 'deny'],
  ])('%s: none %s, pr %s, merge %s', (kind, none, pr, merge) => {
    const values = ['none', 'pr', 'merge'].map(
      (level) => actValue(policyOf(`merge: ${level}`), 'x', kind, { trunk: false }).value,
    );
    expect(values).toEqual([none, pr, merge]);
  });

  test('a forced push to a trunk is never allowed, whatever is said', () => {
    const policy = policyOf(`merge: merge\nacts: { push.force: allow }\n${x('acts: { push.force: allow }')}`);
    expect(actValue(policy, 'x', 'push.force', { trunk: true })).toMatchObject({
      value: 'deny',
      origin: { layer: 'built-in' },
    });
    expect(actValueOfUnknownBot(policy, 'push.force', { trunk: true }).value).toBe('deny');
    expect(actValue(policy, 'x', 'push.force', { trunk: false }).value).toBe('allow');
  });
});

describe('acts: what is said, what follows from the level', () => {
  test.each<[string, string, string | undefined, ActKind, string, string]>([
    ['nothing said: the level', 'merge: pr', undefined, 'pull.merge', 'deny pr', 'repo:2'],
    [
      'the file says',
      'merge: pr\nacts: { push.force: deny }',
      undefined,
      'push.force',
      'deny deny',
      'repo:3',
    ],
    [
      'the agent before the file',
      `acts: { tag.create: deny }\n${x('acts: { tag.create: allow }')}`,
      undefined,
      'tag.create',
      'allow allow',
      'repo:3',
    ],
    [
      'the file for an agent of level merge',
      `acts: { pull.merge: deny }\n${x('merge: merge')}`,
      undefined,
      'pull.merge',
      'deny deny',
      'repo:2',
    ],
    [
      "the file does not loosen an agent's own none",
      `acts: { tag.create: allow }\n${x('merge: none')}`,
      undefined,
      'tag.create',
      'deny none',
      'repo:3',
    ],
    [
      "an agent's own act stands beside its own level",
      x('merge: none, acts: { tag.create: allow }'),
      undefined,
      'tag.create',
      'allow allow',
      'repo:2',
    ],
    [
      'org says allow, repo nothing',
      'merge: pr',
      'acts: { tag.create: allow }',
      'tag.create',
      'allow allow',
      'org:2',
    ],
    [
      'org says deny, repo cannot loosen',
      x('acts: { tag.create: allow }'),
      'acts: { tag.create: deny }',
      'tag.create',
      'deny deny',
      'org:2',
    ],
    [
      'org says own, repo may tighten',
      'acts: { issue.close: deny }',
      'acts: { issue.close: own }',
      'issue.close',
      'deny deny',
      'repo:2',
    ],
    [
      'override: any, repo may loosen',
      'acts: { tag.create: allow }',
      'acts: { tag.create: deny }\noverride: any',
      'tag.create',
      'allow allow',
      'repo:2',
    ],
    [
      "org's level none is a floor under acts",
      'acts: { tag.create: allow }',
      'merge: none',
      'tag.create',
      'deny none',
      'org:2',
    ],
    [
      "org's level pr is a floor under merging",
      'acts: { pull.merge: allow }',
      'merge: pr',
      'pull.merge',
      'deny pr',
      'org:2',
    ],
    [
      "org's level pr says nothing of tags",
      'acts: { tag.create: allow }',
      'merge: pr',
      'tag.create',
      'allow allow',
      'repo:2',
    ],
    [
      "org's act is a floor under repo's level",
      'merge: merge',
      'acts: { pull.merge: deny }',
      'pull.merge',
      'deny deny',
      'org:2',
    ],
    [
      "repo's level pr is stricter than org's act",
      'merge: pr',
      'acts: { pull.merge: allow }',
      'pull.merge',
      'deny pr',
      'repo:2',
    ],
  ])('%s', (_, repo, org, kind, expected, origin) => {
    const answer = actValue(policyOf(repo, org), 'x', kind, { trunk: false });
    expect(`${answer.value} ${answer.said}`).toBe(expected);
    expect(`${answer.origin.layer}:${String(answer.origin.line)}`).toBe(origin);
  });

  test('an agent that is not listed has what the file says', () => {
    const policy = policyOf(`merge: none\non-evidence: gate\n${x('merge: merge, on-evidence: note')}`);
    expect(levelOf(policy, 'x').value).toBe('merge');
    expect(levelOf(policy, 'y').value).toBe('none');
    expect(onEvidenceOf(policy, 'y').value).toBe('gate');
    expect(onEvidenceOf(policy, 'x').value).toBe('note');
  });
});

describe('a bot that nobody listed', () => {
  test('has its level, and not what the file says for agents', () => {
    const policy = policyOf('merge: merge\nacts: { tag.create: allow }');
    expect(unknownBotLevel(policy).value).toBe('none');
    expect(actValueOfUnknownBot(policy, 'tag.create', { trunk: false })).toMatchObject({
      value: 'deny',
      said: 'none',
    });
    expect(actValueOfUnknownBot(policy, 'pull.merge', { trunk: false }).value).toBe('deny');
  });

  test('has what the file denies', () => {
    const policy = policyOf('unknown-bots: pr\nacts: { pull.open: deny }');
    expect(actValueOfUnknownBot(policy, 'pull.open', { trunk: false })).toMatchObject({
      value: 'deny',
      said: 'deny',
    });
    expect(actValueOfUnknownBot(policy, 'issue.close', { trunk: false }).value).toBe('own');
  });
});

describe('trunks', () => {
  test.each<[string, string, boolean]>([
    ['merge: pr', 'main', true],
    ['merge: pr', 'develop', false],
    ['trunk: []', 'main', true],
    ['trunk: [develop]', 'main', false],
    ['trunk: [develop]', 'develop', true],
    ['trunk: [develop]', 'Develop', false],
    ['trunk: [main, "release/*"]', 'release/1.2', true],
    ['trunk: [main, "release/*"]', 'release/1/2', false],
    ['trunk: [main, "release/**"]', 'release/1/2', true],
    ['trunk: ["~DEFAULT_BRANCH", next]', 'main', true],
    ['trunk: ["~DEFAULT_BRANCH", next]', 'next', true],
    ['trunk: ["release+(1)"]', 'release+(1)', true],
  ])('%s: %s is %s', (text, branch, expected) => {
    expect(isTrunk(policyOf(text), branch, 'main')).toBe(expected);
  });
});

describe('protected paths', () => {
  test.each<[string, boolean]>([
    ['.github/workflows/ci.yml', true],
    ['.GitHub/CODEOWNERS', true],
    ['.github/line\nbreak', true],
    ['.github/.hidden/x', true],
    ['codeowners', true],
    ['packages/web/Agents.md', true],
    ['CLAUDE.md', true],
    ['src/main.ts', false],
    ['docs/github/x', false],
    [`src/${'x'.repeat(300)}`, true],
    [`${'a/'.repeat(600)}x`, true],
  ])('%j: %s', (path, expected) => {
    expect(isProtectedPath(policyOf('merge: pr'), path)).toBe(expected);
  });

  test('none, where the list is empty', () => {
    expect(isProtectedPath(policyOf('protected-paths: []'), '.github/x')).toBe(false);
  });

  test('hostile names are matched in a moment', () => {
    const policy = policyOf('protected-paths: ["**/*a*a*b", "**/x*/**/x*/**/*xb"]');
    const started = performance.now();
    for (const name of ['a'.repeat(255), 'x/'.repeat(510), `${'a'.repeat(250)}/`.repeat(4)]) {
      expect(isProtectedPath(policy, name)).toBe(false);
    }
    expect(performance.now() - started).toBeLessThan(2_000);
  });

  test.each<[string, boolean, boolean]>([
    ['.github/agent-policy.yml', true, false],
    ['.github/agent-policy.yaml', true, false],
    ['.GITHUB/Agent-Policy.YML', true, false],
    ['examples/.github/agent-policy.yml', false, false],
    ['.github/agent-policy.yml.bak', false, false],
    ['.github/agent-policy.yml\n', false, false],
    ['.github/workflows/ci.yml', false, true],
    ['.github/workflows/CI.YAML', false, true],
    ['.github/workflows/sub/ci.yml', false, false],
    ['.github/workflows/readme.md', false, false],
  ])('%j: policy %s, workflow %s', (path, policy, workflow) => {
    expect(isPolicyPath(path)).toBe(policy);
    expect(isWorkflowPath(path)).toBe(workflow);
  });
});

describe('explain', () => {
  test('one act, as JSON', () => {
    const policy = policyOf('merge: pr\nagents: { coder: { accounts: [1] } }', 'merge: merge');
    expect(explanationJson(explainAct(policy, 'coder', 'pull.merge'))).toEqual({
      agent: 'coder',
      act: 'pull.merge',
      verdict: 'deny',
      value: 'pr',
      layer: 'repo',
      file: 'repo.yml',
      line: 2,
      overrode: [{ layer: 'org', value: 'merge', line: 2 }],
    });
  });

  test('a built-in value stands in no file', () => {
    expect(explanationJson(explainAct(policyOf('mode: enforce'), 'coder', 'issue.close'))).toEqual({
      agent: 'coder',
      act: 'issue.close',
      verdict: 'own',
      value: 'pr',
      layer: 'built-in',
      file: null,
      line: null,
      overrode: [],
    });
  });

  test('all acts, in the order of the table', () => {
    expect(explainAgent(policyOf('merge: pr'), 'coder').map(({ act }) => act)).toEqual([...ACT_KINDS]);
  });
});
