import type { Random } from '../random.js';
import { bodyOf, objectOf } from './body.js';
import type { FuzzCase, Step } from './case.js';
import { chunkings } from './chunks.js';
import type { Expected } from './draft.js';
import type { Fault } from './fault.js';
import { DELIVERY_FAULTS } from './faults-of-deliveries.js';
import { HTTP_FAULTS } from './faults-of-http.js';
import { eventOf, type Made, type Making, requestOf } from './request.js';

export const PLAIN: Fault = {
  kind: 'as GitHub sends it',
  fate: 'stored',
  statuses: [202],
  apply: () => undefined,
};

const afterOf = ({ unframed, ends }: Made): Step['after'] => (ends ? 'ended' : unframed ? 'dropped' : 'kept');

const stepOf = (made: Made): Step => ({
  pieces: [made.bytes],
  pause: 0,
  expected: [made.expected],
  after: afterOf(made),
});

const pickOne = (random: Random, groups: readonly (readonly Fault[])[]): Fault => {
  const group = groups[random.below(groups.length)] ?? [];
  return group[random.below(group.length)] ?? PLAIN;
};

/** Enough of a case to make one: its number under a seed, and what is drawn for it. */
interface Drawn {
  readonly making: Making;
  readonly random: Random;
  readonly guid: (part: number) => string;
}

const faultsFor = ({ random }: Drawn): readonly Fault[] => {
  const share = random.unit();
  if (share < 0.25) return [];
  if (share < 0.6) return [pickOne(random, DELIVERY_FAULTS)];
  if (share < 0.92) return [pickOne(random, HTTP_FAULTS)];
  return [pickOne(random, DELIVERY_FAULTS), pickOne(random, HTTP_FAULTS)];
};

const single = (drawn: Drawn): Made =>
  requestOf(
    drawn.making,
    drawn.random,
    drawn.guid(0),
    bodyOf(drawn.random, drawn.making.samples),
    faultsFor(drawn),
  );

const pieces = (bytes: Buffer, random: Random, count: number): readonly Buffer[] => {
  const cuts = Array.from({ length: count - 1 }, () => random.below(bytes.length)).sort((a, b) => a - b);
  return [0, ...cuts].map((from, at) => bytes.subarray(from, cuts[at] ?? bytes.length));
};

/** What is sent on one connection, and how. */
export type Shape = (drawn: Drawn) => Omit<FuzzCase, 'number'>;

export const one: Shape = (drawn) => {
  const made = single(drawn);
  return { kind: made.kind, steps: [stepOf(made)] };
};

/** In several pieces, which arrive one by one. */
export const inPieces =
  (most: number, pause: number): Shape =>
  (drawn) => {
    const made = single(drawn);
    const count = 2 + drawn.random.below(most - 1);
    const step = { ...stepOf(made), pieces: pieces(made.bytes, drawn.random, count), pause };
    return { kind: `in ${count} pieces · ${made.kind}`, steps: [step] };
  };

/** The connection ends before the request does. */
export const halfSent: Shape = ({ making, random, guid }) => {
  const made = requestOf(making, random, guid(0), bodyOf(random, making.samples), []);
  const bytes = made.bytes.subarray(0, 1 + random.below(made.bytes.length - 1));
  const after = random.chance(0.5) ? 'ended' : 'cut';
  const expected: Expected = { ...made.expected, stored: 'no', statuses: new Set([400]), mayClose: true };
  const step: Step = { pieces: [bytes], pause: 0, expected: [expected], after };
  return {
    kind: `${bytes.length} of ${made.bytes.length} bytes, then ${after} · ${made.kind}`,
    steps: [step],
  };
};

/** Node looks every 30 s whether the head of a request took longer than the 10 s it may. */
const STALL_MS = 45_000;

/** Nothing more comes, and the connection stays open: the server ends it. */
export const stalled: Shape = (drawn) => {
  const { kind, steps } = halfSent(drawn);
  return {
    kind: `stalled · ${kind}`,
    steps: steps.map(({ expected, ...step }) => ({
      ...step,
      pieces: step.pieces.map((piece) => piece.subarray(0, HEAD_PART)),
      expected: expected.map((one) => ({ ...one, statuses: new Set([408]) })),
      patience: STALL_MS,
      after: 'dropped' as const,
    })),
  };
};

/** Bytes that are less than any head. */
const HEAD_PART = 60;

/** Nobody waits for the answer: it may be stored all the same. */
export const goneBeforeTheAnswer: Shape = ({ making, random, guid }) => {
  const made = requestOf(making, random, guid(0), bodyOf(random, making.samples), []);
  const expected: Expected = { ...made.expected, stored: 'if acknowledged', mayClose: true };
  return {
    kind: `cut before the answer · ${made.kind}`,
    steps: [{ ...stepOf(made), expected: [expected], after: 'cut' }],
  };
};

/** Several in one write. After one that is refused the connection ends, and the rest may be read or not. */
export const pipelined: Shape = ({ making, random, guid }) => {
  const all = Array.from({ length: 2 + random.below(4) }, (_, part) =>
    requestOf(
      making,
      random,
      guid(part),
      bodyOf(random, making.samples),
      random.chance(0.3) ? [pickOne(random, DELIVERY_FAULTS)] : [],
    ),
  );
  const refusedAt = all.findIndex(({ expected }) => !expected.statuses.has(202));
  const expected = all.map(({ expected: mine }, at): Expected => {
    if (refusedAt === -1 || at < refusedAt) return mine;
    if (at === refusedAt) return { ...mine, mayClose: true };
    return { ...mine, mayClose: true, stored: mine.stored === 'no' ? 'no' : 'if acknowledged' };
  });
  const step: Step = {
    pieces: [Buffer.concat(all.map(({ bytes }) => bytes))],
    pause: 0,
    expected,
    after: refusedAt === -1 ? 'kept' : 'dropped',
  };
  return { kind: `pipelined: ${all.map(({ kind }) => kind).join(' | ')}`, steps: [step] };
};

/** GitHub may send a delivery twice: the first one counts. */
export const redelivered: Shape = ({ making, random, guid }) => {
  const name = eventOf(random);
  const first = requestOf(making, random, guid(0), bodyOf(random, making.samples), [], name);
  const body = random.chance(0.3) ? bodyOf(random, making.samples) : null;
  const second = body === null ? first : requestOf(making, random, guid(0), body, [], name);
  const again: Step = {
    ...stepOf(second),
    // What is told of it is the first one's.
    expected: [{ ...first.expected, mayClose: false }],
  };
  return {
    kind: `sent twice${body === null ? '' : ', with another body'} · ${first.kind}`,
    steps: [stepOf(first), again],
  };
};

/** What asks how the process is. */
export const health: Shape = ({ random }) => {
  const path = random.pick(['/healthz', '/readyz', '/healthz?x', '/readyz']);
  const expected: Expected = {
    stored: 'no',
    statuses: new Set([200]),
    mayClose: false,
    guid: '',
    name: '',
    body: Buffer.alloc(0),
    outcome: 'settled',
    bodiless: false,
  };
  const bytes = Buffer.from(`GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`);
  return { kind: `GET ${path}`, steps: [{ pieces: [bytes], pause: 0, expected: [expected], after: 'kept' }] };
};

export const TOO_LARGE: Fault = {
  kind: 'above 25 MB',
  fate: 'refused',
  statuses: [413],
  mayClose: true,
  unframed: true,
  apply: () => undefined,
};

export const CHUNKED: Fault = {
  ...TOO_LARGE,
  kind: 'above 25 MB in chunks',
  apply: (draft, random) => {
    const [whole] = chunkings(random);
    draft.framing = { kind: 'chunked', encode: whole };
  },
};

export const large =
  (size: number, fault: Fault): Shape =>
  ({ making, random, guid }) => {
    const made = requestOf(making, random, guid(0), objectOf(size), [fault]);
    return { kind: made.kind, steps: [stepOf(made)] };
  };
