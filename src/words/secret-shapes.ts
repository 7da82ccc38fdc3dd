/** A token's shape and what it is called in the place where it was. */
export interface SecretShape {
  readonly name: string;
  readonly pattern: RegExp;
}

/**
 * Shapes of well-known secrets, each anchored by its issuer's prefix, so that ordinary text is left alone. The lengths
 * are lower bounds below the issuers' own: a token cut off at the end is hidden too.
 * Why a table and not a scanner: docs/decisions/031-redaction.md.
 */
export const SECRET_SHAPES: readonly SecretShape[] = [
  // A block without its end is hidden to the end of the text.
  {
    name: 'private key',
    pattern: /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----.*?(?:-----END [A-Z0-9 ]{0,40}-----|$)/gs,
  },
  // https://github.blog/engineering/behind-githubs-new-authentication-token-formats/ (installation tokens may hold dots)
  { name: 'GitHub token', pattern: /\bgh[opusr]_[A-Za-z0-9_.-]{16,}/g },
  { name: 'GitHub token', pattern: /\bgithub_pat_[A-Za-z0-9_]{16,}/g },
  // https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html#identifiers-unique-ids
  { name: 'AWS key id', pattern: /\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{12,}/g },
  // OpenAI, Anthropic and those who copied the form; Stripe's secret and restricted keys.
  { name: 'API key', pattern: /\bsk-[A-Za-z0-9_-]{16,}/g },
  { name: 'API key', pattern: /\b[rs]k_(?:live|test)_[A-Za-z0-9]{10,}/g },
  // https://api.slack.com/concepts/token-types
  { name: 'Slack token', pattern: /\b(?:xox[a-z]|xapp)-[A-Za-z0-9-]{10,}/g },
  // https://docs.gitlab.com/security/tokens/#token-prefixes
  { name: 'GitLab token', pattern: /\bgl(?:pat|ptt|dt|rt|cbt|soat)-[A-Za-z0-9_.-]{16,}/g },
  { name: 'npm token', pattern: /\bnpm_[A-Za-z0-9]{30,}/g },
  { name: 'PyPI token', pattern: /\bpypi-[A-Za-z0-9_-]{50,}/g },
  { name: 'Hugging Face token', pattern: /\bhf_[A-Za-z0-9]{30,}/g },
  { name: 'Google API key', pattern: /\bAIza[A-Za-z0-9_-]{30,}/g },
  // A header and a payload are JSON objects, and `{"` in base64url begins with `eyJ`.
  { name: 'JSON web token', pattern: /\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?/g },
  // user:password@ in a URL, where no quote stands raw: a line of JSON must not be read as one address.
  { name: 'password in a URL', pattern: /(?<=:\/\/)[^\s/@:"]{1,200}:[^\s/@"]{1,200}(?=@)/g },
];
