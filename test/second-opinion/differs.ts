const JWT =
  'https://docs.github.com/apps/creating-github-apps/authenticating-with-a-github-app/generating-a-json-web-token-jwt-for-a-github-app';
const DELIVERY_HEADERS = 'https://docs.github.com/webhooks/webhook-events-and-payloads#delivery-headers';
const REVIEWS = 'https://docs.github.com/rest/pulls/reviews#create-a-review-for-a-pull-request';

/** A rule that emulate does not keep, and where GitHub documents it. */
export interface Difference {
  readonly rule: string;
  readonly emulate: string;
  readonly documented: string;
}

/** Where emulate 0.12.2 does otherwise than GitHub documents. The sandbox keeps to the documentation. */
export const DIFFERS: readonly Difference[] = [
  {
    rule: 'good for more than ten minutes -> 401',
    emulate: 'takes a JWT however long it is good for',
    documented: JWT,
  },
  {
    rule: 'issued in the future -> 401',
    emulate: 'does not look at the time of issue',
    documented: JWT,
  },
  {
    rule: 'a private repository out of its reach is not there: 404',
    emulate: 'answers 403, which says that there is one',
    documented:
      'https://docs.github.com/rest/using-the-rest-api/troubleshooting-the-rest-api#404-not-found-for-an-existing-resource',
  },
  {
    rule: 'that nobody minted -> 401',
    emulate: 'takes an unknown token for a user of its own, and lets it write',
    documented:
      'https://docs.github.com/rest/authentication/authenticating-to-the-rest-api#failed-login-limit',
  },
  {
    rule: 'lists the repositories it reaches',
    emulate: 'has no such endpoint',
    documented:
      'https://docs.github.com/rest/apps/installations#list-repositories-accessible-to-the-app-installation',
  },
  {
    rule: 'removing one there is not -> 422',
    emulate: 'answers 404, which the endpoint does not know',
    documented: 'https://docs.github.com/rest/git/refs#delete-a-reference',
  },
  {
    rule: 'the App that made it is named',
    emulate: 'says null, though only an App can make one',
    documented: 'https://docs.github.com/rest/checks/runs#get-a-check-run',
  },
  {
    rule: 'PRs are in the list too',
    emulate: 'lists issues alone',
    documented: 'https://docs.github.com/rest/issues/issues#list-repository-issues',
  },
  {
    rule: 'the App that spoke is named',
    emulate: 'says null in performed_via_github_app',
    documented: 'https://docs.github.com/rest/issues/comments#create-an-issue-comment',
  },
  {
    rule: 'the answer to one that is made is 200',
    emulate: 'answers 201',
    documented: REVIEWS,
  },
  {
    rule: 'a comment or a request for changes without words -> 422',
    emulate: 'takes it',
    documented: REVIEWS,
  },
  {
    rule: 'its name is a GUID',
    emulate: 'sends a number',
    documented: DELIVERY_HEADERS,
  },
  {
    rule: 'says by whose hook it comes, and that it is GitHub',
    emulate: "sends none of X-GitHub-Hook-*, and the user agent of Node's fetch",
    documented: DELIVERY_HEADERS,
  },
  {
    rule: "names the owner's organization",
    emulate: 'leaves it out',
    documented: 'https://docs.github.com/webhooks/webhook-events-and-payloads#issues',
  },
];

/** The rules that emulate does not keep. */
export const differs: ReadonlySet<string> = new Set(DIFFERS.map(({ rule }) => rule));
