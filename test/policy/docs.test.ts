import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { policyJsonSchema } from '../../src/policy/json-schema.js';
import { LATER_KEYS } from '../../src/policy/later.js';
import { LEVEL_TABLE } from '../../src/policy/levels.js';
import { loadPolicyFile } from '../../src/policy/load.js';
import { NAMES } from './sample.js';

const reference = readFileSync(fileURLToPath(new URL('../../docs/policy.md', import.meta.url)), 'utf8');

/** Rows of the reference's tables, as cells. */
const rows = reference
  .split('\n')
  .filter((line) => line.startsWith('|'))
  .map((line) => line.split('|').map((cell) => cell.trim()));

const keyRow = (key: string) => rows.find(([, first]) => first?.includes(`\`${key}\``));

/** Keys of the schema with those below them: `limits.open-pulls`. */
const keys = (): readonly string[] => {
  const top = policyJsonSchema()['properties'] as Record<string, { properties?: Record<string, unknown> }>;
  return Object.entries(top).flatMap(([key, { properties }]) =>
    properties === undefined || key === 'acts'
      ? [key]
      : Object.keys(properties).map((sub) => `${key}.${sub}`),
  );
};

describe('docs/policy.md', () => {
  test.each(keys())('has a row for %s', (key) => {
    expect(keyRow(key)).toBeDefined();
  });

  test.each(keys())('says of %s whether it comes later', (key) => {
    const path = key.split('.');
    const later = LATER_KEYS.some((each) => each.every((step, index) => path[index] === step));
    expect(keyRow(key)?.[1]?.includes('_later_')).toBe(later);
  });

  test.each(Object.entries(LEVEL_TABLE))('has %s in the level table', (kind, { none, pr, merge }) => {
    expect(keyRow(kind)?.slice(2, 5)).toEqual([none, pr, merge]);
  });

  test('its examples load', () => {
    const examples = [...reference.matchAll(/```yaml\n(?<text>[\s\S]*?)```/gu)].map(
      ({ groups }) => groups?.['text'] ?? '',
    );
    expect(examples.length).toBeGreaterThan(2);
    for (const example of examples) {
      const text = example.includes('version:') ? example : `version: 1\n${example}`;
      expect(loadPolicyFile(text, 'docs/policy.md', 'repo', { catalogue: NAMES })).toMatchObject({
        kind: 'valid',
      });
    }
  });
});
