import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDatabase } from '@payassent/proof/database/database';
import { tokenIn, uniqueEmail } from '@payassent/proof/people/merchants';
import { createLogLines } from '@payassent/proof/service/log-lines';
import { startProcess } from '@payassent/proof/service/process';
import { freePort, serviceForTest } from '@payassent/proof/service/service';
import { createAuthority } from '@payassent/proof/surroundings/certificates';
import { startSmtpServer } from '@payassent/proof/surroundings/surroundings';
import { expect, it, onTestFinished } from 'vitest';

const PATH = '/v1/merchant-accounts/registrations';
// 0.0.0.0 leads to this machine too, and is not a loopback address.
const elsewhere = (url: string) => url.replace('127.0.0.1', '0.0.0.0');

it('a sign-in link waits for a server that offers encryption, and the log records the reason', async () => {
  const plain = await startSmtpServer();
  onTestFinished(() => plain.close());
  const { log, lines } = createLogLines();
  const service = await serviceForTest({
    env: { SVC_SMTP_URL: elsewhere(plain.url) },
    overrides: () => ({ log }),
  });
  const body = { email: uniqueEmail() };
  expect((await service.call('POST', PATH, { body })).status).toBe(202);
  await expect.poll(() => lines.filter((line) => line.includes('STARTTLS'))).not.toEqual([]);
  expect(plain.mails).toEqual([]);
  const health = await service.call('GET', '/health');
  expect([health.status, health.body.status, health.body.checks.mail]).toEqual([200, 'degraded', 'failing']);
  expect((await service.call('GET', '/ready')).status).toBe(200);
  expect(await service.db`select from mail_jobs where email = ${body.email}`).toHaveLength(1);
});

it('a sign-in link goes over STARTTLS when the certificate is vouched for', async () => {
  const authority = await createAuthority();
  const folder = await mkdtemp(join(tmpdir(), 'mail-ca-'));
  const database = await createDatabase();
  const encrypted = await startSmtpServer({ tls: await authority.issue(['0.0.0.0']) });
  await writeFile(join(folder, 'ca.pem'), authority.cert);
  const service = await startProcess({
    DATABASE_URL: database.url,
    SVC_DATA_DIR: folder,
    SVC_PORT: String(await freePort()),
    SVC_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
    SVC_SMTP_URL: elsewhere(encrypted.url),
    SVC_MAIL_FROM: 'PayAssent <no-reply@payassent.example>',
    NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem'),
  });
  onTestFinished(async () => {
    await service.end();
    await encrypted.close();
    await database.drop();
    await rm(folder, { recursive: true });
  });
  const body = { email: uniqueEmail() };
  expect((await service.call('POST', PATH, { body })).status).toBe(202);
  expect(tokenIn((await encrypted.waitForMail(body.email)).text)).toMatch(/^svc_ml_/);
});
