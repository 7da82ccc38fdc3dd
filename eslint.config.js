import js from '@eslint/js';
import tseslint from 'typescript-eslint';

/** Pure folders decide; they read no clock, network, file or database (docs/decisions/001-layout.md). */
const PURE = ['policy', 'agents', 'acts', 'decide', 'runs', 'words'];

/** Floors, top to bottom: a folder imports only from itself and from those after it. */
const FLOORS = [
  ['measure'],
  ['server', 'app', 'cli', 'web'],
  ['compose'],
  ['intake'],
  ['github'],
  ['words'],
  ['decide'],
  ['agents'],
  ['policy', 'runs'],
  ['acts'],
];

/** What stands on the ground: any floor may use it, except a pure folder. */
const GROUND = ['sandbox', 'store', 'settings', 'settings-table', 'private-key', 'logger'];

const floorOf = (folder) => FLOORS.findIndex((floor) => floor.includes(folder));

/** Folders that `folder` may not import: every floor above its own, and its neighbours on the same floor. */
const above = (folder) =>
  FLOORS.slice(0, floorOf(folder) + 1)
    .flat()
    .filter((name) => name !== folder);

const IO = [
  'node:*',
  'fs',
  'fs/promises',
  'http',
  'https',
  'net',
  'child_process',
  'probot',
  'pino',
  '@octokit/*',
];

const rulesFor = (folder) => ({
  files: [`src/${folder}/**/*.ts`, `src/${folder}/**/*.tsx`],
  ignores: folder === 'agents' ? ['src/agents/measure.ts'] : [],
  rules: {
    'no-restricted-imports': [
      'error',
      {
        patterns: [
          ...(PURE.includes(folder)
            ? [
                { group: IO.filter((name) => name !== 'node:*'), message: 'This folder is pure: no I/O.' },
                {
                  // node:crypto's hashes and HMACs and node:zlib's own two are functions of their arguments.
                  regex: '^node:(?!(crypto|zlib)$)',
                  message: 'This folder is pure: no I/O.',
                },
                {
                  regex: '^(node:)?zlib$',
                  allowImportNames: ['deflateRawSync', 'inflateRawSync'],
                  message: 'This folder is pure: no streams, no callbacks.',
                },
                {
                  regex: '^(node:)?crypto$',
                  allowImportNames: ['createHash', 'createHmac', 'timingSafeEqual'],
                  message: 'This folder is pure: randomness and keys come in as arguments.',
                },
              ]
            : []),
          {
            regex: `^(?:\\.\\./)+(?:${above(folder).join('|')}${PURE.includes(folder) ? `|${GROUND.join('|')}` : ''})(/|\\.js$)`,
            message: 'Imports go downwards only: see the floors in docs/decisions/001-layout.md.',
          },
        ],
      },
    ],
    ...(PURE.includes(folder)
      ? {
          'no-restricted-globals': [
            'error',
            'fetch',
            'process',
            'setTimeout',
            'setInterval',
            'setImmediate',
            'console',
            'performance',
            'crypto',
            'globalThis',
          ],
          'no-restricted-properties': [
            'error',
            { object: 'Date', property: 'now', message: 'Time comes in as an argument.' },
            { object: 'Math', property: 'random', message: 'Randomness comes in as an argument.' },
          ],
          'no-restricted-syntax': [
            'error',
            {
              selector: 'NewExpression[callee.name="Date"][arguments.length=0]',
              message: 'Time comes in as an argument.',
            },
            { selector: 'CallExpression[callee.name="Date"]', message: 'Time comes in as an argument.' },
            {
              selector: 'ImportExpression',
              message: 'This folder is pure: what it needs is imported above.',
            },
          ],
        }
      : {}),
  },
});

export default tseslint.config(
  { ignores: ['dist', 'node_modules', 'coverage'] },
  js.configs.recommended,
  ...tseslint.configs.strict,
  {
    files: ['**/*.ts', '**/*.tsx'],
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true }],
      '@typescript-eslint/switch-exhaustiveness-check': 'off',
    },
  },
  {
    files: ['**/*.js'],
    languageOptions: {
      globals: { process: 'readonly', console: 'readonly', URL: 'readonly', Buffer: 'readonly' },
    },
  },
  ...[...FLOORS.flat().filter((name) => name !== 'server' && name !== 'app')].map(rulesFor),
);
