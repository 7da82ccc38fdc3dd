const LONGEST = 60;

/** Controls, format characters (bidirectional and invisible ones), lone surrogates, private use, separators. */
const INVISIBLE = /[\p{C}\p{Zl}\p{Zp}]/gu;

const escaped = (character: string): string => {
  const hex = (character.codePointAt(0) ?? 0).toString(16);
  return hex.length <= 4 ? `\\u${hex.padStart(4, '0')}` : `\\u{${hex}}`;
};

/** Text that is safe to print on a terminal: what cannot be seen, or moves the cursor, is shown as an escape. */
export const printable = (text: string): string => text.replace(INVISIBLE, escaped);

/** A piece of somebody else's text for a message: in quotes, on one line, at most 60 characters. */
export const quoted = (text: string): string => {
  const characters = [...text];
  const short = characters.length > LONGEST ? `${characters.slice(0, LONGEST - 1).join('')}…` : text;
  return `"${printable(short.replaceAll('\\', '\\\\').replaceAll('"', '\\"'))}"`;
};
