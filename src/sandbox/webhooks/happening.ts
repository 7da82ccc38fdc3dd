import type { SandboxAccount } from '../accounts.js';
import { Unplayable } from '../case-error.js';
import { putCommit } from '../history.js';
import { asRecord, isRecord, type Json, layOverRecord, numberOf, textOf } from '../records.js';
import { NO_SHA } from '../shas.js';
import type { State } from '../state.js';

/** One delivery about to be made: what the case says of it, and who did it. */
export interface Happening {
  readonly state: State;
  readonly action: string;
  readonly keys: Json;
  readonly by: SandboxAccount;
  /** What the case lays over the payload, short shas written out. */
  readonly overlay: Json;
}

/** Changes the world and gives the payload's own keys; several refs of one push give several payloads. */
export type Handler = (happening: Happening) => Json | readonly Json[];

export const keyText = (happening: Happening, key: string): string | undefined => textOf(happening.keys[key]);

export const keyNumber = (happening: Happening, key: string): number => {
  const value = numberOf(happening.keys[key]);
  if (value === undefined) throw new Unplayable(`this event needs ${key}`, `add "${key}: 1"`);
  return value;
};

export const keySha = (happening: Happening, key: string): string | undefined => {
  const short = keyText(happening, key);
  return short === undefined ? undefined : happening.state.shas.full(short);
};

/** The instant of the event, in milliseconds. */
export const nowOf = (happening: Happening): number => happening.state.clock.now();

/** A commit that has to be there: known, or implied on top of the default branch. */
export const ensureCommit = (state: State, sha: string, by: SandboxAccount): void => {
  if (sha === NO_SHA || state.graph.commits.has(sha)) return;
  const tip = state.branches.get(state.defaultBranch);
  putCommit(state, sha, tip === undefined ? [] : [tip], by, { implied: true });
};

const SHA_KEYS = new Set([
  'sha',
  'tree_id',
  'head_sha',
  'base_sha',
  'commit_id',
  'merge_commit_sha',
  'before',
  'after',
]);
const SHORT = /^[a-z]\w{0,15}$/i;

/** `payload` of a case with its short shas written out. */
export const writtenOut = (state: State, value: unknown, key = ''): unknown => {
  if (Array.isArray(value)) return value.map((entry) => writtenOut(state, entry, key));
  if (isRecord(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [
        name,
        writtenOut(
          state,
          inner,
          name === 'id' && (key === 'commits' || key === 'head_commit') ? 'sha' : name,
        ),
      ]),
    );
  }
  return typeof value === 'string' && SHA_KEYS.has(key) && SHORT.test(value) ? state.shas.full(value) : value;
};

/** What is laid over one object of the payload, without the keys that only the moment decides. */
export const lastingOverlay = (happening: Happening, key: string, passing: readonly string[] = []): Json =>
  Object.fromEntries(
    Object.entries(asRecord(happening.overlay[key])).filter(([name]) => !passing.includes(name)),
  );

/** Keeps what an event lays over an object, so that REST answers it too. */
export const keepOverlay = (target: { overlay: Json }, laid: Json): void => {
  target.overlay = layOverRecord(target.overlay, laid);
};
