import { graphqlWait, RequestFailure } from './failure.js';
import { isLimit, messageIn } from './rate-limit.js';

/** What GraphQL answers with 200: a list of errors with a type. The messages may hold anybody's text and are dropped. */
interface GraphqlError extends Error {
  readonly errors: readonly { readonly type?: unknown }[];
  readonly headers: unknown;
}

const isGraphqlError = (error: unknown): error is GraphqlError =>
  error instanceof Error && 'errors' in error && Array.isArray(error.errors) && 'headers' in error;

/** The failure of a mutation that GraphQL itself told; undefined when the request failed in another way. */
export const mutationFailureOf = (
  error: unknown,
  request: string,
  now: number,
): RequestFailure | undefined => {
  if (!isGraphqlError(error)) return undefined;
  const type = isLimit(messageIn({ errors: error.errors }))
    ? 'RATE_LIMITED'
    : String(error.errors[0]?.type ?? '');
  switch (type) {
    case 'RATE_LIMITED':
      return new RequestFailure(
        request,
        200,
        'over a rate limit for now',
        'rate-limit',
        null,
        graphqlWait(error.headers, now),
      );
    case 'FORBIDDEN':
      return new RequestFailure(
        request,
        403,
        'refused: check the permissions the installation has accepted',
        'refused',
      );
    case 'NOT_FOUND':
      return new RequestFailure(request, 404, 'not there, or not visible to this App', 'refused');
    case 'UNPROCESSABLE':
      return new RequestFailure(
        request,
        422,
        'GitHub cannot do it in the state the pull request is in',
        'refused',
      );
    default:
      return new RequestFailure(
        request,
        200,
        'GraphQL answered with an error',
        type === '' ? 'server' : 'refused',
      );
  }
};
