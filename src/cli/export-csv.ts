/**
 * What a spreadsheet takes for the start of a formula (https://owasp.org/www-community/attacks/CSV_Injection), in full
 * width too, and the apostrophe by which such a cell is defused.
 */
const FORMULA = /^[=+\-@\t\r\uff1d\uff0b\uff0d\uff20']/;

const QUOTED = /[",\r\n]/;

/**
 * A cell by RFC 4180. Where a spreadsheet would run it, an apostrophe stands before it; before an apostrophe too, so
 * that a reader who takes one leading apostrophe away has every cell as it was.
 */
const cell = (value: string): string => {
  const safe = FORMULA.test(value) ? `'${value}` : value;
  return QUOTED.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

/** One record by RFC 4180, with its line break. Null is an empty cell. */
export const csvRecord = (cells: readonly (string | number | null)[]): string =>
  `${cells.map((value) => (value === null ? '' : cell(String(value)))).join(',')}\r\n`;
