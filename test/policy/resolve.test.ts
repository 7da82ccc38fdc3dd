import { describe, expect, test } from '@jest/globals';
import { loadPolicyFile, type PolicyFile, type Scope } from '../../src/policy/load.js';
import type { Level, Policy } from '../../src/policy/policy.js';
import { orgApplies, resolvePolicy } from '../../src/policy/resolve.js';
import { SAMPLE } from './sample.js';

const file = (text: string | null, scope: Scope): PolicyFile | null => {
  if (text === null) return null;
  const result = loadPolicyFile(`version: 1\n${text}`, `${scope}.yml`, scope);
  if (result.kind === 'invalid') throw new Error(JSON.stringify(result.problems));
  return result.file;
};

const resolve = (
  repo: string | null,
  org: string | null = null,
  operator: Level | null = null,
  repositoryName = 'widgets',
): Policy => resolvePolicy({ repo: file(repo, 'repo'), org: file(org, 'org'), operator, repositoryName });

describe('with no file, the built-in policy', () => {
  const policy = resolve(null);

  test('holds the values of the reference', () => {
    expect({
      mode: policy.mode.value,
      level: policy.level.value,
      onEvidence: policy.onEvidence.value,
      trunk: policy.trunk.value,
      approvals: policy.approvals.value,
      approvers: policy.approvers.value,
      gated: policy.peopleGated.value,
      protectedPaths: policy.protectedPaths.value,
      automation: policy.automation.value,
      unknownBots: policy.unknownBots.value,
      limits: Object.values(policy.limits).map(({ value }) => value as number | null),
    }).toEqual({
      mode: 'enforce',
      level: 'pr',
      onEvidence: 'note',
      trunk: [],
      approvals: 1,
      approvers: null,
      gated: false,
      protectedPaths: ['.github/**', '**/CODEOWNERS', '**/AGENTS.md', '**/CLAUDE.md'],
      automation: ['dependabot', 'renovate'],
      unknownBots: 'none',
      limits: [10, 10, 10],
    });
    expect(policy.runs).toEqual({
      workflows: [],
      quiet: 2_700_000,
      max: 21_600_000,
      steps: 500,
      onStuck: 'report',
      ladder: true,
    });
    expect(policy.remedies).toEqual({
      restoreRuleset: true,
      disarmAutoMerge: true,
      backupRefs: true,
      revertPull: 'propose',
      reopenIssue: true,
      suspend: true,
    });
    expect([policy.enforceWith, policy.report, policy.advise]).toEqual(['rulesets', 'weekly', 'off']);
    expect(policy.escalate).toEqual({ labels: [], assignees: [], mention: null, repository: null });
  });

  test('says built-in of where it came from', () => {
    expect(policy.level).toEqual({ value: 'pr', origin: { layer: 'built-in' }, overrode: [] });
    expect(policy.agents.size).toBe(0);
    expect(policy.acts).toEqual([]);
  });
});

test('the sample of the reference reads as it is written', () => {
  const policy = resolve(SAMPLE.replace('version: 1\n', ''));
  const coder = policy.agents.get('coder');
  expect(coder).toMatchObject({
    apps: [1001],
    accounts: [9003, 'fws-coder'],
    deployKeys: [55],
    shared: 'no',
  });
  expect(coder?.level.value).toBe('merge');
  expect(policy.limits.mergesPerDay.value).toBeNull();
  expect(policy.runs).toMatchObject({
    quiet: 2_700_000,
    max: 21_600_000,
    workflows: ['.github/workflows/agent.yml'],
  });
  expect(policy.escalate).toMatchObject({ mention: '@acme/platform', repository: 'acme/ops' });
});

describe('level of an agent: the first layer that says something', () => {
  const X = 'agents: { x: { accounts: [1], merge: %s } }';
  const agent = (level: string): string => X.replace('%s', level);
  test.each<[string, string | null, string | null, Level | null, Level, string]>([
    ["repo's agent, before repo", `merge: pr\n${agent('merge')}`, null, null, 'merge', 'repo:3'],
    [
      'repo, where the agent says nothing',
      'merge: none\nagents: { x: { accounts: [1] } }',
      null,
      null,
      'none',
      'repo:2',
    ],
    ["org's agent, before org", null, `merge: none\n${agent('pr')}`, null, 'pr', 'org:3'],
    ['org', 'agents: { x: { accounts: [1] } }', 'merge: none', null, 'none', 'org:2'],
    ['operator', 'agents: { x: { accounts: [1] } }', 'mode: enforce', 'none', 'none', 'operator:'],
    ['operator before preset', 'preset: team', null, 'merge', 'merge', 'operator:'],
    ['preset', 'preset: team', null, null, 'pr', 'preset:2'],
    ['built in', 'mode: enforce', null, null, 'pr', 'built-in:'],
    ['repo may be stricter than org', 'merge: none', 'merge: pr', null, 'none', 'repo:2'],
    ['repo may not be looser than org', 'merge: merge', 'merge: pr', null, 'pr', 'org:2'],
    ["repo's agent may not be looser than org", agent('merge'), 'merge: pr', null, 'pr', 'org:2'],
    ["repo's agent may not be looser than org's agent", agent('merge'), agent('none'), null, 'none', 'org:2'],
    [
      "org's agent may be looser than org",
      agent('merge'),
      `merge: none\n${agent('merge')}`,
      null,
      'merge',
      'repo:2',
    ],
    [
      'repo may be looser with override: any',
      'merge: merge',
      'merge: none\noverride: any',
      null,
      'merge',
      'repo:2',
    ],
    ['equal: the nearer one', 'merge: pr', 'merge: pr', null, 'pr', 'repo:2'],
    ['an operator is no floor', 'merge: merge', null, 'none', 'merge', 'repo:2'],
  ])('%s', (_, repo, org, operator, level, origin) => {
    const policy = resolve(repo, org, operator);
    const answer = policy.agents.get('x')?.level ?? policy.level;
    expect(answer.value).toBe(level);
    expect(`${answer.origin.layer}:${String(answer.origin.line ?? '')}`).toBe(origin);
  });

  test('what was overridden is told, nearest first', () => {
    const { level } =
      resolve(`merge: pr\n${agent('merge')}`, `merge: none\n${agent('merge')}`, 'none').agents.get('x') ?? {};
    expect(
      level?.overrode.map(({ value, origin }) => `${origin.layer} ${value} ${String(origin.line)}`),
    ).toEqual(['repo pr 2', 'org merge 3', 'org none 2', 'operator none undefined']);
  });

  test("where the organization's value stands, the repository's is told as overridden", () => {
    expect(resolve('merge: merge', 'merge: none').level).toEqual({
      value: 'none',
      origin: { layer: 'org', file: 'org.yml', line: 2, column: 8 },
      overrode: [{ value: 'merge', origin: { layer: 'repo', file: 'repo.yml', line: 2, column: 8 } }],
    });
  });
});

describe('each key has an order of strictness', () => {
  const read: Record<string, (policy: Policy) => unknown> = {
    mode: (policy) => policy.mode.value,
    onEvidence: (policy) => policy.onEvidence.value,
    approvals: (policy) => policy.approvals.value,
    gated: (policy) => policy.peopleGated.value,
    unknownBots: (policy) => policy.unknownBots.value,
    openPulls: (policy) => policy.limits.openPulls.value,
    suspend: (policy) => policy.remedies.suspend,
    revertPull: (policy) => policy.remedies.revertPull,
    enforceWith: (policy) => policy.enforceWith,
    onStuck: (policy) => policy.runs.onStuck,
    ladder: (policy) => policy.runs.ladder,
    quiet: (policy) => policy.runs.quiet,
    report: (policy) => policy.report,
  };
  test.each<[string, string, string, unknown, unknown]>([
    ['mode', 'mode: off', 'mode: observe', 'off', 'observe'],
    ['onEvidence', 'on-evidence: note', 'on-evidence: gate', 'note', 'gate'],
    ['approvals', 'people: { approvals: 1 }', 'people: { approvals: 2 }', 1, 2],
    ['gated', 'people: { gated: false }', 'people: { gated: true }', false, true],
    ['unknownBots', 'unknown-bots: merge', 'unknown-bots: pr', 'merge', 'pr'],
    ['openPulls', 'limits: { open-pulls: 9 }', 'limits: { open-pulls: 3 }', 9, 3],
    ['openPulls', 'limits: { open-pulls: unlimited }', 'limits: { open-pulls: 100 }', null, 100],
    ['suspend', 'remedies: { suspend: false }', 'remedies: { suspend: true }', false, true],
    ['revertPull', 'remedies: { revert-pull: off }', 'remedies: { revert-pull: propose }', 'off', 'propose'],
    ['enforceWith', 'enforce: { with: nothing }', 'enforce: { with: rulesets }', 'nothing', 'rulesets'],
    ['onStuck', 'runs: { on-stuck: report }', 'runs: { on-stuck: cancel }', 'report', 'cancel'],
    ['ladder', 'runs: { ladder: true }', 'runs: { ladder: false }', true, false],
    ['quiet', 'runs: { quiet: 2h }', 'runs: { quiet: 1h }', 7_200_000, 3_600_000],
    ['report', 'report: off', 'report: weekly', 'off', 'weekly'],
  ])('%s: %s is looser than %s', (key, loose, strict, looseValue, strictValue) => {
    const value = (policy: Policy): unknown => read[key]?.(policy);
    expect(value(resolve(loose, strict))).toBe(strictValue);
    expect(value(resolve(strict, loose))).toBe(strictValue);
    expect(value(resolve(loose, `${strict}\noverride: any`))).toBe(looseValue);
    expect(value(resolve(loose, null))).toBe(looseValue);
    expect(value(resolve(null, loose))).toBe(looseValue);
  });
});

describe('lists', () => {
  test('trunk and protected paths add up', () => {
    const policy = resolve(
      'trunk: [main]\nprotected-paths: [a/**]',
      'trunk: [main, "release/*"]\nprotected-paths: [b/**]',
    );
    expect(policy.trunk.value).toEqual(['main', 'release/*']);
    expect(policy.trunk.origin.layer).toBe('org');
    expect(policy.protectedPaths.value).toEqual(['a/**', 'b/**']);
    expect(policy.protectedPaths.origin.layer).toBe('repo');
  });

  test('the default branch keeps its place when others are added', () => {
    expect(resolve('trunk: [develop]', 'trunk: []').trunk.value).toEqual(['develop', '~DEFAULT_BRANCH']);
    expect(resolve('trunk: []', null).trunk.value).toEqual([]);
  });

  test('with override: any the repository replaces', () => {
    expect(
      resolve('protected-paths: []', 'protected-paths: [b/**]\noverride: any').protectedPaths.value,
    ).toEqual([]);
  });

  test('a list of its own replaces the built-in one, also an empty one', () => {
    expect(resolve('automation: []').automation).toMatchObject({
      value: [],
      origin: { layer: 'repo', line: 2 },
    });
    expect(resolve('protected-paths: [docs/**]').protectedPaths.value).toEqual(['docs/**']);
  });

  test('automation and approvers shrink to what both list', () => {
    const org = 'automation: [dependabot]\npeople: { approvers: [Otto, mara] }';
    const policy = resolve('automation: [dependabot, renovate]\npeople: { approvers: [otto, rae] }', org);
    expect(policy.automation).toMatchObject({ value: ['dependabot'], origin: { layer: 'org' } });
    expect(policy.approvers.value).toEqual(['otto']);
    expect(resolve('automation: [dependabot]', org).automation.origin.layer).toBe('repo');
    expect(resolve('merge: pr', org).approvers.value).toEqual(['Otto', 'mara']);
    expect(resolve('automation: [renovate]', `${org}\noverride: any`).automation.value).toEqual(['renovate']);
  });

  test("labels and assignees of escalations add up; the mention is the organization's", () => {
    const policy = resolve(
      'escalate: { assignees: [rae], mention: "@rae" }',
      'escalate: { assignees: [mara], mention: "@acme/ops" }',
    );
    expect(policy.escalate).toMatchObject({ assignees: ['rae', 'mara'], mention: '@acme/ops' });
  });
});

describe('one agent in both files', () => {
  test('its accounts add up and the stricter sharing holds', () => {
    const policy = resolve(
      'agents: { x: { accounts: [1, 2], apps: [7] } }',
      'agents: { x: { accounts: [2, 3], shared: true, deploy-keys: [5] }, y: { accounts: [9] } }',
    );
    expect(policy.agents.get('x')).toMatchObject({
      accounts: [1, 2, 3],
      apps: [7],
      deployKeys: [5],
      shared: 'yes',
    });
    expect(policy.agents.get('x')?.origin).toMatchObject({ layer: 'repo', line: 2 });
    expect(policy.agents.get('y')?.origin).toMatchObject({ layer: 'org' });
    expect([...policy.agents.keys()]).toEqual(['x', 'y']);
  });

  test('a repository cannot take an agent off the list, nor its sharing', () => {
    const policy = resolve(
      'agents: { x: { shared: false } }',
      'agents: { x: { accounts: [1], shared: marked } }',
    );
    expect(policy.agents.get('x')).toMatchObject({ accounts: [1], shared: 'marked' });
  });

  test('a name like a property of objects is in one file only', () => {
    const policy = resolve('agents: { constructor: { accounts: [1] } }', 'agents: { y: { accounts: [2] } }');
    expect(policy.agents.get('constructor')).toMatchObject({ accounts: [1], origin: { layer: 'repo' } });
    const other = resolve('agents: { y: { accounts: [2] } }', 'agents: { constructor: { accounts: [1] } }');
    expect(other.agents.get('constructor')).toMatchObject({
      accounts: [1],
      origin: { layer: 'org', line: 2 },
    });
  });
});

describe("the organization's file is for some repositories", () => {
  test.each<[string, string, boolean]>([
    ['all, where it lists none', 'merge: none', true],
    ['those it includes', 'repositories: { include: ["wid*"] }', true],
    ['not those it does not include', 'repositories: { include: ["web-*"] }', false],
    ['not those it excludes', 'repositories: { exclude: [widgets] }', false],
    ['excluding wins', 'repositories: { include: ["*"], exclude: [Widgets] }', false],
    ['none, where it includes none', 'repositories: { include: [] }', false],
  ])('%s', (_, text, applies) => {
    const org = file(text, 'org');
    expect(org === null ? null : orgApplies(org, 'widgets')).toBe(applies);
    const policy = resolve('merge: merge', `${text === 'merge: none' ? '' : 'merge: none\n'}${text}`);
    expect(policy.level.value).toBe(applies ? 'none' : 'merge');
  });
});

describe('presets', () => {
  test('fill only what no file says', () => {
    const policy = resolve('preset: open-source\nlimits: { open-pulls: 7 }');
    expect(policy.limits.openPulls).toMatchObject({ value: 7, origin: { layer: 'repo' } });
    expect(policy.limits.pullsPerHour).toMatchObject({
      value: 5,
      origin: { layer: 'preset', file: 'repo.yml', line: 2 },
    });
    expect(policy.onEvidence.value).toBe('gate');
  });

  test('solo, team, open-source: each at least as strict as the one before', () => {
    const values = ['solo', 'team', 'open-source'].map((preset) => resolve(`preset: ${preset}`));
    const limits = values.map(({ limits: { openPulls } }) => openPulls.value ?? Infinity);
    expect(limits).toEqual([...limits].sort((a, b) => b - a));
    expect(values.map(({ unknownBots }) => unknownBots.value)).toEqual(['pr', 'none', 'none']);
    expect(values.map(({ onEvidence }) => onEvidence.value)).toEqual(['note', 'note', 'gate']);
  });

  test("the organization's preset is a floor too", () => {
    expect(resolve('preset: solo', 'preset: open-source').limits.openPulls).toMatchObject({
      value: 5,
      origin: { layer: 'preset', file: 'org.yml' },
    });
  });
});
