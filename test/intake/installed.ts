import type { IntakeDeps } from '../../src/intake/receive.js';

/** The App as these tests have it installed: it enforces, and no switch holds it back. */
export const INSTALLED = {
  appId: 777,
  htmlUrl: 'https://github.com',
  operator: null,
  dryRun: false,
  killSwitch: () => false,
  markerSecrets: ['secret'],
  audit: () => undefined,
} as const satisfies Partial<IntakeDeps>;
