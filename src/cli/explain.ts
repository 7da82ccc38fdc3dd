import type { Command } from 'commander';
import { ACT_KINDS, type ActKind } from '../acts/act.js';
import { catalogueNames } from '../agents/catalogue.js';
import { type Explanation, explainAct, explainAgent, explanationJson } from '../policy/explain.js';
import { type KnownNames, loadPolicyFile, type PolicyFile, type Scope } from '../policy/load.js';
import { nearest } from '../policy/nearest.js';
import type { Level, Policy } from '../policy/policy.js';
import { printable, quoted } from '../policy/quote.js';
import { orgApplies, resolvePolicy } from '../policy/resolve.js';
import type { Io } from './io.js';
import { errorText, jsonLine, problemLine } from './problem-text.js';
import { explanationTable } from './explain-table.js';

export interface ExplainOptions {
  readonly policy: string;
  readonly org?: string;
  readonly agent: string;
  readonly act?: string;
  readonly repository?: string;
  readonly default?: string;
  readonly json: boolean;
}

const LEVELS: readonly Level[] = ['none', 'pr', 'merge'];

const didYouMean = (word: string, words: readonly string[]): string => {
  const near = nearest(word, words);
  return near === undefined ? `; it is one of ${words.join(', ')}` : ` (did you mean ${quoted(near)}?)`;
};

/** A usage error: said, with status 2. */
const misused = (io: Io, message: string): null => {
  io.err(`${message}\n`);
  io.exit(2);
  return null;
};

const readAct = (io: Io, word: string | undefined): ActKind | 'all' | null => {
  if (word === undefined) return 'all';
  const act = ACT_KINDS.find((kind) => kind === word);
  return act ?? misused(io, `${quoted(word)} is not an act${didYouMean(word, ACT_KINDS)}`);
};

const readLevel = (io: Io, word: string | undefined): Level | 'unset' | null => {
  if (word === undefined) return 'unset';
  const level = LEVELS.find((each) => each === word);
  return level ?? misused(io, `${quoted(word)} is not a level${didYouMean(word, LEVELS)}`);
};

const load = (io: Io, path: string, scope: Scope, known: KnownNames): PolicyFile | null => {
  let bytes: Uint8Array;
  try {
    bytes = io.readFile(path);
  } catch (error) {
    return misused(io, `${printable(path)}: cannot be read: ${errorText(error)}`);
  }
  const result = loadPolicyFile(bytes, path, scope, known);
  if (result.kind === 'valid') return result.file;
  for (const problem of result.problems) io.err(`${problemLine(path, problem)}\n`);
  io.exit(1);
  return null;
};

/** Whether the organization's file is for the repository asked about; without a name it is taken to be. */
const withoutFilter = (io: Io, org: PolicyFile, repository: string | undefined): PolicyFile => {
  if (org.content.repositories === undefined) return org;
  if (repository !== undefined) {
    if (!orgApplies(org, repository)) {
      io.err(`${printable(org.file)} is not for ${quoted(repository)}: its repositories leave it out\n`);
    }
    return org;
  }
  io.err(
    `${printable(org.file)} is for some repositories only; --repository NAME says which one is asked about\n`,
  );
  return { ...org, content: { ...org.content, repositories: undefined } };
};

/** Said where the name is in no file: it may be a typing error, and the answer looks the same. */
const unknownAgentNote = (policy: Policy, agent: string, names: readonly string[]): string | null => {
  if (policy.agents.has(agent)) return null;
  const level = policy.level.value;
  if (names.includes(agent)) {
    return `${quoted(agent)} is not listed in the policy; the catalogue knows it, and it has the file's level (${level})`;
  }
  const near = nearest(agent, [...policy.agents.keys(), ...names]);
  const meant = near === undefined ? '' : ` (did you mean ${quoted(near)}?)`;
  return (
    `${quoted(agent)} is neither in the policy nor in the catalogue${meant}; it is treated as an agent at the file's level (${level}). ` +
    `A bot account that nobody listed has unknown-bots (${policy.unknownBots.value})`
  );
};

const print = (io: Io, policy: Policy, rows: readonly Explanation[], json: boolean): void => {
  if (json) {
    for (const row of rows) io.out(jsonLine(explanationJson(row)));
    return;
  }
  io.out(explanationTable(policy, rows));
};

/** Says for an agent, act by act, what is allowed, and which file, line and column says so. */
export const explain = (
  io: Io,
  options: ExplainOptions,
  names: readonly string[] = catalogueNames(),
): void => {
  const act = readAct(io, options.act);
  const operator = readLevel(io, options.default);
  if (act === null || operator === null) return;

  const org = options.org === undefined ? undefined : load(io, options.org, 'org', { catalogue: names });
  const declared = Object.keys(org?.content.agents ?? {});
  const repo = load(io, options.policy, 'repo', { catalogue: names, declared });
  if (repo === null || org === null) return;

  const policy = resolvePolicy({
    repo,
    org: org === undefined ? null : withoutFilter(io, org, options.repository),
    operator: operator === 'unset' ? null : operator,
    repositoryName: options.repository ?? '',
  });
  const note = unknownAgentNote(policy, options.agent, names);
  if (note !== null) io.err(`${note}\n`);
  const rows = act === 'all' ? explainAgent(policy, options.agent) : [explainAct(policy, options.agent, act)];
  print(io, policy, rows, options.json);
};

/** `agent-policy explain --policy FILE --agent NAME` */
export const registerExplain = (program: Command, io: Io): void => {
  program
    .command('explain')
    .description('say what an agent may do, and which file, line and column says so')
    .requiredOption('--policy <file>', "the repository's policy file")
    .option('--org <file>', "the organization's policy file, a floor under the repository's")
    .requiredOption('--agent <name>', "an agent's name, from the policy or the catalogue")
    .option('--act <act>', 'one act, such as pull.merge; left out: all acts')
    .option('--repository <name>', "the repository's name, where the organization's file lists repositories")
    .option('--default <level>', "the operator's AGENT_POLICY_DEFAULT: none, pr or merge")
    .option('--json', 'one JSON object a line, one for each act', false)
    .addHelpText(
      'after',
      '\nExit status: 0 explained, 1 a policy file is not valid, 2 a file cannot be read or bad usage.',
    )
    .action((options: ExplainOptions) => {
      explain(io, options);
    });
};
