/** `coding` writes changes, `review` judges them, `assist` completes what a person types. */
export type CatalogueKind = 'coding' | 'review' | 'assist' | 'automation' | 'platform';

export interface CatalogueAccount {
  /** null: not found in a source that can be trusted. Such an account counts only where a policy names the agent. */
  readonly id: number | null;
  readonly type: 'Bot' | 'User';
  /** As REST and webhooks spell them. GraphQL drops `[bot]`, which makes `claude` there a bot and here a person. */
  readonly logins: readonly string[];
  readonly appSlug?: string;
  readonly appId?: number;
  readonly sources: readonly string[];
}

/** What is known of one product. Facts only: what a hit is worth follows from where it was seen. */
export interface CatalogueEntry {
  readonly id: string;
  readonly name: string;
  readonly vendor: string;
  /** The name that a policy usually lists; several products of one vendor may share it. */
  readonly family: string;
  readonly kind: CatalogueKind;
  /** Empty: it never acts under an account of its own. */
  readonly accounts: readonly CatalogueAccount[];
  /** Lower case, compared as a whole. */
  readonly commitEmails: readonly string[];
  /** Author or committer names of commits. */
  readonly commitNames: readonly RegExp[];
  /** Trailer lines that only this product writes. */
  readonly trailers: readonly RegExp[];
  /** Trailer lines that several products write: they count for those that something else points at too. */
  readonly sharedTrailers: readonly RegExp[];
  /** `weak`: the trailer says that a person took a suggestion, or is written without any use of the product. */
  readonly trailerTier: 'indicative' | 'weak';
  /** Days (UTC, both included) on which the trailers are known to mean nothing. */
  readonly falseWindow: { readonly from: string; readonly to: string } | null;
  /** Lines of a PR body, from their start. */
  readonly prBody: readonly RegExp[];
  /** Whole session or task addresses with their id: a marker wherever they stand in a line of a PR body. */
  readonly prLinks: readonly RegExp[];
  readonly branches: readonly RegExp[];
  /** Lower case, compared as a whole. */
  readonly labels: readonly string[];
  readonly titles: readonly RegExp[];
  /** First lines of commit messages. */
  readonly messages: readonly RegExp[];
  readonly sources: readonly string[];
  readonly notes: readonly string[];
}

type Given = Pick<CatalogueEntry, 'id' | 'name' | 'vendor' | 'kind'> & Partial<CatalogueEntry>;

/** An entry from what is known; all else is empty, and the family is the entry's own id. */
export function entry(given: Given): CatalogueEntry {
  return {
    family: given.id,
    accounts: [],
    commitEmails: [],
    commitNames: [],
    trailers: [],
    sharedTrailers: [],
    trailerTier: 'indicative',
    falseWindow: null,
    prBody: [],
    prLinks: [],
    branches: [],
    labels: [],
    titles: [],
    messages: [],
    sources: [],
    notes: [],
    ...given,
  };
}

/**
 * A `Co-authored-by` line whose address is exactly this one.
 * @param address source of a regular expression for the whole address, without quantifiers that could overlap
 */
export function coAuthor(address: string): RegExp {
  return new RegExp(`^co-authored-by:[^<>\\n]*<${address}>\\s*$`, 'i');
}

/** The address GitHub gives a bot account, with its id in front or without. */
export function noreply(id: number, login: string): string {
  return `(?:${id}\\+)?${login.replace(/[[\].]/g, '\\$&')}@users\\.noreply\\.github\\.com`;
}
