import type { Account } from '../acts/act.js';
import type { AttributedAgent, Evidence, EvidenceClass } from '../agents/identity.js';
import type { Origin } from '../policy/policy.js';
import { code, inert } from './inert.js';
import type { Place } from './views.js';

/** A login or a team as a code span, without the @ that would call somebody. */
export const login = (account: Account | string): string =>
  code((typeof account === 'string' ? account : account.login).replace(/^@/, ''));

/** The first seven digits of a commit's id, as a code span. */
export const commit = (sha: string): string => code(/^[0-9a-f]{40}$/.test(sha) ? sha.slice(0, 7) : sha, 40);

/** `a`, `a and b`, `a, b and 3 more`: at most `max` are named. */
export function listed(items: readonly string[], word: 'and' | 'or' = 'and', max = 8): string {
  if (items.length > max + 1) return `${items.slice(0, max).join(', ')} and ${items.length - max} more`;
  if (items.length < 2) return items.join('');
  return `${items.slice(0, -1).join(', ')} ${word} ${items.at(-1)}`;
}

export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`;

/** `2026-11-30 09:00:11 UTC`; what is no time is shown as it is, inert. */
export function utc(iso: string): string {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return inert(iso, 40);
  return `${at.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** Where in the policy a value stands: file, line and layer. */
export function position(origin: Origin): string {
  const file = origin.file === undefined ? 'a file' : code(origin.file);
  const line = origin.line === undefined ? '' : ` line ${origin.line}`;
  switch (origin.layer) {
    case 'repo':
      return `${file}${line}`;
    case 'org':
      return `${file}${line} of the organization`;
    case 'operator':
      return "the operator's default";
    case 'preset':
      return origin.file === undefined ? 'a preset' : `the preset named in ${file}${line}`;
    case 'built-in':
      return 'the built-in default';
  }
}

/** A PR or issue of the repository, written so that it links from another repository too (escalations may live there). */
export const reference = (place: Place, number: number): string =>
  /^[\w.-]+$/.test(place.owner) && /^[\w.-]+$/.test(place.repo)
    ? `${place.owner}/${place.repo}#${number}`
    : `#${number}`;

const EVIDENCE: Readonly<Record<EvidenceClass, string>> = {
  'account-id': 'the account',
  'app-id': 'the App',
  'declared-account': 'an account the policy lists',
  'declared-deploy-key': 'a deploy key the policy lists',
  'signed-commit': 'a signed commit',
  'commit-identity': "a commit's e-mail address",
  trailer: 'a commit trailer',
  'pr-marker': 'a marker in the description',
  branch: 'the branch name',
  label: 'a label',
  title: 'the title',
};

/** The marks of agents, by agent, each kind once with the first value seen: `codex` (a commit trailer: `…`). */
export function marksText(marks: readonly Evidence[]): string {
  const byAgent = new Map<string, Map<EvidenceClass, string>>();
  for (const mark of marks) {
    const kinds = byAgent.get(mark.agent) ?? new Map<EvidenceClass, string>();
    byAgent.set(mark.agent, kinds);
    if (!kinds.has(mark.class)) kinds.set(mark.class, `${EVIDENCE[mark.class]}: ${code(mark.value, 80)}`);
  }
  return listed([...byAgent].map(([agent, kinds]) => `${code(agent)} (${[...kinds.values()].join('; ')})`));
}

/** How an agent of a PR is known, by the strongest tier of evidence for it. */
export const TIER_WORDS: Readonly<Record<AttributedAgent['tier'], string>> = {
  certain: 'certain (an account, App or key id)',
  strong: "strong (a commit signed by the agent's account)",
  indicative: 'indicative (a commit e-mail, a trailer or a marker in the description)',
  weak: 'weak (a branch name, a label or a title)',
};
