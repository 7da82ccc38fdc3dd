import { Probot, Server } from 'probot';

/*
 * The measure of the front door: Probot's own server with one handler that does nothing. Its environment names the App
 * as ours does.
 */

const env = (name: string): string => process.env[name] ?? '';

const server = new Server({
  Probot: Probot.defaults({
    appId: env('APP_ID'),
    privateKey: env('PRIVATE_KEY'),
    secret: env('WEBHOOK_SECRET'),
    logLevel: 'warn',
  }),
  host: env('HOST'),
  port: Number(env('PORT')),
  webhookPath: env('WEBHOOK_PATH'),
});
await server.load((app) => {
  app.onAny(() => undefined);
});
await server.start();
process.once('SIGTERM', () => {
  void server.stop().then(() => process.exit(0));
});
