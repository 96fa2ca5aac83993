import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@payassent/proof/free-port';
import type { MerchantClient } from '@payassent/sdk';
import { Webhook } from 'standardwebhooks';
import { expect } from 'vitest';
import type { Block } from './blocks.ts';
import { startGroup } from './processes.ts';

export interface TriedReceiver {
  /** Everything it printed. */
  output(): string;
  /** Sends messages that are not genuine, each in another way; returns the statuses. */
  sendForgeries(): Promise<number[]>;
  stop(): Promise<void>;
}

/** Saves the program of a block, registers an endpoint, starts the program with its secret and has it verified. */
export async function tryReceiver(
  block: Block,
  command: readonly string[],
  merchant: MerchantClient,
): Promise<TriedReceiver> {
  const folder = await mkdtemp(join(tmpdir(), 'payassent-receiver-'));
  const file = join(folder, block.saveAs ?? 'receiver');
  await writeFile(file, block.code);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/hook`;
  const { webhook_endpoint, secret } = await merchant.webhooks.create({ url });
  const env = { PATH: process.env['PATH'], WEBHOOK_SECRET: secret, PORT: String(port) };
  const program = startGroup([...command, file], { cwd: folder, env });
  const stop = async (): Promise<void> => {
    await program.stop('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  };
  const listens = async () =>
    (await fetch(url, { method: 'POST', body: '{}' }).catch(() => undefined))?.status;
  await expect
    .poll(listens, { timeout: 30_000, message: `it is not reachable: ${program.output()}` })
    .toBe(401);
  const verified = await merchant.webhooks.verify(webhook_endpoint.webhook_endpoint_id);
  expect(verified.webhook_endpoint.status).toBe('active');
  const sendForgeries = () =>
    Promise.all(
      forgeries(secret).map(
        async ({ headers, body }) => (await fetch(url, { method: 'POST', headers, body })).status,
      ),
    );
  return { output: program.output, sendForgeries, stop };
}

function forgeries(secret: string): { headers: Record<string, string>; body: string }[] {
  const body = '{"type":"payment_request.confirmed","id":"evt_forged","data":{}}';
  const now = new Date();
  const signed = (key: string, at: Date) => ({
    'webhook-id': 'evt_forged',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(key).sign('evt_forged', at, body),
  });
  const other = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
  return [
    { headers: {}, body },
    { headers: signed(other, now), body },
    { headers: signed(secret, now), body: body.replace('forged', 'changed') },
    { headers: signed(secret, new Date(now.getTime() - 310_000)), body },
    { headers: { ...signed(secret, now), 'webhook-timestamp': '\u00b2' }, body },
  ];
}
