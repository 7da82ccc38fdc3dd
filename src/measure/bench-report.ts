import { cpus } from 'node:os';
import { SERVERS, type ServerName, type Turn } from './acknowledge.js';
import type { Wait, WaitName, WaitOptions } from './check-wait.js';
import { median } from './statistics.js';

export interface BenchOptions {
  readonly rounds: number;
  readonly seconds: number;
  readonly connections: readonly number[];
  readonly waits: WaitOptions;
}

/** Everything one run measured. */
export interface BenchReport {
  readonly options: BenchOptions;
  /** ISO 8601, UTC. */
  readonly at: string;
  /** Bytes of the payloads, on average. */
  readonly payload: number;
  readonly turns: readonly Turn[];
  readonly waits: readonly Wait[];
}

const SERVER_WORDS: Readonly<Record<ServerName, string>> = {
  probot: 'Probot `Server`, one handler that does nothing',
  ours: 'ours, the worker at work',
  paused: 'ours, the worker at rest',
  bare: 'a server that reads and keeps nothing: the load itself',
};

const WAIT_WORDS: Readonly<Record<WaitName, string>> = {
  'ours, calm': 'ours, no flood',
  ours: 'ours',
  probot: 'an app of Probot, its throttle off',
  'probot, throttled': 'an app of Probot as it comes',
};

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n');

const whole = (value: number): string => Math.round(value).toLocaleString('en-US');
const precise = (value: number): string => value.toFixed(value < 100 ? 1 : 0);
const times = (value: number): string => `${value.toFixed(2)} ×`;

/** The machine, in a sentence: figures of two machines are not compared, ratios of one run are. */
const machine = (at: string): string =>
  `${at.slice(0, 10)}, Node ${process.versions.node}, ${process.platform} ${process.arch}, ${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown'}`;

/** The processor time of one delivery: what other programs do meanwhile changes it least. */
const micros = (turns: readonly Turn[], server: ServerName): string => {
  const told = turns.flatMap((turn) => (turn.server === server && turn.cpu !== null ? [turn.cpu] : []));
  return told.length === 0 ? '' : whole(median(told));
};

const rowsOf = (turns: readonly Turn[], connections: number): readonly (readonly string[])[] => {
  const these = turns.filter((turn) => turn.connections === connections);
  const middle = (server: ServerName, of: (turn: Turn) => number): number =>
    median(these.filter((turn) => turn.server === server).map(of));
  const peer = middle('probot', ({ perSecond }) => perSecond);
  return SERVERS.map((server) => {
    const perSecond = middle(server, (turn) => turn.perSecond);
    return [
      SERVER_WORDS[server],
      whole(connections),
      whole(perSecond),
      server === 'bare' ? '' : times(perSecond / peer),
      precise(middle(server, ({ p50 }) => p50)),
      precise(middle(server, ({ p99 }) => p99)),
      micros(these, server),
      whole(middle(server, ({ rss }) => rss) / 2 ** 20),
    ];
  });
};

const acknowledged = ({ turns, options, payload }: BenchReport): string => {
  const kept = turns.flatMap((turn) => (turn.kept === null ? [] : [turn.kept]));
  const sum = (of: (one: (typeof kept)[number]) => number): number =>
    kept.reduce((total, one) => total + of(one), 0);
  const failed = turns.reduce((total, turn) => total + turn.failed, 0);
  return [
    table(
      [
        'server',
        'connections',
        'acknowledged a second',
        'beside Probot',
        'p50 ms',
        'p99 ms',
        'processor µs each',
        'memory MB, at most',
      ],
      options.connections.flatMap((connections) => rowsOf(turns, connections)),
    ),
    '',
    `Payloads of ${whole(payload / 1_000)} KB, ${options.rounds} rounds of ${options.seconds} s each, taken in turn; medians. Of ${whole(sum((one) => one.acknowledged))} deliveries that ours acknowledged, ${whole(sum((one) => one.found))} were in its store, and ${whole(sum((one) => one.done))} had been worked on; ${failed === 0 ? 'no request failed' : `${failed} requests failed`}.`,
  ].join('\n');
};

const waited = ({ waits, options }: BenchReport): string => {
  const calm = waits.find(({ name }) => name === 'ours, calm')?.p95 ?? null;
  const wait = (ms: number | null): string => (ms === null ? 'none' : precise(ms));
  const rows = waits.map(({ name, p50, p95, p99, unanswered, answered, flooded }) => [
    WAIT_WORDS[name],
    wait(p50),
    wait(p95),
    wait(p99),
    p95 === null || calm === null ? '' : times(p95 / calm),
    `${unanswered} of ${answered + unanswered}`,
    flooded.sent === 0 ? '' : `${Math.round((100 * flooded.acknowledged) / flooded.sent)}%`,
  ]);
  const { seconds, every, flood } = options.waits;
  return [
    table(
      [
        'a person waits for the check',
        'p50 ms',
        'p95 ms',
        'p99 ms',
        'p95 beside calm',
        'without a check',
        'of the flood answered while it lasted',
      ],
      rows,
    ),
    '',
    `A person's PR every ${every} ms for ${seconds} s, while ${flood} deliveries a second come of another repository of the same installation: an agent's pushes, and its PRs whose heads they move. \`none\`: so many had no check ten seconds after the last PR was sent.`,
  ].join('\n');
};

/** What a run measured, as Markdown. */
export const markdownOf = (report: BenchReport): string =>
  [machine(report.at), acknowledged(report), ...(report.waits.length === 0 ? [] : [waited(report)])].join(
    '\n\n',
  );

const BEGIN = '<!-- npm run bench:intake -- --write -->';
const END = '<!-- end of what it wrote -->';

/** A document with what stands between its two marks replaced. Throws where it has none. */
export const written = (document: string, markdown: string): string => {
  const [begin, end] = [document.indexOf(BEGIN), document.indexOf(END)];
  if (begin === -1 || end < begin) throw new Error(`the document has no place for it: ${BEGIN} … ${END}`);
  return `${document.slice(0, begin)}${BEGIN}\n\n${markdown}\n\n${document.slice(end)}`;
};
