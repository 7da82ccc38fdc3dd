import { triggeringEvents } from '../../decide/triggers.js';
import type { Random } from '../random.js';
import type { Body, Sample } from './body.js';
import { bytesOf, type Draft, type Expected, headerOf, signatureOf } from './draft.js';
import type { Fault, Secrets } from './fault.js';

/** What all requests of a run have in common. */
export interface Making {
  readonly seed: number;
  readonly secrets: Secrets;
  readonly path: string;
  readonly samples: readonly [Sample, ...Sample[]];
}

const HEARD = triggeringEvents();

/** The name of an event that some rule listens to. */
export const eventOf = (random: Random): string => HEARD[random.below(HEARD.length)] ?? 'push';

/** A request as it is sent, and what is asked of the server for it. */
export interface Made {
  readonly kind: string;
  readonly bytes: Buffer;
  readonly expected: Expected;
  readonly unframed: boolean;
  readonly ends: boolean;
}

const draftOf = (making: Making, guid: string, name: string, body: Buffer): Draft => ({
  method: 'POST',
  target: making.path,
  version: 'HTTP/1.1',
  headers: [
    ['host', 'localhost'],
    ['accept', '*/*'],
    ['content-type', 'application/json'],
    ['user-agent', 'GitHub-Hookshot/a1b2c3d'],
    ['x-github-delivery', guid],
    ['x-github-event', name],
    ['x-hub-signature-256', signatureOf(body, making.secrets.current)],
  ],
  body,
  framing: { kind: 'length' },
  lineEnd: '\r\n',
  prefix: '',
  ends: false,
});

/** Above this many bytes an answer may be lost: the connection is closed while the rest of the body is still on its way. */
const AT_ONCE = 16_384;

const expectedOf = (faults: readonly Fault[]): Pick<Expected, 'stored' | 'statuses'> => {
  const of = (fate: Fault['fate']): readonly number[] =>
    faults.filter((fault) => fault.fate === fate).flatMap(({ statuses }) => statuses);
  const [refused, ignored, either] = [of('refused'), of('ignored'), of('either')];
  // Which of two faults is seen first is nobody's business.
  if (refused.length > 0)
    return { stored: 'no', statuses: new Set([...refused, ...either].filter((status) => status !== 202)) };
  const statuses = new Set([202, ...either]);
  if (ignored.length > 0) return { stored: 'no', statuses };
  return { stored: either.length > 0 ? 'if acknowledged' : 'yes', statuses };
};

/** One request with at most one fault of each kind: several of one kind could undo each other. */
export const requestOf = (
  making: Making,
  random: Random,
  guid: string,
  body: Body,
  faults: readonly Fault[],
  name = eventOf(random),
): Made => {
  const draft = draftOf(making, guid, name, body.bytes);
  for (const fault of faults) fault.apply(draft, random, making.secrets);
  const bytes = bytesOf(draft);
  const expected = expectedOf(faults);
  return {
    kind: [...faults.map(({ kind }) => kind), body.kind].join(' · '),
    bytes,
    unframed: faults.some((fault) => fault.unframed === true),
    ends: draft.ends,
    expected: {
      ...expected,
      mayClose:
        faults.some((fault) => fault.mayClose === true) ||
        (expected.stored === 'no' && bytes.length > AT_ONCE),
      guid: headerOf(draft, 'x-github-delivery').trim(),
      name: headerOf(draft, 'x-github-event').trim(),
      body: body.bytes,
      outcome: body.outcome,
      bodiless: draft.method === 'HEAD',
    },
  };
};
