import { createHash } from 'node:crypto';

const FULL = /^[0-9a-f]{40}$/;

export const NO_SHA = '0'.repeat(40);

const digest = (text: string): string => createHash('sha1').update(text).digest('hex');

/** Git's own name of a blob with this text. */
export const blobSha = (text: string): string => digest(`blob ${Buffer.byteLength(text)}\0${text}`);

/** The tree of a commit, and of a folder in it: each commit has its own, until an event lays another over. */
export const treeSha = (commit: string, folder = ''): string => digest(`tree ${commit} ${folder}`);

/** Short shas of a case (`h1`) and the 40 digits each stands for. */
export interface Shas {
  /** 40 digits stay what they are. */
  full(short: string): string;
  /** The short name a sha was made from; the sha itself when there is none. */
  short(sha: string): string;
}

export const createShas = (): Shas => {
  const shorts = new Map<string, string>();
  return {
    full: (short) => {
      if (FULL.test(short)) return short;
      const sha = digest(`commit ${short}`);
      shorts.set(sha, short);
      return sha;
    },
    short: (sha) => shorts.get(sha) ?? sha,
  };
};
