import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { marker, readMarker } from '../../src/words/marker.js';
import { hostile, nodes, parse } from './gfm.js';

const SECRET = 'a secret of some length';
const KEY = 'branch-delete:alpha:rae/@everyone-<!--x-->';

describe('marker', () => {
  test('has a form that never changes: issues on GitHub are found by it', () => {
    expect(marker('issue', 'merge-level:alpha:main', SECRET)).toBe(
      '<!-- agent-policy:issue:bWVyZ2UtbGV2ZWw6YWxwaGE6bWFpbg:49cb8fc75ba0b9b5e84fb23f66438067 -->',
    );
  });

  test('is one comment that nothing in the id can end', () => {
    fc.assert(
      fc.property(hostile, (id) => {
        const line = marker('issue', id, SECRET);
        expect(line).toMatch(/^<!-- [\w:-]+ -->$/);
        expect(nodes(parse(`Text.\n\n${line}`)).filter((node) => node.type === 'html')).toEqual([
          expect.objectContaining({ value: line }),
        ]);
      }),
    );
  });

  test('without a secret there is none', () => {
    expect(() => marker('issue', KEY, '')).toThrow(RangeError);
  });

  test('an id that no ref can have is refused', () => {
    expect(() => marker('issue', 'a'.repeat(4_097), SECRET)).toThrow(/4097/);
    expect(readMarker(marker('issue', 'a'.repeat(4_096), SECRET), [SECRET])?.id).toHaveLength(4_096);
  });
});

describe('readMarker', () => {
  test('gives back what was written', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('comment' as const, 'issue' as const),
        fc.string({ unit: 'grapheme' }),
        (kind, id) => {
          expect(readMarker(`Words.\n\n${marker(kind, id, SECRET)}\n`, [SECRET])).toEqual({ kind, id });
        },
      ),
    );
  });

  test('GitHub may have changed the line ends', () => {
    expect(readMarker(`Words.\r\n\r\n${marker('comment', '1', SECRET)}\r\n`, [SECRET])).toEqual({
      kind: 'comment',
      id: '1',
    });
  });

  test('while secrets are rotated, both are good', () => {
    const old = marker('issue', KEY, 'old');
    expect(readMarker(old, ['new', 'old'])).toEqual({ kind: 'issue', id: KEY });
    expect(readMarker(old, ['new'])).toBeNull();
  });

  const sealed = marker('issue', KEY, SECRET);
  test.each([
    ['no marker', 'Words.'],
    ['an empty text', ''],
    ['a marker with words beside it', `Words. ${sealed}`],
    ['a marker in a quote', `> ${sealed}`],
    ['a marker in code', `    ${sealed}`],
    ['another kind under the same seal', sealed.replace(':issue:', ':comment:')],
    ['another id under the same seal', sealed.replace(/:[\w-]+:([0-9a-f]{32})/, ':eA:$1')],
    ['another seal', sealed.replace(/[0-9a-f]{32}/, '0'.repeat(32))],
    ['a seal that is too short', sealed.replace(/[0-9a-f] -->/, ' -->')],
    ['a second spelling of the id', sealed.replace(/:([0-9a-f]{32})/, 'A:$1')],
    [
      'a marker sealed with an empty secret',
      '<!-- agent-policy:issue:eA:d41d8cd98f00b204e9800998ecf8427e -->',
    ],
  ])('%s is not ours', (_, body) => {
    expect(readMarker(body, [SECRET, ''])).toBeNull();
  });

  test('a forged marker below a good one is not ours: our texts end with theirs', () => {
    expect(readMarker(`${sealed}\n\n${marker('issue', 'x', 'other')}`, [SECRET])).toBeNull();
  });

  test('of two good ones the last counts', () => {
    expect(readMarker(`${sealed}\n\n${marker('issue', 'x', SECRET)}`, [SECRET])).toEqual({
      kind: 'issue',
      id: 'x',
    });
  });

  test('nothing that others can write is read as ours', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(readMarker(text, [SECRET])).toBeNull();
      }),
    );
  });
});
