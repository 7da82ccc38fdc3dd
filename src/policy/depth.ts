import { CST, Lexer } from 'yaml';

/** No policy nests deeper than five; a reader of nested text is recursive, and this keeps its stack small. */
const DEEPEST = 20;
/** A block's depth cannot exceed its indentation, so bounding the one bounds the other. */
const WIDEST_INDENT = 200;

/**
 * The offset at which the text is nested too deeply to be read safely, or null. Looks at tokens alone: the YAML
 * parser recurses into each level, and a stack that ends inside it can end the process and not only the call.
 */
export const tooDeep = (text: string): number | null => {
  let offset = 0;
  let flow = 0;
  let indicators = 0;
  let lineStart = true;
  let scalar = false;
  for (const source of new Lexer().lex(text)) {
    if (source === CST.DOCUMENT || source === CST.FLOW_END) continue; // marks, not text
    if (source === CST.SCALAR) {
      scalar = true;
      continue;
    }
    if (scalar) {
      // A text is no indicator and no indentation, whatever it begins with: a block scalar's begins with spaces.
      scalar = false;
      lineStart = source.endsWith('\n');
      if (lineStart) indicators = 0;
      offset += source.length;
      continue;
    }
    switch (CST.tokenType(source)) {
      case 'newline':
        lineStart = true;
        indicators = 0;
        offset += source.length;
        continue;
      case 'space':
        if (lineStart && source.length > WIDEST_INDENT) return offset;
        break;
      case 'flow-map-start':
      case 'flow-seq-start':
        flow += 1;
        if (flow > DEEPEST) return offset;
        break;
      case 'flow-map-end':
      case 'flow-seq-end':
        flow = Math.max(0, flow - 1);
        break;
      case 'seq-item-ind':
        indicators += 1;
        break;
      case 'explicit-key-ind':
      case 'map-value-ind':
        if (flow === 0) indicators += 1;
        break;
      default:
        break;
    }
    if (indicators > DEEPEST) return offset;
    lineStart = false;
    offset += source.length;
  }
  return null;
};
