import { describe, expect, test } from '@jest/globals';
import { checkText } from '../../src/words/check.js';
import { commentBody } from '../../src/words/comment.js';
import { marker } from '../../src/words/marker.js';
import { terminalText } from '../../src/words/terminal.js';
import { REASONS, comment, place, verdict } from './make.js';

const MARK = marker('comment', '283', 'secret');

describe('on a terminal', () => {
  test('a comment', () => {
    const body = commentBody(comment({ standing: [REASONS['protected-path']] }), place('off'), MARK);
    expect(terminalText(body)).toMatchSnapshot();
  });

  test('a check', () => {
    const { summary, text } = checkText(verdict([REASONS['needs-person']]), place('off'));
    expect(terminalText(`${summary}\n\n${text}`, 72)).toMatchSnapshot();
  });

  test('no line is longer than the width, unless a word is', () => {
    const body = commentBody(comment({ standing: [REASONS['protected-path']] }), place('off'), MARK);
    expect(
      Math.max(
        ...terminalText(body, 60)
          .split('\n')
          .map((line) => line.length),
      ),
    ).toBeLessThanOrEqual(60);
  });

  test('what stands in code is kept to the letter', () => {
    expect(terminalText('Look at `**/CODEOWNERS` and **then** at `a_b*`, which *is* it.')).toBe(
      'Look at **/CODEOWNERS and then at a_b*, which is it.',
    );
  });

  test('a line that only looks like a marker in its middle stays', () => {
    expect(terminalText('a <!-- agent-policy:x -->')).toBe('a <!-- agent-policy:x -->');
  });
});
