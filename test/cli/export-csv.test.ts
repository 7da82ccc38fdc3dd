import { describe, expect, test } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import { assert, array, constant, integer, oneof, property, string } from 'fast-check';
import { csvRecord } from '../../src/cli/export-csv.js';

/** As another program reads it, and the apostrophe that defuses a formula taken away. */
const read = (text: string): readonly (readonly string[])[] =>
  parse(text, { relax_column_count: true, record_delimiter: '\r\n' }).map((cells) =>
    cells.map((cell) => cell.replace(/^'/, '')),
  );

describe('a record', () => {
  test.each<[string, (string | number | null)[], string]>([
    ['plain cells', ['a', 'b c', 3], 'a,b c,3\r\n'],
    ['nothing', [null, '', null], ',,\r\n'],
    ['a comma', ['a,b'], '"a,b"\r\n'],
    ['a quote', ['say "a"'], '"say ""a"""\r\n'],
    ['a line break', ['a\nb', 'c\rd'], '"a\nb","c\rd"\r\n'],
    ['a formula', ['=1+1'], "'=1+1\r\n"],
    ['what a spreadsheet takes for one', ['+1', '-1', '@SUM(A1)', '\tx'], "'+1,'-1,'@SUM(A1),'\tx\r\n"],
    [
      'a formula with a comma',
      ['=HYPERLINK("https://x.example",1)'],
      `"'=HYPERLINK(""https://x.example"",1)"\r\n`,
    ],
    ['an apostrophe', ["'a"], "''a\r\n"],
    ['a formula that does not come first', ['a=1'], 'a=1\r\n'],
    ['a number below zero, defused like text', [-1], "'-1\r\n"],
    ['a formula in full width', ['\uff1d1'], "'\uff1d1\r\n"],
  ])('%s', (_name, cells, text) => {
    expect(csvRecord(cells)).toBe(text);
  });

  test('of any text is read back as it was, and no cell begins a formula', () => {
    const hostile = oneof(
      string({ unit: 'binary' }),
      string({ unit: 'grapheme' }),
      array(oneof(...['"', ',', '\r', '\n', "'", '=', '+', '-', '@', '\t', 'x', ' '].map(constant))).map(
        (all) => all.join(''),
      ),
      integer().map(String),
    );
    assert(
      property(
        array(array(hostile, { minLength: 2, maxLength: 6 }), { minLength: 1, maxLength: 5 }),
        (rows) => {
          const text = rows.map(csvRecord).join('');
          expect(read(text)).toEqual(rows);
          const raw: string[][] = parse(text, { relax_column_count: true, record_delimiter: '\r\n' });
          for (const cell of raw.flat()) expect(cell).not.toMatch(/^[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/);
        },
      ),
      { numRuns: 500 },
    );
  });
});
