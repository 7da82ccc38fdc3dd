import type { Alias, Document, ParsedNode } from 'yaml';
import { isAlias, visit } from 'yaml';

/** Uses of anchors in one file. A bomb (nine anchors of nine uses each) is past this in its second layer. */
export const MOST_ALIASES = 100;

export type Anchors =
  | {
      readonly kind: 'anchors';
      /** What each alias stands for: the nearest anchor of its name above it. One of nothing is not here. */
      readonly targets: ReadonlyMap<Alias, ParsedNode>;
    }
  /** More aliases than any policy file has, resolved or not; `offset` is where the first one over the limit stands. */
  | { readonly kind: 'too-many'; readonly offset: number };

/**
 * The anchors of a document, in one walk. The parser's own `alias.resolve` walks the whole document for each alias,
 * which makes a file of nothing but aliases take minutes.
 */
export const anchorsOf = (document: Document.Parsed): Anchors => {
  const named = new Map<string, ParsedNode>();
  const targets = new Map<Alias, ParsedNode>();
  let aliases = 0;
  let over: number | null = null;
  visit(document, {
    Node: (_key, node) => {
      if (isAlias(node)) {
        aliases += 1;
        if (aliases > MOST_ALIASES) {
          over = node.range?.[0] ?? 0;
          return visit.BREAK;
        }
        const target = named.get(node.source);
        if (target !== undefined) targets.set(node, target);
      } else if (node.anchor !== undefined) {
        named.set(node.anchor, node as ParsedNode);
      }
      return undefined;
    },
  });
  return over === null ? { kind: 'anchors', targets } : { kind: 'too-many', offset: over };
};
