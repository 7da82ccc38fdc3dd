import type { Probot } from 'probot';
import { createIntake, type Intake, type IntakeDeps } from './receive.js';

/** What `npm start` and a simulation give each in their own way: clock, memory, randomness, settings. */
export type ListenDeps = Omit<IntakeDeps, 'octokit'>;

/** Hands every delivery to the intake; no handler does anything else. Answers the intake, whose `tick` is the caller's. */
export function listen(app: Probot, deps: ListenDeps): Intake {
  const intake = createIntake({
    ...deps,
    octokit: (installation) => (installation === null ? app.auth() : app.auth(installation)),
  });
  app.onAny(({ id, name, payload }) => intake.receive({ id, name, payload }));
  return intake;
}
