import type { VerdictNode } from '../decide/reasons.js';

const RULE_WORDS: Readonly<Record<VerdictNode['rule'], string>> = {
  attribution: 'Who is behind it',
  suspension: 'Suspension',
  level: 'Level of the agents',
  'policy-file': 'Policy file',
  'protected-paths': 'Protected paths',
  objections: 'Objections of people',
  approvals: 'Approvals of people',
  limits: 'Limits',
  pulls: 'Pull requests of this commit',
};

const STATUS_WORDS: Readonly<Record<VerdictNode['status'], string>> = {
  holds: 'holds',
  waits: 'waits for a person',
  fails: 'does not hold',
  'not-asked': 'not asked',
};

/** A tree deeper than this is a mistake of ours, and a list nested deeper is not readable. */
const MAX_DEPTH = 6;

/**
 * A verdict tree as a nested list: each rule, how it came out, and the codes of its reasons. The sentences for the
 * codes stand in the summary; here they would be said twice.
 */
export function treeText(node: VerdictNode, depth = 0): string {
  const codes = [...new Set(node.reasons.map((reason) => `\`${reason.code}\``))];
  const line = `${'  '.repeat(depth)}- ${RULE_WORDS[node.rule]}: ${STATUS_WORDS[node.status]}${
    codes.length === 0 ? '' : ` (${codes.join(', ')})`
  }`;
  const below = depth < MAX_DEPTH ? node.children.map((child) => treeText(child, depth + 1)) : [];
  return [line, ...below].join('\n');
}
