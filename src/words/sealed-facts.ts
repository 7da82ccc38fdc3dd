import { createHmac, timingSafeEqual } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { z } from 'zod';
import type { FactRow } from '../decide/effects.js';
import type { Reason, SuspensionView } from '../decide/reasons.js';
import type { MarkerKind } from './marker.js';
import { plainRow, sortedJson } from './plain-row.js';
import { reason } from './reason-shape.js';
import { breachCode, factRow } from './row-shape.js';

/** What a comment of ours knows. */
export interface CommentFacts {
  readonly rows: readonly FactRow[];
  readonly standing: readonly Reason[];
}

/** What an issue of ours knows. */
export interface IssueFacts {
  readonly rows: readonly FactRow[];
  /** Rows beyond the ones kept. */
  readonly more: number;
  /** Open PRs the breach touches. */
  readonly mentions: readonly number[];
  /** The suspension that ends when it is closed; null: none. */
  readonly suspension: Pick<SuspensionView, 'since' | 'cause'> | null;
}

export interface FactsOf {
  readonly comment: CommentFacts;
  readonly issue: IssueFacts;
}

/**
 * Characters of the line at most. GitHub takes 65,536 a body, and 60,000 bytes are shared with what people read: 50 rows
 * without their details take about half of these.
 */
export const MAX_FACTS_LINE = 16_000;

/** Bytes of JSON that a line is ever inflated to. */
const MAX_INFLATED = 1024 * 1024;

const SEAL_LENGTH = 32;
const LINE = /^<!-- agent-policy:facts:([A-Za-z0-9_-]{1,16000}):([0-9a-f]{32}) -->$/;

const SHAPES: { readonly [K in MarkerKind]: z.ZodType<FactsOf[K]> } = {
  comment: z.object({ rows: z.array(factRow), standing: z.array(reason) }),
  issue: z.object({
    rows: z.array(factRow),
    more: z.number().int().min(0),
    mentions: z.array(z.number().int()),
    suspension: z
      .object({ since: z.iso.datetime({ offset: true }), cause: z.union([breachCode, z.literal('pause')]) })
      .nullable(),
  }),
};

/** Of this repository, this kind of text and this one: a line that is copied elsewhere says nothing there. */
const sealOf = (kind: MarkerKind, id: string, encoded: string, secret: string): string =>
  createHmac('sha256', secret)
    .update(`agent-policy facts 1\n${kind}\n${id}\n${encoded}`)
    .digest('hex')
    .slice(0, SEAL_LENGTH);

/** A facts line, and the JSON in it. */
export interface SealedFacts {
  readonly line: string;
  readonly json: string;
}

const withoutDetail = (row: FactRow): FactRow => {
  const { detail, ...subject } = row.subject;
  return { ...row, subject };
};

/** Less and less: the details of the oldest rows first, then what stands now (the next check says it again), then rows. */
function* smaller<K extends MarkerKind>(facts: FactsOf[K]): Generator<FactsOf[K]> {
  yield facts;
  const { rows } = facts;
  const bare = (from: number): readonly FactRow[] =>
    rows.map((row, index) => (index < rows.length - from ? withoutDetail(row) : row));
  for (const kept of [20, 10, 0]) if (kept < rows.length) yield { ...facts, rows: bare(kept) };
  const short = 'standing' in facts ? { ...facts, standing: [] } : facts;
  yield { ...short, rows: bare(0) };
  for (const kept of [100, 50, 25, 10, 1, 0]) {
    if (kept >= rows.length) continue;
    const left = kept === 0 ? [] : [...bare(0).slice(0, 1), ...bare(0).slice(rows.length - kept + 1)];
    yield {
      ...short,
      rows: left,
      ...('more' in facts ? { more: facts.more + rows.length - left.length } : {}),
    };
  }
}

/**
 * The hidden line in which a text of ours carries what it knows, for a database that does not: compressed, sealed with
 * an HMAC, without secrets in somebody's text. At most MAX_FACTS_LINE characters; where not all fits, the details of
 * the oldest rows go first.
 */
export function sealFacts<K extends MarkerKind>(
  kind: K,
  id: string,
  facts: FactsOf[K],
  secret: string,
): SealedFacts {
  let sealed: SealedFacts = { line: '', json: '' };
  for (const some of smaller<K>({ ...facts, rows: facts.rows.map(plainRow) })) {
    const json = sortedJson(some);
    const encoded = deflateRawSync(json).toString('base64url');
    sealed = { line: `<!-- agent-policy:facts:${encoded}:${sealOf(kind, id, encoded, secret)} -->`, json };
    if (sealed.line.length <= MAX_FACTS_LINE) break;
  }
  return sealed;
}

/**
 * What a text of ours knows, by the last line in it that has the form. null: there is none, or it is not ours, or not
 * of this text. Nothing is inflated or parsed before the seal is verified.
 */
export function openFacts<K extends MarkerKind>(
  kind: K,
  id: string,
  body: string,
  secrets: readonly string[],
): (SealedFacts & { readonly facts: FactsOf[K] }) | null {
  const match = body
    .split(/\r\n|\n|\r/)
    .map((line) => LINE.exec(line))
    .filter((found) => found !== null)
    .at(-1);
  const [line = '', encoded = '', given = ''] = match ?? [];
  const ours = secrets.some(
    (secret) =>
      given !== '' &&
      secret !== '' &&
      timingSafeEqual(Buffer.from(sealOf(kind, id, encoded, secret)), Buffer.from(given)),
  );
  if (!ours) return null;
  try {
    const bytes = inflateRawSync(Buffer.from(encoded, 'base64url'), { maxOutputLength: MAX_INFLATED });
    const json = bytes.toString('utf8');
    const parsed = SHAPES[kind].safeParse(JSON.parse(json));
    return parsed.success ? { line, json, facts: parsed.data } : null;
  } catch {
    // Sealed by us, and by a version of this program that wrote it in another way.
    return null;
  }
}
