import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { parseWebhookSecret } from '@payassent/protocol';
import type { MerchantClient, WebhookSubscription } from '@payassent/sdk';
import { type Args, defineCommand, EXIT, type Io, LocalError, UsageError } from '../command.ts';
import { moveClock } from '../dev/clock.ts';
import { findWorldAt } from '../dev/running.ts';
import { MERCHANT_OPTIONS, openMerchant } from '../merchant.ts';
import { createOutput, createPaint, type Output, type Paint, plain } from '../output.ts';
import { durationMs, given, readInput, readSettings, wholeNumber } from '../settings.ts';
import { createReceiver, REFUSALS, type Received } from './receiver.ts';

const OPTIONS = {
  port: { type: 'string', placeholder: 'number', summary: 'the port to bind, 0 for any free one [4400]' },
  host: { type: 'string', placeholder: 'address', summary: 'the address to bind [127.0.0.1]' },
  secret: {
    type: 'string',
    placeholder: 'whsec_…',
    multiple: true,
    summary: "the endpoint's secret, both during a rotation, - for stdin [PAYASSENT_WEBHOOK_SECRET]",
  },
  'secret-file': { type: 'string', placeholder: 'path', summary: 'a file with one secret per line' },
  forward: { type: 'string', placeholder: 'url', summary: 'send every genuine message on, byte for byte' },
  tolerance: { type: 'string', placeholder: 'duration', summary: 'how old a message may be [5m]' },
  count: { type: 'string', placeholder: 'number', summary: 'end after so many genuine messages' },
} as const;

const DELETION_MS = 10_000;

type Values = Args<typeof OPTIONS>['values'];

export const commands = [
  defineCommand({
    name: 'listen',
    summary: 'have the webhooks of a local service sent to a program of yours while this runs',
    options: {
      ...MERCHANT_OPTIONS,
      forward: { type: 'string', placeholder: 'url', summary: 'where genuine messages go, byte for byte' },
      event: { type: 'string', placeholder: 'type', multiple: true, summary: 'which events [all]' },
      tolerance: { type: 'string', placeholder: 'duration', summary: 'how old a message may be [5m]' },
    },
    details: [
      'Creates an endpoint of the signed-in organization, verifies it, shows and forwards what arrives, and deletes the',
      'endpoint at Ctrl-C. The secret is printed, for the program behind --forward. Only a service on this machine can',
      'reach it; for another one run "webhooks listen" behind an address of yours. In a dev world: --profile dev.',
    ].join('\n'),
    async run(io, { values, isJson }) {
      const { baseUrl } = readSettings(io, values);
      if (!['localhost', '127.0.0.1', '[::1]'].includes(new URL(baseUrl).hostname))
        throw new UsageError('A service on another machine cannot reach this one: see webhooks listen');
      const secrets: string[] = [];
      const world = findWorldAt(io, baseUrl);
      // Its clock may be moved at any moment, so each message takes the time from it.
      const now = async () => (world ? Date.parse((await moveClock(world.viewer, 0)).now) : Date.now());
      const place = { secrets, port: 0, now };
      const { output, url, forward, close } = await listen(io, values, isJson, place);
      try {
        const merchant = await openMerchant(io, values, isJson);
        const { webhooks } = merchant;
        const event_types = values.event as readonly WebhookSubscription[] | undefined;
        const input = { url, ...given({ event_types }) };
        const { webhook_endpoint, secret } = await webhooks.create(input, { signal: io.signal });
        const id = webhook_endpoint.webhook_endpoint_id;
        secrets.push(secret);
        try {
          await webhooks.verify(id, { signal: io.signal });
          const document = { type: 'listening', url, webhook_endpoint_id: id, secret, forward };
          output.step(document, `Listening as ${id}\nPAYASSENT_WEBHOOK_SECRET=${secret}`);
          await untilAborted(io.signal);
        } finally {
          // Not with the signal of the command, which was given.
          const atEnd = { ...io, signal: AbortSignal.timeout(DELETION_MS) };
          const remove = (client: MerchantClient) => client.webhooks.delete(id, { signal: atEnd.signal });
          await remove(merchant)
            // The session may have ended; a second one cannot be read from stdin.
            .catch(async () => remove(await openMerchant(atEnd, values, isJson)))
            .catch(() => output.note(`The endpoint ${id} could not be deleted.`));
        }
      } finally {
        close();
      }
      return EXIT.ok;
    },
  }),
  defineCommand({
    name: 'webhooks listen',
    summary: 'receive, verify, show and forward webhooks',
    options: OPTIONS,
    details: [
      'Responds to the verification challenge automatically. A message that fails verification gets 400 and is not forwarded;',
      'the console shows which check failed. Every other one gets the status of --forward (204 without it).',
      'Runs until Ctrl-C (exit code 0) or --count. With --json one line per message: listening, challenge, message, refused.',
    ].join('\n'),
    async run(io, { values, isJson }) {
      const secrets = await readSecrets(io, values);
      const port = wholeNumber('port', values.port ?? '4400', 0, 65_535);
      const count =
        values.count === undefined ? Number.POSITIVE_INFINITY : wholeNumber('count', values.count, 1, 1e9);
      const end = new AbortController();
      let genuine = 0;
      const onGenuine = () => {
        genuine += 1;
        if (genuine >= count) end.abort();
      };
      const place = { secrets, port, host: values.host, now: Date.now, onGenuine };
      const { output, url, forward, close } = await listen(io, values, isJson, place);
      output.step({ type: 'listening', url, forward }, `Listening at ${url}`);
      await untilAborted(AbortSignal.any([io.signal, end.signal]));
      close();
      return EXIT.ok;
    },
  }),
];

/** Receives, shows and forwards until it is closed. */
async function listen(
  io: Io,
  values: { readonly forward?: string; readonly tolerance?: string },
  isJson: boolean,
  place: {
    secrets: readonly string[];
    port: number;
    host?: string | undefined;
    now(): number | Promise<number>;
    onGenuine?(): void;
  },
) {
  const { secrets, port, host = '127.0.0.1', now, onGenuine } = place;
  const forwardTo = readTarget(values.forward);
  const toleranceSeconds =
    values.tolerance === undefined ? undefined : Math.ceil(durationMs('tolerance', values.tolerance) / 1000);
  const output = createOutput(io, isJson);
  const paint = createPaint(io);
  const server = createReceiver({
    secrets,
    forwardTo,
    toleranceSeconds,
    now,
    signal: io.signal,
    onMessage(message) {
      show(message, output, paint);
      if (message.kind === 'message') onGenuine?.();
    },
  });
  server.listen(port, host);
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    const option = error.code === 'EADDRINUSE' || error.code === 'EACCES' ? '--port' : '--host';
    throw new LocalError('listen_failed', `${host}:${port}: ${error.code}`, `Choose another ${option}.`);
  });
  const { port: actual } = server.address() as AddressInfo;
  return {
    output,
    url: `http://${host.includes(':') ? `[${host}]` : host}:${actual}/`,
    forward: forwardTo?.href ?? null,
    close() {
      server.close();
      server.closeIdleConnections();
    },
  };
}

function show(message: Received, output: Output, paint: Paint): void {
  if (message.kind === 'refused') {
    const { reason, webhookId, status } = message;
    const meaning = REFUSALS[reason] ?? reason;
    const document = {
      type: 'refused',
      verified: false,
      reason,
      meaning,
      webhook_id: webhookId ?? null,
      status,
    };
    output.result(document, paint.bad(`refused  ${plain(webhookId ?? '(no id)')}  ${reason}: ${meaning}`));
    return;
  }
  const { event, status, kind } = message;
  if (kind === 'challenge') {
    output.result(
      { type: 'challenge', verified: true, event, status },
      paint.good('responded to the challenge'),
    );
    return;
  }
  const { isRepeated, forwardFault } = message;
  const document = { type: 'message', verified: true, repeated: isRepeated, event, status };
  const notes = [
    isRepeated ? 'seen before' : '',
    forwardFault ? `no response from the target: ${forwardFault}` : '',
  ];
  const line = [
    paint.good('verified'),
    event.type,
    event.id,
    aboutOf(event.data),
    `returned ${status}`,
    ...notes,
  ];
  output.result(
    { ...document, ...(forwardFault === undefined ? {} : { forward_fault: forwardFault }) },
    line.filter((part) => part !== '').join('  '),
  );
}

function aboutOf(data: object): string {
  const request = (data as { payment_request?: { request_id: string; status: string } }).payment_request;
  return request ? `${plain(request.request_id)} ${request.status}` : '';
}

async function readSecrets(io: Io, values: Values): Promise<string[]> {
  const { secret: given, 'secret-file': file } = values;
  if (given !== undefined && file !== undefined)
    throw new UsageError('Give either --secret or --secret-file, not both');
  const texts =
    file !== undefined ? [await readInput(io, file)] : (given ?? [io.env['PAYASSENT_WEBHOOK_SECRET'] ?? '']);
  const read = await Promise.all(texts.map((text) => (text === '-' ? readInput(io, '-') : text)));
  const secrets = read.flatMap((text) => text.split(/[\s,]+/)).filter((text) => text !== '');
  if (secrets.length === 0)
    throw new UsageError('Missing: --secret-file, --secret - (stdin), or PAYASSENT_WEBHOOK_SECRET');
  if (secrets.some((secret) => parseWebhookSecret(secret) === undefined))
    throw new UsageError('This is no webhook secret: whsec_ and 32 bytes in base64');
  return secrets;
}

function readTarget(text: string | undefined): URL | undefined {
  if (text === undefined) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw new UsageError('--forward is an http or https address');
  return url;
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
