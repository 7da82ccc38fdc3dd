/**
 * npm runs this after `npm ci`, before `npm pack` and when the package comes from git: dist/ is built where
 * TypeScript is there to build it, so that `npx agent-policy` works at once. `npm ci --omit=dev` brings no
 * TypeScript: then the dist/ that is there stays as it is, and the install does not fail.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

const compiler = () => {
  try {
    return createRequire(import.meta.url).resolve('typescript/bin/tsc');
  } catch {
    return null;
  }
};

const tsc = compiler();
if (tsc !== null) {
  const { status } = spawnSync(process.execPath, [tsc, '-p', 'tsconfig.build.json'], {
    cwd: root,
    stdio: 'inherit',
  });
  process.exitCode = status ?? 1;
} else if (!existsSync(new URL('../dist/server.js', import.meta.url))) {
  console.error(
    'agent-policy: dist/ is not built, and TypeScript is not installed (--omit=dev). ' +
      'Build first with `npm ci`, then drop what only development needs with `npm prune --omit=dev`.',
  );
}
