import type { PolicyFile } from './load.js';
import type { Problem } from './policy.js';
import { dotted, find } from './tree.js';

/** Keys that are read and explained, and whose behavior comes in a later release. */
export const LATER_KEYS: readonly (readonly string[])[] = [
  ['people', 'gated'],
  ['runs'],
  ['enforce'],
  ['remedies', 'restore-ruleset'],
  ['escalate', 'repository'],
  ['report'],
  ['advise'],
];

/** What a file says that this version does not do yet, in the order of the file. No problem: the file is valid. */
export const notInThisVersion = (file: PolicyFile): readonly Problem[] =>
  LATER_KEYS.flatMap((path) => {
    const place = find(file.tree, path)?.key;
    if (place === undefined) return [];
    return [
      {
        line: place.line,
        column: place.column,
        path: dotted(path),
        message: `${dotted(path)} is not in this version: it is read and explained, and nothing is done with it yet`,
      },
    ];
  }).sort((a, b) => a.line - b.line || a.column - b.column);
