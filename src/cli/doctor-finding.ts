import { printable } from '../policy/quote.js';
import { plural } from '../words/names.js';
import { jsonLine } from './problem-text.js';

/** What is looked at, in the order it is told. */
export const ABOUTS = [
  'node',
  'settings',
  'credentials',
  'permissions',
  'installations',
  'webhook',
  'deliveries',
  'clock',
  'store',
  'sweeps',
] as const;

/**
 * One thing that was looked at. `ok`: as it should be. `warn`: it works, and somebody should look. `fail`: the App does
 * not do its work until somebody acts. `skip`: it could not be looked at, for what another finding says.
 */
export interface Finding {
  readonly about: (typeof ABOUTS)[number];
  readonly state: 'ok' | 'warn' | 'fail' | 'skip';
  /** A sentence without its full stop. */
  readonly what: string;
  /** What a person can do: a sentence without its full stop. Null where there is nothing to do. */
  readonly remedy: string | null;
}

export const ok = (about: Finding['about'], what: string): Finding => ({
  about,
  state: 'ok',
  what,
  remedy: null,
});

export const warn = (about: Finding['about'], what: string, remedy: string): Finding => ({
  about,
  state: 'warn',
  what,
  remedy,
});

export const fail = (about: Finding['about'], what: string, remedy: string): Finding => ({
  about,
  state: 'fail',
  what,
  remedy,
});

export const skip = (about: Finding['about'], what: string): Finding => ({
  about,
  state: 'skip',
  what,
  remedy: null,
});

const WIDTH = Math.max(...ABOUTS.map((about) => about.length));

const lineOf = ({ state, about, what, remedy }: Finding): string =>
  printable(`${state.padEnd(4)}  ${about.padEnd(WIDTH)}  ${what}.${remedy === null ? '' : ` ${remedy}.`}`);

/** One line a finding, and how many are not well. */
export const findingsText = (findings: readonly Finding[]): string => {
  const count = (state: Finding['state']): number => findings.filter((one) => one.state === state).length;
  const skipped = count('skip');
  const sum = [
    plural(count('fail'), 'failure'),
    plural(count('warn'), 'warning'),
    ...(skipped > 0 ? [`${String(skipped)} not looked at`] : []),
  ];
  return `${[...findings.map(lineOf), sum.join(', ')].join('\n')}\n`;
};

/** One JSON object a finding and line. */
export const findingsJson = (findings: readonly Finding[]): string => findings.map(jsonLine).join('');
