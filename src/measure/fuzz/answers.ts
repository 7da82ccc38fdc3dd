/** One answer as it came: its status, and whether the server said that it ends the connection. */
export interface Answer {
  readonly status: number;
  readonly closes: boolean;
}

export interface AnswerReader {
  /** Answers that are whole now. Throws where what came is no HTTP. */
  read(chunk: Buffer): readonly Answer[];
  /** Nothing more comes: an answer whose length nobody told is whole. */
  end(): readonly Answer[];
}

const HEAD_END = '\r\n\r\n';

interface Head extends Answer {
  /** Bytes of the body; `chunked`; `until-close`: as long as the connection stands. */
  readonly body: number | 'chunked' | 'until-close';
}

const headOf = (text: string, bodiless: boolean): Head => {
  const [first = '', ...lines] = text.split('\r\n');
  const status = Number(/^HTTP\/1\.[01] (\d{3})(?: |$)/.exec(first)?.[1]);
  if (Number.isNaN(status)) throw new Error(`no status line: ${JSON.stringify(first.slice(0, 80))}`);
  const valueOf = (name: string): string | undefined =>
    lines
      .find((line) => line.toLowerCase().startsWith(`${name}:`))
      ?.slice(name.length + 1)
      .trim()
      .toLowerCase();
  const closes = valueOf('connection') === 'close';
  const length = valueOf('content-length');
  if (bodiless || status < 200 || status === 204 || status === 304) return { status, closes, body: 0 };
  if (valueOf('transfer-encoding') === 'chunked') return { status, closes, body: 'chunked' };
  return { status, closes, body: length === undefined ? 'until-close' : Number(length) };
};

/** Where a chunked body ends; null: not yet. Our server sends neither extensions nor trailers. */
const endOfChunks = (bytes: Buffer, from: number): number | null => {
  let at = from;
  for (;;) {
    const line = bytes.indexOf('\r\n', at, 'latin1');
    if (line === -1) return null;
    const size = Number.parseInt(bytes.toString('latin1', at, line), 16);
    if (Number.isNaN(size)) throw new Error('a chunk without a size');
    at = line + 2 + size + 2;
    if (at > bytes.length) return null;
    if (size === 0) return at;
  }
};

/** Takes HTTP/1.1 answers apart. `bodiless`: whether the request that the next answer is for was a HEAD. */
export const createAnswerReader = (bodiless: () => boolean): AnswerReader => {
  let pending: Buffer = Buffer.alloc(0);
  let open: Head | null = null;

  const next = (): Answer | null => {
    const headEnd = pending.indexOf(HEAD_END, 0, 'latin1');
    if (headEnd === -1) return null;
    const head = headOf(pending.toString('latin1', 0, headEnd), bodiless());
    const from = headEnd + HEAD_END.length;
    if (head.body === 'until-close') {
      open = head;
      pending = Buffer.alloc(0);
      return null;
    }
    const end = head.body === 'chunked' ? endOfChunks(pending, from) : from + head.body;
    if (end === null || end > pending.length) return null;
    pending = pending.subarray(end);
    return head;
  };

  return {
    read(chunk) {
      if (open !== null) return [];
      pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
      const answers: Answer[] = [];
      for (let answer = next(); answer !== null; answer = next())
        // "100 Continue" is not the answer yet.
        if (answer.status >= 200) answers.push(answer);
      return answers;
    },
    end() {
      const last = open;
      open = null;
      return last === null ? [] : [{ status: last.status, closes: true }];
    },
  };
};
