import { type Context, Probot, ProbotOctokit, Server } from 'probot';

/*
 * What stands beside ours where the wait for a check is measured: an app of Probot that answers each PR with one check
 * run, after the reads that ours makes for a person's PR. Pushes cost it nothing. PEER_THROTTLE=off takes away what
 * Probot does by default to stay below GitHub's limits: a second between two writes, and retries.
 */

const env = (name: string): string => process.env[name] ?? '';

const Unthrottled = ProbotOctokit.defaults((options: object) => ({
  ...options,
  throttle: { enabled: false },
  retry: { enabled: false },
}));

const NAME = 'measure';

const answer = async (context: Context<'pull_request'>): Promise<void> => {
  const { rest } = context.octokit;
  const repo = context.repo();
  const { number, head } = context.payload.pull_request;
  const of = { ...repo, pull_number: number, per_page: 100 };
  await rest.repos.getContent({ ...repo, path: '.github' });
  await rest.repos.getContent({ ...repo, path: '.github/agent-policy.yml' });
  await Promise.all([
    rest.pulls.get({ ...repo, pull_number: number }),
    rest.pulls.listFiles(of),
    rest.pulls.listCommits(of),
    rest.pulls.listReviews(of),
    rest.checks.listForRef({ ...repo, ref: head.sha }),
  ]);
  await rest.checks.create({
    ...repo,
    name: NAME,
    head_sha: head.sha,
    status: 'completed',
    conclusion: 'success',
    output: { title: 'Within policy', summary: 'Nothing to do.' },
  });
};

const server = new Server({
  Probot: Probot.defaults({
    appId: env('APP_ID'),
    privateKey: env('PRIVATE_KEY'),
    secret: env('WEBHOOK_SECRET'),
    baseUrl: env('GITHUB_API_URL'),
    logLevel: 'warn',
    ...(env('PEER_THROTTLE') === 'off' ? { Octokit: Unthrottled } : {}),
  }),
  host: env('HOST'),
  port: Number(env('PORT')),
  webhookPath: env('WEBHOOK_PATH'),
});
await server.load((app) => {
  app.on(['pull_request.opened', 'pull_request.synchronize'], answer);
});
await server.start();
process.once('SIGTERM', () => process.exit(0));
