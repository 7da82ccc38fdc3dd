const MARKER_LINE = /^<!-- agent-policy:.* -->$/;
const RULER = /^\|(-+\|)+$/;

/** Marks of emphasis and code taken out, and what stands in code kept to the letter. */
const plain = (line: string): string =>
  line.replace(
    /`([^`]*)`|\*\*|\*(\w+)\*/g,
    (_, code: string | undefined, word: string | undefined) => code ?? word ?? '',
  );

/** Breaks a line at spaces; a word longer than the width stays whole. Continuations are indented like the text. */
function wrap(line: string, width: number): readonly string[] {
  const indent = ' '.repeat((/^ *(?:- )?/.exec(line)?.[0] ?? '').length);
  const lines: string[] = [];
  let current = '';
  for (const word of line.split(/(?<=\S) /)) {
    const longer = current === '' ? word : `${current} ${word}`;
    if (current !== '' && longer.length > width) {
      lines.push(current);
      current = `${indent}${word}`;
    } else {
      current = longer;
    }
  }
  return [...lines, current];
}

/**
 * A body or output of ours as plain text for a terminal: no marker, no marks of markdown, a table's rows as lines under
 * the names of their columns. `width` in characters. Only for texts of this folder: in them everything that came from
 * elsewhere is inert already.
 */
export function terminalText(body: string, width = 100): string {
  const lines = body.split('\n').filter((line) => !MARKER_LINE.test(line) && !RULER.test(line));
  return lines
    .map((line) => line.replace(/^#+ /, ''))
    .map((line) => (line.startsWith('| ') ? `  ${line.slice(2, -2).split(' | ').join(' · ')}` : line))
    .flatMap((line) => wrap(plain(line), width))
    .join('\n')
    .trimEnd();
}
