import { z } from 'zod';
import type { Settings } from '../settings.js';
import { listed, utc } from '../words/names.js';
import { fail, ok, warn, type Finding } from './doctor-finding.js';

export const hookShape = z.object({
  url: z.string().nullish(),
  content_type: z.string().nullish(),
  secret: z.string().nullish(),
  insecure_ssl: z.union([z.string(), z.number()]).nullish(),
});
export type Hook = z.output<typeof hookShape>;

export const deliveryShape = z.object({
  guid: z.string(),
  delivered_at: z.string(),
  status: z.string(),
  status_code: z.number().nullish(),
});
export type HookDelivery = z.output<typeof deliveryShape>;

const PAGE = "on the App's settings page, under Webhook";

/** Where deliveries go, without what could be a secret in it: a channel of smee.io is known to whoever knows its path. */
const shown = (url: URL): string =>
  url.hostname === 'smee.io' ? `${url.origin}/…` : `${url.origin}${url.pathname}`;

const urlFindings = (
  text: string,
  settings: Pick<Settings, 'webhookPath' | 'webhookProxyUrl'>,
  exampleUrl: string,
): readonly Finding[] => {
  if (!URL.canParse(text)) return [fail('webhook', 'the webhook URL is no URL', `Set it ${PAGE}`)];
  const url = new URL(text);
  const { webhookPath, webhookProxyUrl: channel } = settings;
  if (url.hostname === new URL(exampleUrl).hostname)
    return [
      fail('webhook', 'the webhook URL is still the example of app.yml', `Set it to your host ${PAGE}`),
    ];
  if (channel !== null)
    return text.replace(/\/$/, '') === channel.replace(/\/$/, '')
      ? [ok('webhook', 'deliveries go to the channel of WEBHOOK_PROXY_URL')]
      : [
          fail(
            'webhook',
            `deliveries go to ${shown(url)}, and WEBHOOK_PROXY_URL listens to another channel`,
            `Set the webhook URL to that channel ${PAGE}, or leave WEBHOOK_PROXY_URL out`,
          ),
        ];
  if (url.pathname !== webhookPath)
    return [
      fail(
        'webhook',
        `deliveries go to ${shown(url)}, and this server takes them at ${webhookPath}`,
        `Make the webhook URL end in ${webhookPath} ${PAGE}, or set WEBHOOK_PATH`,
      ),
    ];
  if (url.protocol !== 'https:')
    return [warn('webhook', `deliveries go to ${shown(url)}, unencrypted`, `Use https:// ${PAGE}`)];
  return [ok('webhook', `deliveries go to ${shown(url)}`)];
};

/** How GitHub is told to deliver, held against how this server takes deliveries. */
export const hookFindings = (
  hook: Hook,
  settings: Pick<Settings, 'webhookPath' | 'webhookProxyUrl'>,
  exampleUrl: string,
): readonly Finding[] => [
  ...(hook.url === null || hook.url === undefined || hook.url === ''
    ? [fail('webhook', 'no webhook URL is set: GitHub delivers nothing', `Set it ${PAGE}`)]
    : urlFindings(hook.url, settings, exampleUrl)),
  ...(hook.secret === null || hook.secret === undefined || hook.secret === ''
    ? [
        fail(
          'webhook',
          'GitHub holds no webhook secret: no delivery is signed, and each is refused',
          `Set the value of WEBHOOK_SECRET ${PAGE}`,
        ),
      ]
    : []),
  ...(hook.content_type === 'json'
    ? []
    : [
        fail(
          'webhook',
          'deliveries do not come as application/json, and each is refused',
          'Set content_type to json: PATCH /app/hook/config, or register the App with app.yml',
        ),
      ]),
  ...(String(hook.insecure_ssl ?? '0') === '0'
    ? []
    : [
        warn(
          'webhook',
          'GitHub does not verify the certificate of this server',
          `Enable SSL verification ${PAGE}`,
        ),
      ]),
];

const statusOf = ({ status, status_code: code }: HookDelivery): string => {
  const words = status.slice(0, 60);
  return code === null || code === undefined || code === 0 || words.includes(String(code))
    ? words
    : `${String(code)} ${words}`;
};

/**
 * How GitHub's newest deliveries went. One that was taken at a later attempt counts as taken; only `status` tells, since
 * one that no server answered has no code (https://docs.github.com/webhooks/using-webhooks/handling-failed-webhook-deliveries).
 */
export const deliveriesFindings = (deliveries: readonly HookDelivery[]): readonly Finding[] => {
  const taken = new Set(deliveries.filter(({ status }) => status === 'OK').map(({ guid }) => guid));
  const failed = new Map<string, HookDelivery>();
  for (const delivery of deliveries)
    if (!taken.has(delivery.guid) && !failed.has(delivery.guid)) failed.set(delivery.guid, delivery);
  const oldest = deliveries.at(-1);
  if (oldest === undefined) return [ok('deliveries', "GitHub's log of deliveries is empty")];
  const all = taken.size + failed.size;
  const since = `since ${utc(oldest.delivered_at)}`;
  if (failed.size === 0)
    return [
      ok(
        'deliveries',
        all === 1
          ? `the one delivery ${since} was taken`
          : `the newest ${String(all)} deliveries ${since} were taken`,
      ),
    ];
  const counts = new Map<string, number>();
  for (const delivery of failed.values())
    counts.set(statusOf(delivery), (counts.get(statusOf(delivery)) ?? 0) + 1);
  const by = listed(
    [...counts].map(([status, count]) => `${String(count)} × ${status}`),
    'and',
    10,
  );
  const what =
    all === 1
      ? `the one delivery ${since} was not taken: ${by}`
      : `of the newest ${String(all)} deliveries ${since}, ${String(failed.size)} ${failed.size === 1 ? 'was' : 'were'} not taken: ${by}`;
  return taken.size === 0
    ? [
        fail(
          'deliveries',
          what,
          `See whether GitHub reaches this server, and whether WEBHOOK_SECRET is the one set ${PAGE}`,
        ),
      ]
    : [
        warn(
          'deliveries',
          what,
          'A running server asks for them again within minutes; look at the log of that time if they stay',
        ),
      ];
};
