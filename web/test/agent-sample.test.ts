import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { usableAgent } from '@payassent/proof/people/agents';
import { succeed, verifiedMerchant } from '@payassent/proof/people/merchants';
import { activePayee } from '@payassent/proof/people/payees';
import { report } from '@payassent/proof/people/payments';
import { deviceOf, enrolDevice } from '@payassent/proof/people/wallets';
import { startService, type TestService } from '@payassent/proof/service/service';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { keyFileName, sampleFor } from '../src/portal/agents/sample.ts';

/** Below the root of the repository, where programs find the SDK. */
const DATA = fileURLToPath(new URL('../../data/', import.meta.url));

let service: TestService;
let folder: string;
beforeAll(async () => {
  service = await startService();
  mkdirSync(DATA, { recursive: true });
  folder = mkdtempSync(join(DATA, 'agent-sample-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await service?.close();
});

it('the sample of the page of an agent runs as it is, to a payment that the customer confirmed', async () => {
  const merchant = await verifiedMerchant(service);
  await activePayee(service, merchant);
  const { agentId, kid, privateKey, allowedScopes } = await usableAgent(service, merchant);
  const device = await enrolDevice(service);
  const wallet = { device: deviceOf(device) };
  const { connect_key: key } = (await succeed(service.call('POST', '/v1/connect-keys', wallet))).body;

  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' });
  writeFileSync(join(folder, keyFileName(kid)), pem);
  const agent = { agent_id: agentId, allowed_scopes: allowedScopes };
  writeFileSync(join(folder, 'agent.mjs'), sampleFor(agent, kid, service.url));
  const program = spawn(process.execPath, ['agent.mjs', key], { cwd: folder });
  let printed = '';
  for (const stream of [program.stdout, program.stderr])
    stream.on('data', (part: Buffer) => {
      printed += String(part);
    });
  const ended = new Promise<number | null>((resolve) => program.on('exit', resolve));

  const invitations = async () =>
    (await succeed(service.call('GET', '/v1/connect-invitations', wallet))).body.connect_invitations;
  await expect.poll(async () => (await invitations()).length).toBe(1);
  const [{ connect_invitation_id: id }] = await invitations();
  await succeed(service.call('POST', `/v1/connect-invitations/${id}/approve`, wallet));
  const requests = async () =>
    (await succeed(service.call('GET', '/v1/payment-requests', wallet))).body.payment_requests;
  await expect.poll(async () => (await requests()).length).toBe(1);
  const [{ request_id: requestId, payment }] = await requests();
  expect(payment.amount).toBe('1');
  for (const step of [
    { status: 'signed' },
    { status: 'broadcasted', tx_hash: '5e'.repeat(32) },
    { status: 'confirmed', tx_hash: '5e'.repeat(32) },
  ])
    await succeed(report(service, { device }, requestId, step));

  expect(await ended, printed).toBe(0);
  expect(printed).toContain(`/wallet/requests/${requestId}`);
  expect(printed).toContain('The payment is confirmed.');
});
