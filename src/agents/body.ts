/** GitHub takes no longer body. */
const BODY_CAP = 65_536;
const LINE_CAP = 1_000;

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const OPENING = /<(?:blockquote|pre)\b/gi;
const CLOSING = /<\/(?:blockquote|pre)>/gi;

/**
 * The lines of a PR body that its author says, trimmed, empty ones left out. What can be told to be quoted is not
 * among them: block quotes (`>` or HTML), code fences, indented code, code spans, and comments over several lines,
 * where templates keep their hints. A comment on one line stays: that is how tools leave their markers. What is
 * opened and never closed hides what follows; leaving the mark out would have hidden it as well.
 */
export function spokenLines(body: string): readonly string[] {
  const spoken: string[] = [];
  let fence: string | null = null;
  let comment = false;
  let depth = 0;
  for (const raw of body.slice(0, BODY_CAP).split('\n')) {
    const line = raw.slice(0, LINE_CAP).trimEnd();
    const mark: string | null = FENCE.exec(line)?.[1] ?? null;
    if (fence !== null) {
      if (mark !== null && closes(line, mark, fence)) fence = null;
      continue;
    }
    if (comment) {
      if (line.includes('-->')) comment = false;
      continue;
    }
    if (mark !== null) {
      fence = mark;
      continue;
    }
    const text = line.replace(/`[^`]*`/g, '');
    const before = depth;
    depth = Math.max(0, depth + count(text, OPENING) - count(text, CLOSING));
    if (opensComment(text)) {
      comment = true;
      continue;
    }
    if (before > 0 || depth > 0 || /^(?: {0,3}>| {4}|\t)/.test(line)) continue;
    if (text.trim() !== '') spoken.push(text.trim());
  }
  return spoken;
}

/** A fence is closed by one of its own kind, at least as long, with nothing behind it. */
function closes(line: string, mark: string, fence: string): boolean {
  return mark[0] === fence[0] && mark.length >= fence.length && line.trim() === mark;
}

function opensComment(line: string): boolean {
  const start = line.lastIndexOf('<!--');
  return start !== -1 && !line.includes('-->', start);
}

function count(line: string, pattern: RegExp): number {
  return line.match(pattern)?.length ?? 0;
}
