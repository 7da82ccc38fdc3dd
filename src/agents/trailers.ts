/** Longer lines are no trailer that a tool writes; the cap also bounds what one hostile line can cost. */
const LINE_CAP = 1_000;
/** Of a message, its end: trailers stand there. */
const MESSAGE_CAP = 65_536;
/** Trailer lines looked at in one message, the last ones. */
const LINES_CAP = 100;

/** git's shape of a trailer: a word of letters, digits and dashes, a colon, a value. */
const TRAILER = /^[A-Za-z0-9-]{1,100}[ \t]*:[ \t]*\S/;
/** Lines that git writes itself; one of them lets a last paragraph be a quarter trailers and the rest prose. */
const BY_GIT = /^(?:Signed-off-by: |\(cherry picked from commit )/;

function isTrailerLine(line: string): boolean {
  return line.length <= LINE_CAP && TRAILER.test(line);
}

/**
 * The lines of a commit message that stand as trailers, in order, folded values joined: those of the last paragraph
 * by git's rule (`man git-interpret-trailers`), and those of any paragraph that is trailers from end to end, since a
 * squash leaves each commit's own block in the middle. The first paragraph is the subject and never counts. A trailer
 * that is quoted in a sentence is none. The capped end of a very long message is looked at, and at most 100 lines.
 */
export function trailerLines(message: string): readonly string[] {
  const cut = message.length > MESSAGE_CAP;
  const paragraphs = paragraphsOf(cut ? message.slice(-MESSAGE_CAP) : message);
  const found: string[] = [];
  paragraphs.forEach((lines, index) => {
    // What is left of a cut message may begin in the middle of a sentence.
    if (index === 0) return;
    const trailers = lines.filter(isTrailerLine);
    if (trailers.length === lines.length) found.push(...trailers);
    else if (index === paragraphs.length - 1 && gitTakes(lines, trailers)) found.push(...trailers);
  });
  return found.slice(-LINES_CAP);
}

function gitTakes(lines: readonly string[], trailers: readonly string[]): boolean {
  return lines.some((line) => BY_GIT.test(line)) && trailers.length * 4 >= lines.length;
}

/** Paragraphs as lists of lines; a line that begins with white space continues the one before. */
function paragraphsOf(message: string): readonly (readonly string[])[] {
  const paragraphs: string[][] = [];
  let open: string[] | null = null;
  for (const raw of message.split('\n')) {
    const line = raw.trimEnd();
    if (line === '') {
      open = null;
      continue;
    }
    if (open === null) {
      open = [];
      paragraphs.push(open);
    }
    const last = open.length - 1;
    const before = open[last];
    if (/^[ \t]/.test(line) && before !== undefined) open[last] = joined(before, line);
    else open.push(line);
  }
  return paragraphs;
}

/** Past the cap a line is no trailer whatever follows, and joining on would cost the square of its length. */
function joined(before: string, line: string): string {
  return before.length > LINE_CAP ? before : `${before} ${line.trim()}`;
}
