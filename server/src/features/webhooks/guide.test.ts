import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { succeed, verifiedMerchant } from '@payassent/proof/people/merchants';
import { causeEvents, createEndpoint, until } from '@payassent/proof/people/webhooks';
import { freePort, serviceForTest } from '@payassent/proof/service/service';
import { WEBHOOK_EVENT_TYPES } from '@payassent/protocol';
import { expect, it, onTestFinished } from 'vitest';
import { RETRY_DELAYS_MS } from './schedule.ts';

const guide = readFileSync(new URL('../../../../docs/guides/webhooks.md', import.meta.url), 'utf8');
const receiver = /```js\n([\s\S]*?)```/.exec(guide)?.[1] ?? '';

it('the receiver of the guide passes verification, takes genuine messages and refuses others', async () => {
  const service = await serviceForTest();
  const merchant = await verifiedMerchant(service);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/hook`;
  const { endpointId, secret } = await createEndpoint(service, merchant, { url });
  const child = spawn(process.execPath, ['--input-type=module', '-e', receiver], {
    cwd: fileURLToPath(new URL('../../../', import.meta.url)),
    env: { PATH: process.env['PATH'], WEBHOOK_SECRET: secret, PORT: String(port) },
  });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await once(child, 'exit');
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const forge = () =>
    fetch(url, { method: 'POST', body: '{"data":{"challenge":"x"}}' }).catch(() => undefined);
  const forged = await until(forge);
  expect([forged.status, await forged.text()]).toEqual([401, '']);
  const path = `/v1/webhook-endpoints/${endpointId}/verify`;
  await succeed(service.call('POST', path, { session: merchant.session }));
  const events = await causeEvents(service.context, merchant.merchantId, 2);
  await until(() => events.every((id) => output.includes(`${id} connection.created`)));
  expect(output).not.toContain('webhook.verification');
});

it('the receiver has about ten lines', () => {
  const lines = receiver.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('import'));
  expect(lines.length).toBeLessThanOrEqual(10);
});

it('the guide names every type and every delay', () => {
  for (const type of WEBHOOK_EVENT_TYPES) {
    const [family, act] = type.split('.');
    const row = guide.split('\n').find((line) => line.startsWith(`| \`${family}.`)) ?? '';
    expect(row).toContain(`.${act}\``);
  }
  const inWords = RETRY_DELAYS_MS.map((ms) =>
    ms < 60_000 ? `${ms / 1_000} s` : ms < 3_600_000 ? `${ms / 60_000} min` : `${ms / 3_600_000} h`,
  );
  expect(guide).toContain(inWords.join(' · '));
});
