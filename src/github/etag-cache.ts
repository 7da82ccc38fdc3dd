/** An answer kept to be asked about again with `If-None-Match`. The body is JSON text, so that nobody can change it. */
export interface Kept {
  readonly etag: string | null;
  readonly json: string;
  readonly link: string | null;
}

/** Answers by identity and URL. One a process; least recently used answers go first. */
export interface EtagCache {
  get(key: string): Kept | undefined;
  set(key: string, kept: Kept): void;
  readonly entries: number;
  /** Upper estimate: two bytes a UTF-16 unit. */
  readonly bytes: number;
}

export interface EtagCacheLimits {
  readonly maxEntries: number;
  readonly maxBytes: number;
}

const sizeOf = (key: string, kept: Kept): number =>
  2 * (key.length + kept.json.length + (kept.etag?.length ?? 0) + (kept.link?.length ?? 0));

/**
 * The cache of one process. An answer that would take more than an eighth of `maxBytes` is not kept: one long list
 * must not drive out everything else.
 */
export const createEtagCache = (
  { maxEntries, maxBytes }: EtagCacheLimits = { maxEntries: 5000, maxBytes: 64 * 1024 * 1024 },
): EtagCache => {
  const kept = new Map<string, Kept>();
  let bytes = 0;
  const drop = (key: string): void => {
    const old = kept.get(key);
    if (old === undefined) return;
    bytes -= sizeOf(key, old);
    kept.delete(key);
  };
  return {
    get(key) {
      const found = kept.get(key);
      if (found !== undefined) {
        kept.delete(key);
        kept.set(key, found);
      }
      return found;
    },
    set(key, value) {
      drop(key);
      const size = sizeOf(key, value);
      if (size > maxBytes / 8) return;
      kept.set(key, value);
      bytes += size;
      for (const oldest of kept.keys()) {
        if (kept.size <= maxEntries && bytes <= maxBytes) break;
        drop(oldest);
      }
    },
    get entries() {
      return kept.size;
    },
    get bytes() {
      return bytes;
    },
  };
};
