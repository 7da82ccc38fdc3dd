import { createRandom, type Random } from '../random.js';
import { LARGEST } from './body.js';
import type { FuzzCase } from './case.js';
import type { Making } from './request.js';
import {
  CHUNKED,
  goneBeforeTheAnswer,
  halfSent,
  health,
  inPieces,
  large,
  one,
  pipelined,
  PLAIN,
  redelivered,
  type Shape,
  stalled,
  TOO_LARGE,
} from './shapes.js';

const guidOf = (seed: number, number: number, part: number): string => {
  const hex = (value: number, digits: number): string =>
    value.toString(16).padStart(digits, '0').slice(-digits);
  return `${hex(seed, 8)}-0000-4000-8${hex(part, 3)}-${hex(number, 12)}`;
};

/** Seldom, since each weighs as much as ten thousand others: one of each in so many cases. */
const LARGE_EVERY = 8_000;
const LARGE: readonly Shape[] = [
  large(LARGEST - 1, PLAIN),
  large(LARGEST, PLAIN),
  large(LARGEST + 1, TOO_LARGE),
  large(LARGEST + 1, CHUNKED),
];

const SHAPES: readonly (readonly [share: number, shape: Shape])[] = [
  [0.72, one],
  [0.08, inPieces(5, 0)],
  [0.002, inPieces(4, 30)],
  [0.06, halfSent],
  [0.01, goneBeforeTheAnswer],
  [0.06, pipelined],
  [0.04, redelivered],
  [0.028, health],
];

/** Seldomer still: it holds a connection for most of a minute. */
const STALLED_EVERY = 20_000;

const shapeFor = (number: number, random: Random): Shape => {
  const rare = LARGE[(number % LARGE_EVERY) - 500];
  if (rare !== undefined) return rare;
  if (number % STALLED_EVERY === STALLED_EVERY / 4) return stalled;
  let left = random.unit();
  for (const [share, shape] of SHAPES) {
    left -= share;
    if (left < 0) return shape;
  }
  return one;
};

/** The case of that number, from 0. */
export const caseOf = (making: Making, number: number): FuzzCase => {
  const random = createRandom(making.seed, number);
  const shape = shapeFor(number, random);
  return { number, ...shape({ making, random, guid: (part) => guidOf(making.seed, number, part) }) };
};
