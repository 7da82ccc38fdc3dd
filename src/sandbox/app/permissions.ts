/**
 * Who may ask for an endpoint. `app`: the App itself, by its JWT. `anyone`: needs nothing. `installation`: any
 * installation token. Else the permission a token needs; `public` where a public repository is read without it.
 */
export type Access =
  | { readonly kind: 'app' }
  | { readonly kind: 'anyone' }
  | { readonly kind: 'installation' }
  | {
      readonly kind: 'permission';
      readonly name: string;
      readonly level: 'read' | 'write';
      readonly public: boolean;
    };

const WORDS: Readonly<Record<string, Access>> = {
  app: { kind: 'app' },
  anyone: { kind: 'anyone' },
  installation: { kind: 'installation' },
};

/** `contents:read`, with `+` where a public repository is read without it. */
const accessOf = (text: string): Access => {
  const word = WORDS[text];
  if (word !== undefined) return word;
  const [name = '', level = ''] = text.replace(/\+$/, '').split(':');
  return {
    kind: 'permission',
    name,
    level: level === 'write' ? 'write' : 'read',
    public: text.endsWith('+'),
  };
};

/**
 * By the beginning of an endpoint, `$` where it is the whole; the longest that fits counts.
 * https://docs.github.com/rest/authentication/permissions-required-for-github-apps
 */
const TABLE: Readonly<Record<string, string>> = {
  'GET /app$': 'app',
  'GET /app/': 'app',
  'POST /app/': 'app',
  'GET /apps/': 'anyone',
  'GET /users/': 'anyone',
  'GET /rate_limit': 'anyone',
  'GET /orgs/': 'members:read',
  'GET /orgs/{org}/installation': 'app',
  'GET /installation/': 'installation',
  'DELETE /installation/': 'installation',
  'POST /graphql': 'installation',
  'GET /repos/{owner}/{repo}$': 'metadata:read+',
  'GET /repos/{owner}/{repo}/installation': 'app',
  'GET /repos/{owner}/{repo}/activity': 'contents:read+',
  'GET /repos/{owner}/{repo}/branches': 'contents:read+',
  'GET /repos/{owner}/{repo}/branches/{branch}/protection': 'administration:read',
  'GET /repos/{owner}/{repo}/collaborators': 'metadata:read',
  'GET /repos/{owner}/{repo}/keys': 'administration:read',
  'GET /repos/{owner}/{repo}/tags': 'contents:read+',
  'GET /repos/{owner}/{repo}/compare/': 'contents:read+',
  'GET /repos/{owner}/{repo}/contents/': 'contents:read+',
  'GET /repos/{owner}/{repo}/git/': 'contents:read+',
  'POST /repos/{owner}/{repo}/git/': 'contents:write',
  'DELETE /repos/{owner}/{repo}/git/': 'contents:write',
  'GET /repos/{owner}/{repo}/releases': 'contents:read+',
  'GET /repos/{owner}/{repo}/commits': 'contents:read+',
  'GET /repos/{owner}/{repo}/commits/{commit_sha}/pulls': 'pull_requests:read+',
  'GET /repos/{owner}/{repo}/commits/{ref}/check-runs': 'checks:read+',
  'GET /repos/{owner}/{repo}/commits/{ref}/status': 'statuses:read+',
  'GET /repos/{owner}/{repo}/check-runs/': 'checks:read+',
  'POST /repos/{owner}/{repo}/check-runs': 'checks:write',
  'PATCH /repos/{owner}/{repo}/check-runs/': 'checks:write',
  'GET /repos/{owner}/{repo}/issues': 'issues:read+',
  'POST /repos/{owner}/{repo}/issues': 'issues:write',
  'PATCH /repos/{owner}/{repo}/issues': 'issues:write',
  'DELETE /repos/{owner}/{repo}/issues': 'issues:write',
  'GET /repos/{owner}/{repo}/labels': 'issues:read+',
  'POST /repos/{owner}/{repo}/labels': 'issues:write',
  'GET /repos/{owner}/{repo}/pulls': 'pull_requests:read+',
  'POST /repos/{owner}/{repo}/pulls': 'pull_requests:write',
  'PUT /repos/{owner}/{repo}/pulls/{pull_number}/merge': 'contents:write',
  'GET /repos/{owner}/{repo}/rules': 'metadata:read+',
  'GET /repos/{owner}/{repo}/rulesets/rule-suites': 'administration:read',
  'POST /repos/{owner}/{repo}/rulesets': 'administration:write',
  'PUT /repos/{owner}/{repo}/rulesets': 'administration:write',
  'DELETE /repos/{owner}/{repo}/rulesets': 'administration:write',
  'GET /repos/{owner}/{repo}/actions/': 'actions:read+',
  'POST /repos/{owner}/{repo}/actions/': 'actions:write',
};

const rows = Object.entries(TABLE)
  .sort(([a], [b]) => b.length - a.length)
  .map(([key, text]) => ({
    begins: key.replace(/\$$/, ''),
    whole: key.endsWith('$'),
    access: accessOf(text),
  }));

/**
 * Who may ask for an endpoint, spelled as GitHub's description spells it.
 * @throws {Error} for one the table says nothing of: it has to be added there
 */
export const accessTo = (endpoint: string): Access => {
  const found = rows.find(({ begins, whole }) => (whole ? endpoint === begins : endpoint.startsWith(begins)));
  if (found === undefined) throw new Error(`Who may ask for ${endpoint} is not written down.`);
  return found.access;
};
