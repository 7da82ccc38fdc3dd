import { SECRET_SHAPES } from './secret-shapes.js';

/**
 * Hides well-known secrets in somebody else's text: `token ghp_…` → `token (hidden: GitHub token)`.
 * What has no known prefix is not found.
 */
export function redact(text: string): string {
  return SECRET_SHAPES.reduce(
    (hidden, { name, pattern }) => hidden.replace(pattern, `(hidden: ${name})`),
    text,
  );
}
