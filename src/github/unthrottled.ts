import { ProbotOctokit } from 'probot';

/**
 * Probot's Octokit without its throttling and retrying, to be given to `new Probot`: the gate does the one, knowing
 * lanes and every process before, and the client the other. Probot keeps `enabled` only from the function form.
 */
export const UnthrottledOctokit: typeof ProbotOctokit = ProbotOctokit.defaults((options: object) => ({
  ...options,
  throttle: { enabled: false },
  retry: { enabled: false },
}));
