import type { Difference } from './difference.js';
import type { SoakOptions } from './options.js';
import type { Figures, Outcome } from './run.js';

/** The command that plays the same story. */
export const commandOf = (options: SoakOptions): string =>
  [
    `npm run soak -- --deliveries ${options.deliveries} --kill ${options.kills}`,
    ...(options.faults === 0 ? [] : [`--faults ${options.faults}`]),
    ...(options.lag === 0 ? [] : [`--lag ${options.lag}`]),
    ...(options.off ? ['--off'] : []),
    `--repositories ${options.repositories} --seed ${options.seed}`,
  ].join(' ');

const rowsOf = (figures: Figures): readonly (readonly [string, string | number])[] => [
  ['deliveries', figures.deliveries],
  ['acknowledged', figures.acknowledged],
  ['sent twice', figures.doubled],
  ['redelivered', figures.redelivered],
  ['dropped by GitHub', figures.dropped],
  ['kills', figures.kills],
  ['requests', figures.requests],
  ...Object.entries(figures.faults).map(([kind, count]) => [`fault: ${kind}`, count] as const),
  ['breaches', figures.breaches],
  ['issues', figures.issues],
  ['rows in issues', figures.rows],
  ['comments', figures.comments],
  ['check runs', figures.checks],
  ['memory of the server, MiB', figures.memory],
  ["seconds by GitHub's clock", figures.played],
  ['seconds', figures.seconds],
];

const MOST_SHOWN = 40;

const spelled = ({ where, expected, seen, deliveries }: Difference): string =>
  `${where}\n  expected: ${expected}\n  seen:     ${seen}\n` +
  (deliveries.length === 0 ? '' : `  told by:  ${deliveries.join(', ')}\n`);

/** What was seen, for people: a table, and what is not as the story says it has to be. */
export const reportText = (options: SoakOptions, { figures, differences, log, store }: Outcome): string => {
  const table = rowsOf(figures).map(([name, value]) => `| ${name} | ${value} |\n`);
  const more = differences.length - MOST_SHOWN;
  const found =
    differences.length === 0
      ? 'Nothing is lost, and nothing is told twice.\n'
      : `${differences.length} differences, seed ${options.seed}:\n\n` +
        differences.slice(0, MOST_SHOWN).map(spelled).join('\n') +
        (more > 0 ? `\nand ${more} more\n` : '') +
        `\nThe store: ${store}\nThe log of the server: ${log}\nAgain: ${commandOf(options)}\n`;
  return `| | |\n|---|---|\n${table.join('')}\n${found}`;
};

export const reportJson = (options: SoakOptions, { figures, differences }: Outcome): string =>
  `${JSON.stringify({ command: commandOf(options), seed: options.seed, figures, differences }, null, 2)}\n`;
