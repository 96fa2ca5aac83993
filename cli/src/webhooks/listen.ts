import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { WebhookSubscription } from '@payassent/sdk';
import { defineCommand, EXIT, UsageError } from '../command.ts';
import { MERCHANT_OPTIONS, openMerchant } from '../merchant.ts';
import { createOutput, createPaint } from '../output.ts';
import { durationMs, readSettings } from '../settings.ts';
import { readTarget, show, untilAborted } from './index.ts';
import { createReceiver } from './receiver.ts';

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
      const forwardTo = readTarget(values.forward);
      const client = await openMerchant(io, values, isJson);
      const output = createOutput(io, isJson);
      const paint = createPaint(io);
      const secrets: string[] = [];
      const onMessage = (message: Parameters<typeof show>[0]) => show(message, output, paint);
      const toleranceSeconds =
        values.tolerance === undefined ? undefined : durationMs('tolerance', values.tolerance) / 1000;
      const server = createReceiver({ secrets, forwardTo, toleranceSeconds, signal: io.signal, onMessage });
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
      const { event } = values;
      const input = {
        url,
        ...(event === undefined ? {} : { event_types: event as readonly WebhookSubscription[] }),
      };
      const { webhook_endpoint, secret } = await client.webhooks.create(input, { signal: io.signal });
      const id = webhook_endpoint.webhook_endpoint_id;
      secrets.push(secret);
      try {
        await client.webhooks.verify(id, { signal: io.signal });
        const document = {
          type: 'listening',
          url,
          webhook_endpoint_id: id,
          secret,
          forward: forwardTo?.href ?? null,
        };
        output.step(document, `Listening as ${id}\nPAYASSENT_WEBHOOK_SECRET=${secret}`);
        await untilAborted(io.signal);
      } finally {
        // Not with the signal of the command: it has been given.
        await client.webhooks.delete(id).catch(() => output.note(`The endpoint ${id} could not be deleted.`));
        server.close();
        server.closeAllConnections();
      }
      return EXIT.ok;
    },
  }),
];
