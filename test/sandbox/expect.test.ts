import { describe, expect, test } from '@jest/globals';
import { compareLines } from '../../src/sandbox/expect.js';

interface Row {
  readonly rule: string;
  readonly expected: readonly string[];
  readonly actual: readonly string[];
  readonly missing?: readonly string[];
  readonly unexpected?: readonly string[];
}

const TABLE: readonly Row[] = [
  { rule: 'nothing expected, nothing done', expected: [], actual: [] },
  {
    rule: 'any order',
    expected: ['suspend alpha', 'comment 1 open'],
    actual: ['comment 1 open', 'suspend alpha'],
  },
  {
    rule: 'an expected line may end early',
    expected: ['check h1 action_required'],
    actual: ['check h1 action_required agent-approval,policy-edit'],
  },
  { rule: 'a bare word stands for whatever follows', expected: ['react'], actual: ['react 1001'] },
  {
    rule: 'only by whole words',
    expected: ['check h1 action'],
    actual: ['check h1 action_required needs-person'],
    missing: ['check h1 action'],
    unexpected: ['check h1 action_required needs-person'],
  },
  {
    rule: 'a list of reasons is one word',
    expected: ['check h1 action_required agent-approval'],
    actual: ['check h1 action_required agent-approval,policy-edit'],
    missing: ['check h1 action_required agent-approval'],
    unexpected: ['check h1 action_required agent-approval,policy-edit'],
  },
  {
    rule: 'an expected line may not go on',
    expected: ['comment 1 open now'],
    actual: ['comment 1 open'],
    missing: ['comment 1 open now'],
    unexpected: ['comment 1 open'],
  },
  {
    rule: 'as often as it is listed: once too few',
    expected: ['issue k row', 'issue k row'],
    actual: ['issue k row'],
    missing: ['issue k row'],
  },
  {
    rule: 'as often as it is listed: once too often',
    expected: ['issue k row'],
    actual: ['issue k row', 'issue k row'],
    unexpected: ['issue k row'],
  },
  { rule: 'a record that is not listed is no fault', expected: [], actual: ['record tag', 'record release'] },
  {
    rule: 'a ruleset that is not listed is no fault',
    expected: [],
    actual: ['ruleset agent-policy/gates restore'],
  },
  {
    rule: 'a listed record that is not there is one',
    expected: ['record tag'],
    actual: [],
    missing: ['record tag'],
  },
  {
    rule: 'a listed record is not met by another',
    expected: ['record tag'],
    actual: ['record release'],
    missing: ['record tag'],
  },
  {
    rule: 'any other effect that is not listed is a fault',
    expected: [],
    actual: ['comment 1 open'],
    unexpected: ['comment 1 open'],
  },
  {
    rule: 'a short line leaves the exact one to the line that needs it',
    expected: ['check h1', 'check h1 success person'],
    actual: ['check h1 success person', 'check h1 failure limit'],
  },
  {
    rule: 'lines that overlap are given out so that all are met',
    expected: ['issue a', 'issue a b', 'issue'],
    actual: ['issue c', 'issue a b d', 'issue a e'],
  },
  { rule: 'spaces do not count', expected: ['  suspend   alpha '], actual: ['suspend alpha'] },
];

describe('lines are compared as cases say', () => {
  test.each(TABLE)('$rule', ({ expected, actual, missing = [], unexpected = [] }) => {
    expect(compareLines(expected, actual)).toEqual({ missing, unexpected });
  });
});
