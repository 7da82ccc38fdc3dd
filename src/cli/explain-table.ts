import { type Explanation, type Overrode, place } from '../policy/explain.js';
import type { Policy } from '../policy/policy.js';
import { printable } from '../policy/quote.js';

const placeOf = ({ layer, file, line, column }: Omit<Overrode, 'value'>): string => {
  if (file === null) return layer;
  const position = line === null ? '' : `:${String(line)}${column === null ? '' : `:${String(column)}`}`;
  return `${layer} ${file}${position}`;
};

const overrodeText = (overrode: readonly Overrode[]): string =>
  overrode.length === 0
    ? ''
    : `, over ${overrode.map((lost) => `${lost.value} (${placeOf(lost)})`).join(', ')}`;

const notes = (policy: Policy, rows: readonly Explanation[]): readonly string[] => {
  const has = (act: Explanation['act'], verdict: Explanation['verdict']): boolean =>
    rows.some((row) => row.act === act && row.verdict === verdict);
  return [
    ...(policy.mode.value === 'enforce'
      ? []
      : [
          `mode is ${policy.mode.value} (${placeOf(place(policy.mode.origin))}): ${policy.mode.value === 'off' ? 'nothing is done' : 'it is only said what would be'}`,
        ]),
    ...(rows.some(({ verdict }) => verdict === 'own') ? ['own: only what this agent alone made'] : []),
    ...(rows.some(({ act }) => act === 'push.force') ? ['push.force on a trunk is always denied'] : []),
    ...(has('push.trunk', 'allow')
      ? [
          'push.trunk: where rulesets of Agent Policy are in force GitHub refuses the direct push, so merge through a pull request; this version puts none',
        ]
      : []),
  ];
};

/** The answers for people: one line an act, with what is said, where, and what it overrode. */
export const explanationTable = (policy: Policy, rows: readonly Explanation[]): string => {
  const width = Math.max(...rows.map(({ act }) => act.length));
  const lines = rows.map((row) =>
    printable(
      `${row.act.padEnd(width)}  ${row.verdict.padEnd(5)}  ${row.value} (${placeOf(row)})${overrodeText(row.overrode)}`,
    ),
  );
  return `${[...lines, ...notes(policy, rows).map(printable)].join('\n')}\n`;
};
