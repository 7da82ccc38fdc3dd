import { describe, expect, test } from '@jest/globals';
import { REASON_CODES } from '../../src/decide/reasons.js';
import { capped } from '../../src/policy/problems.js';
import { checkText } from '../../src/words/check.js';
import { ALPHA, FILE, MARA, REASONS, TRAILER, place, user, verdict } from './make.js';

const whole = (text: ReturnType<typeof checkText>): string =>
  [text.title, '='.repeat(72), text.summary, '-'.repeat(72), text.text].join('\n');

describe('the whole check', () => {
  test.each(REASON_CODES)('%s', (code) => {
    expect(whole(checkText(verdict([REASONS[code]]), place('on')))).toMatchSnapshot();
  });

  test('where GitHub stops nothing', () => {
    expect(whole(checkText(verdict([REASONS['needs-person']]), place('off')))).toMatchSnapshot();
  });

  test('in observe mode', () => {
    expect(
      whole(checkText(verdict([REASONS['needs-person']], { conclusion: 'neutral' }), place('off'))),
    ).toMatchSnapshot();
  });

  test('with several reasons', () => {
    const reasons = [REASONS['agent-approval'], REASONS['policy-edit'], REASONS['protected-path']] as const;
    expect(whole(checkText(verdict(reasons), place('on')))).toMatchSnapshot();
  });

  test("of a person's pull request with marks of an agent", () => {
    expect(whole(checkText(verdict([{ code: 'person', marks: [TRAILER] }]), place('on')))).toMatchSnapshot();
  });

  test("of a person's pull request with marks that the policy wants a second look at", () => {
    const reason = { ...REASONS['needs-person'], approvers: null, marks: [TRAILER] };
    expect(whole(checkText(verdict([reason]), place('on')))).toMatchSnapshot();
  });

  test('after the base was changed', () => {
    expect(
      whole(checkText(verdict([{ ...REASONS['head-changed'], base: true }]), place('on'))),
    ).toMatchSnapshot();
  });

  test('of an agent that a person paused', () => {
    const agents = [
      { agent: 'alpha', since: '2026-11-30T10:00:00Z', cause: 'pause' as const, issue: null, by: MARA },
    ];
    expect(whole(checkText(verdict([{ code: 'suspended', agents }]), place('off')))).toMatchSnapshot();
  });
});

describe('the title says what to do', () => {
  test.each([
    ['needs-person', 'Nothing to fix; waiting for a person'],
    ['protected-path', 'Nothing to fix; waiting for a person: a protected path is changed'],
    ['changes-requested', 'An agent must change something: a person asked for changes'],
    ['suspended', 'Suspended: a person decides when this agent goes on'],
    ['policy-invalid', 'The policy file does not load: 2 problems to correct'],
    ['unreadable', 'Not decided: GitHub could not be read; run this check again'],
    ['person', "A person's pull request"],
    ['within-policy', 'Within policy'],
  ] as const)('%s', (code, title) => {
    expect(checkText(verdict([REASONS[code]]), place('on')).title).toBe(title);
  });

  test('in observe mode it says what would be', () => {
    const observing = verdict([REASONS['level-none']], { conclusion: 'neutral' });
    expect(checkText(observing, place('off')).title).toMatch(/^Would be failure: An agent must/);
  });
});

describe('the same verdict, the same text', () => {
  test.each(REASON_CODES)('%s', (code) => {
    const first = verdict([REASONS[code]]);
    expect(checkText(structuredClone(first), place('on'))).toEqual(checkText(first, place('on')));
  });

  test('another pull request on the same commit changes nothing', () => {
    const text = (pulls: readonly number[]) =>
      checkText(verdict([REASONS['needs-person']], { pulls }), place('on'));
    expect(text([1, 2])).toEqual(text([1]));
  });

  test('another approval does', () => {
    const text = (given: number) => checkText(verdict([{ ...REASONS['needs-person'], given }]), place('on'));
    expect(text(1)).not.toEqual(text(0));
  });
});

describe('annotations', () => {
  test('stand on the lines of the policy file and hold the remedy', () => {
    expect(checkText(verdict([REASONS['policy-invalid']]), place('on')).annotations).toEqual([
      {
        path: FILE,
        start_line: 2,
        end_line: 2,
        start_column: 8,
        end_column: 8,
        annotation_level: 'failure',
        title: 'Agent Policy: merge',
        message: 'Unknown value "prr". Did you mean "pr"?',
      },
      {
        path: FILE,
        start_line: 5,
        end_line: 5,
        start_column: 3,
        end_column: 3,
        annotation_level: 'failure',
        title: 'Agent Policy: agents.coder.app',
        message: 'Unknown key "app". Did you mean "apps"?',
      },
    ]);
  });

  test.each(REASON_CODES.filter((code) => code !== 'policy-invalid'))('%s has none', (code) => {
    expect(checkText(verdict([REASONS[code]]), place('on')).annotations).toEqual([]);
  });

  test('end at 200, and the summary counts the rest of what it shows', () => {
    const problem = { line: 1, column: 1, path: 'x', message: 'Unknown key "x".' };
    const problems = Array.from({ length: 5_000 }, (_, at) => ({ ...problem, line: at + 1 }));
    const text = checkText(verdict([{ code: 'policy-invalid', path: FILE, problems }]), place('on'));
    expect(text.annotations).toHaveLength(200);
    expect(text.title).toBe('The policy file does not load: 5000 problems to correct');
    expect(text.summary).toContain('and 4980 more');
  });

  test('a list that was cut short counts what its last entry stands for', () => {
    const problems = capped(
      Array.from({ length: 32_489 }, (_, at) => ({ line: 2, column: at + 1, path: '', message: 'no' })),
    );
    expect(problems).toHaveLength(201);
    const text = checkText(verdict([{ code: 'policy-invalid', path: FILE, problems }]), place('on'));
    expect(text.title).toBe('The policy file does not load: 32489 problems to correct');
    expect(text.summary).toContain('and 32469 more');
    expect(text.annotations).toHaveLength(200);
  });

  test('one problem is one', () => {
    const problems = [{ line: 2, column: 1, path: '', message: 'no' }];
    const text = checkText(verdict([{ code: 'policy-invalid', path: FILE, problems }]), place('on'));
    expect(text.title).toBe('The policy file does not load: 1 problem to correct');
    expect(text.summary).not.toContain('more');
  });
});

describe('a person', () => {
  test('gets one line', () => {
    expect(checkText(verdict([REASONS.person]), place('on')).summary.split('\n')).toHaveLength(1);
  });

  test('gets one line with marks, too, and the marks are named', () => {
    const { summary } = checkText(verdict([{ code: 'person', marks: [TRAILER, TRAILER] }]), place('on'));
    expect(summary.split('\n')).toHaveLength(1);
    expect(summary).toContain('`codex` (a commit trailer: `Co-authored-by: Codex ‹noreply＠openai.com›`)');
  });
});

test('many names are counted and not listed', () => {
  const by = Array.from({ length: 60 }, (_, at) => user(`person-${at}`, at));
  const { summary } = checkText(verdict([{ code: 'changes-requested', by }]), place('on'));
  expect(summary).toContain('`person-7` and 52 more asked for changes');
});

test('where a value stands is told for each layer', () => {
  const text = (origin: Parameters<typeof verdict>[1]) =>
    checkText(verdict([REASONS['needs-person']], origin), place('on'));
  const agent = { agent: 'alpha', tier: 'certain', level: 'pr' } as const;
  const said = (['repo', 'org', 'operator', 'preset', 'built-in'] as const).map((layer) => {
    const origin = layer === 'repo' || layer === 'org' ? { layer, file: FILE, line: 3 } : { layer };
    return /level `pr` \((.*?)\)\./.exec(text({ agents: [{ ...agent, origin }] }).summary)?.[1];
  });
  expect(said).toEqual([
    '`.github/agent-policy.yml` line 3',
    '`.github/agent-policy.yml` line 3 of the organization',
    "the operator's default",
    'a preset',
    'the built-in default',
  ]);
});

test('an agent is named by its name in the policy and called by nobody', () => {
  const { summary } = checkText(verdict([{ code: 'agent-approval', by: [ALPHA] }]), place('on'));
  expect(summary).toContain('`alpha-agent[bot]`');
  expect(summary).not.toContain('@');
});
