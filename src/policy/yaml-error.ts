import type { YAMLError } from 'yaml';
import { printable } from './quote.js';

/** What the parser says of an error may hold all of the file. */
const LONGEST_MESSAGE = 200;

const remedies: Partial<Record<YAMLError['code'], string>> = {
  TAB_AS_INDENT: 'tabs cannot indent YAML; use spaces',
  BAD_INDENT: 'the indentation does not fit what stands above it, or a bracket before it was not closed',
  MISSING_CHAR: 'a quote, bracket or comma is missing before this',
  BAD_SCALAR_START: 'a value cannot begin with this character; put the value in quotes',
  BLOCK_AS_IMPLICIT_KEY:
    'a map cannot begin in the middle of a line; begin a new line, or put the value in quotes',
  MULTILINE_IMPLICIT_KEY: 'this line has no ": "; a key is written as "key: value"',
  UNEXPECTED_TOKEN: 'this is not expected here; is a bracket, quote or line break missing or left over?',
  BAD_DQ_ESCAPE:
    'there is no such escape in a double-quoted text; write \\\\ for a backslash, or use single quotes',
  BAD_DIRECTIVE: 'this directive cannot be read; remove it',
  MULTIPLE_ANCHORS: 'a value has one anchor; remove the others',
  MULTIPLE_TAGS: 'tags are not used in a policy file; remove them',
};

/** What is wrong where the text is not YAML, in words for whoever wrote it. */
export const yamlErrorText = ({ code, message }: Pick<YAMLError, 'code' | 'message'>): string => {
  const short = message.length > LONGEST_MESSAGE ? `${message.slice(0, LONGEST_MESSAGE)}…` : message;
  return `this is not YAML: ${remedies[code] ?? printable(short)}`;
};
