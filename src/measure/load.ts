import { createHmac } from 'node:crypto';
import autocannon from 'autocannon';
import { createGuids } from './guids.js';
import type { Sample } from './messages.js';
import { SECRET } from './stand-in.js';

/** A payload with its signature, ready to be sent under any GUID: the signature is over the body alone. */
export interface SignedSample {
  readonly name: string;
  readonly body: Buffer;
  readonly signature: string;
}

export interface LoadOptions {
  /** The webhook address. */
  readonly url: string;
  readonly seconds: number;
  readonly connections: number;
  readonly samples: readonly SignedSample[];
}

/** What came of a load. */
export interface Load {
  /** GUIDs that were answered 2xx. */
  readonly acknowledged: readonly string[];
  readonly perSecond: number;
  /** Milliseconds to each answer that came while it lasted. */
  readonly latencies: readonly number[];
  /** Answers other than 2xx, and requests without an answer. */
  readonly failed: number;
}

/** As often as autocannon looks whether it is over, in milliseconds. */
const LOOK_MS = 100;

export const signedSample = ({ name, body }: Sample): SignedSample => {
  const bytes = Buffer.from(body);
  return {
    name,
    body: bytes,
    signature: `sha256=${createHmac('sha256', SECRET).update(bytes).digest('hex')}`,
  };
};

/** Sends deliveries as fast as they are answered, each under a GUID of its own, on so many connections at once. */
export const load = async ({ url, seconds, connections, samples }: LoadOptions): Promise<Load> => {
  const nextGuid = createGuids();
  const acknowledged: string[] = [];
  const latencies: number[] = [];
  const start = performance.now();
  let [turn, inTime, refused] = [0, 0, 0];
  const result = await autocannon({
    url,
    method: 'POST',
    connections,
    duration: seconds,
    sampleInt: LOOK_MS,
    timeout: 30,
    setupClient(client) {
      let guid = '';
      const next = (): void => {
        const sample = samples[turn % samples.length];
        turn += 1;
        if (sample === undefined) return;
        guid = nextGuid();
        client.setHeadersAndBody(
          {
            accept: '*/*',
            'content-type': 'application/json',
            'user-agent': 'GitHub-Hookshot/a1b2c3d',
            'x-github-delivery': guid,
            'x-github-event': sample.name,
            'x-github-hook-id': '4321',
            'x-hub-signature-256': sample.signature,
          },
          sample.body,
        );
      };
      client.on('response', (status: number, _bytes: number, ms: number) => {
        if (status < 200 || status > 299) refused += 1;
        else {
          acknowledged.push(guid);
          if (performance.now() - start <= seconds * 1_000) {
            inTime += 1;
            latencies.push(ms);
          }
        }
        next();
      });
      next();
    },
  });
  return { acknowledged, perSecond: inTime / seconds, latencies, failed: refused + result.errors };
};
