import {
  AgentClient,
  agentKeyFromSeed,
  ConnectionClient,
  isApiError,
  MerchantClient,
  memoryStore,
  verifyWebhook,
  WalletClient,
} from '@payassent/sdk';

/** The smoke script's input from the test that runs it. */
export interface SmokeInput {
  baseUrl: string;
  seed: string;
  deviceToken: string;
  connectionToken: string;
  webhook: { body: string; headers: Record<string, string>; secret: string; now: number };
}

/**
 * A little of everything that a runtime could lack: signing, timers, abort, streams, cookies, headers and random bytes.
 * Returns one line per step, so that the results of all runtimes can be compared.
 */
export async function run(input: SmokeInput): Promise<string[]> {
  const { baseUrl, deviceToken, connectionToken, seed, webhook } = input;
  const lines: string[] = [];
  const key = agentKeyFromSeed(seed);
  const agent = new AgentClient({ baseUrl, agentId: 'agt_smoke', kid: 'k1', key, store: memoryStore() });
  lines.push(`connections ${(await agent.connections.list()).connections.length}`);

  const client = new ConnectionClient({ baseUrl, connectionToken });
  const input1 = { recipient_id: 'rcp_smoke', payment: { amount: '1.50' } };
  const created = await client.paymentRequests.create(input1);
  lines.push(`created ${created.payment_request.request_id} ${created.idempotency_key.length > 20}`);
  for await (const event of client.paymentRequests.events({ since: 0 })) {
    lines.push(`event ${event.sequence}`);
    if (event.sequence === 2) break;
  }

  const wallet = new WalletClient({ baseUrl, deviceToken, maxRetries: 0 });
  const refused: unknown = await wallet.connections.list().catch((error: unknown) => error);
  lines.push(`refused ${isApiError(refused) ? refused.code : refused}`);
  const slow: unknown = await wallet.devices.list({}, { timeoutMs: 300 }).catch((error: unknown) => error);
  lines.push(`slow ${(slow as { code?: string }).code}`);
  const controller = new AbortController();
  const waiting = wallet.devices.list({}, { signal: controller.signal }).catch((error: unknown) => error);
  controller.abort('stop');
  lines.push(`aborted ${await waiting}`);

  const merchant = new MerchantClient({ baseUrl });
  await merchant.sessions.open({ next_grant: 'svc_gr_smoke' });
  const { merchant: record } = await merchant.organization.update({ name: 'Shop', version: 1 });
  lines.push(`merchant ${record.name}`);
  lines.push(`webhook ${verifyWebhook(webhook).type}`);
  return lines;
}
