/** What is used here of autocannon 8, which brings no types of its own. */
declare module 'autocannon' {
  import type { EventEmitter } from 'node:events';

  export interface Client extends EventEmitter {
    setHeadersAndBody(headers: Record<string, string>, body: Buffer): void;
  }

  export interface Options {
    readonly url: string;
    readonly method: 'POST';
    readonly connections: number;
    /** Seconds. */
    readonly duration: number;
    /** Milliseconds between two looks at whether it is over. */
    readonly sampleInt: number;
    /** Seconds. */
    readonly timeout: number;
    readonly setupClient: (client: Client) => void;
  }

  export interface Result {
    readonly errors: number;
    readonly timeouts: number;
  }

  export default function autocannon(options: Options): Promise<Result>;
}
