import { describe, expect, test } from '@jest/globals';
import type { EscalationRule } from '../../src/decide/reasons.js';
import { BREACH_CODES } from '../../src/decide/reasons.js';
import { escalationBody, escalationTitle } from '../../src/words/escalation.js';
import { marker, readMarker } from '../../src/words/marker.js';
import { MARA, MERGE_ROW, escalation, place } from './make.js';

const STATES = ['limit', 'policy-invalid', 'quiet', 'ping-pong', 'stuck', 'refused'] as const;
const RULES: readonly EscalationRule[] = [...BREACH_CODES, ...STATES];
const MARK = marker('issue', 'merge-level:alpha:main', 'secret');

describe('the whole issue', () => {
  const whole = (
    ...[rule, over, prevention]: [EscalationRule, Parameters<typeof escalation>[1], 'on' | 'off']
  ): string => {
    const view = escalation(rule, over);
    return [escalationTitle(view), '='.repeat(72), escalationBody(view, place(prevention), MARK)].join('\n');
  };

  test.each(RULES)('%s', (rule) => {
    expect(whole(rule, {}, 'off')).toMatchSnapshot();
  });

  test('suspended, with a mention, and open pull requests it touches, detect only', () => {
    const over = { suspended: true, mention: '@acme/platform', mentions: [284, 285] };
    expect(whole('merge-level', over, 'off')).toMatchSnapshot();
  });

  test('suspended, where our rulesets are in force', () => {
    expect(whole('merge-level', { suspended: true }, 'on')).toMatchSnapshot();
  });

  test.each(['merge-level', 'quiet', 'policy-invalid'] as const)('%s, closed', (rule) => {
    expect(whole(rule, { state: 'closed' }, 'off')).toMatchSnapshot();
  });

  const person = {
    ...MERGE_ROW,
    who: { id: 12, login: 'otto', type: 'User' },
    agent: null,
    what: 'protection.edit',
    rule: 'protection',
    subject: { ruleset: 'agent-policy/gates' },
  } as const;
  const key = { rule: 'protection', agent: 'otto', subject: 'main' } as const;
  test.each([
    ["a person's own change of the protection", 'noted'],
    ["a person's change of the protection that was put back", 'put-back'],
  ] as const)('%s', (_, state) => {
    expect(whole('protection', { key, rows: [{ ...person, state }] }, 'on')).toMatchSnapshot();
  });
});

describe('the title', () => {
  test.each([
    ['merge-level', 'Agent Policy: merge beyond its level by alpha on main'],
    ['tag', 'Agent Policy: changed tag by alpha'],
    ['stuck', 'Agent Policy: repeated attempts by alpha on pull request 90'],
    ['quiet', 'Agent Policy: nothing heard from alpha on pull request 71'],
    ['ping-pong', 'Agent Policy: many turns without a person by alpha+beta on pull request 27'],
    ['policy-invalid', 'Agent Policy: the policy file does not load on main (mara)'],
  ] as const)('%s', (rule, title) => {
    expect(escalationTitle(escalation(rule))).toBe(title);
  });

  test('holds a branch name without letting it speak', () => {
    const key = { rule: 'branch-delete', agent: 'alpha', subject: 'rae/@everyone-<!--x-->' } as const;
    expect(escalationTitle(escalation('branch-delete', { key }))).toBe(
      'Agent Policy: deleted branch by alpha on rae/＠everyone-‹!--x--›',
    );
  });

  test('a long name is cut', () => {
    const key = { rule: 'refusal-overridden', agent: 'a'.repeat(500), subject: 'b'.repeat(500) } as const;
    expect([...escalationTitle(escalation('refusal-overridden', { key }))].length).toBeLessThanOrEqual(200);
  });
});

describe('a person in the key', () => {
  test.each(['policy-invalid', 'protection'] as const)(
    '%s: is called no agent, and nothing is held against them',
    (rule) => {
      const view = escalation(rule, {
        key: { rule, agent: 'mara', subject: 'main' },
        rows: [{ ...MERGE_ROW, who: MARA, agent: null, rule, what: 'standing', subject: {}, state: 'noted' }],
      });
      expect(escalationBody(view, place('on'), MARK)).not.toMatch(/agent `mara`|breach|suspend|beyond/i);
      expect(escalationTitle(view)).toMatch(/\(mara\)$/);
    },
  );
});

describe('the mention', () => {
  test.each([
    ['mara', '@mara'],
    ['@mara', '@mara'],
    ['@acme/platform', '@acme/platform'],
  ])('%s is the one mention', (mention, said) => {
    const body = escalationBody(escalation('tag', { mention }), place('on'), MARK);
    expect(body.match(/@\S+?(?=,|\s|$)/g)).toEqual([said]);
  });

  test.each(['', '@', '@everyone @all', 'a\n@b', '@acme/platform/x', '-mara', '@mara <!--', '@acme/'])(
    'what is no login and no team calls nobody: %j',
    (mention) => {
      expect(escalationBody(escalation('tag', { mention }), place('on'), MARK)).not.toContain('@');
    },
  );
});

describe('the body', () => {
  test('ends with the marker, and is found by it', () => {
    const body = escalationBody(escalation('merge-level'), place('on'), MARK);
    expect(body.split('\n').at(-1)).toBe(MARK);
    expect(readMarker(body, ['secret'])).toEqual({ kind: 'issue', id: 'merge-level:alpha:main' });
  });

  test('holds 50 rows and counts the others', () => {
    const rows = Array.from({ length: 50 }, (_, at) => ({
      ...MERGE_ROW,
      subject: { pull: at + 1, ref: 'main' },
    }));
    const body = escalationBody(escalation('merge-level', { rows, more: 7 }), place('on'), MARK);
    expect(body.match(/\| landed \|/g)).toHaveLength(50);
    expect(body).toContain('And 7 more, which the table does not hold.');
  });

  test('links pull requests so that it may stand in another repository', () => {
    const body = escalationBody(
      escalation('branch-delete', { mentions: [7, 8, 8, -1, Number.NaN] }),
      place('on'),
      MARK,
    );
    expect(body).toContain('acme/widgets#7 and acme/widgets#8.');
  });

  test.each(BREACH_CODES)('%s is closed by a person', (rule) => {
    const body = escalationBody(escalation(rule), place('on'), MARK);
    expect(body).toContain('closes this issue by hand');
    expect(body).not.toContain('closes by itself');
  });

  test.each(STATES)('%s closes by itself', (rule) => {
    const body = escalationBody(escalation(rule), place('on'), MARK);
    expect(body).toContain('closes by itself');
    expect(body).not.toContain('closes this issue by hand');
  });

  test('says that a close lifts the suspension only where there is one', () => {
    const body = (suspended: boolean) => escalationBody(escalation('tag', { suspended }), place('on'), MARK);
    expect(body(true)).toContain('that lifts the suspension');
    expect(body(false)).not.toMatch(/suspen/i);
  });

  test('quiet is never said to be dead', () => {
    const body = escalationBody(escalation('quiet'), place('on'), MARK);
    expect(body).toContain('may still be at work');
    expect(body).not.toMatch(/dead|died|hangs|crashed/i);
  });
});
