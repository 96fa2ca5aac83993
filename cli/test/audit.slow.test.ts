// Slow: starts services as processes and the command next to them.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verifiedMerchant } from '@payassent/proof/people/merchants';
import { enrolDevice } from '@payassent/proof/people/wallets';
import { type PayAssent, payassent } from '@payassent/proof/service/command';
import { startProcess } from '@payassent/proof/service/process';
import { freePort, serviceForTest, type TestService } from '@payassent/proof/service/service';
import { expect, it, onTestFinished } from 'vitest';

function operatorOf(service: TestService, cli: PayAssent) {
  const env: Record<string, string> = {};
  for (const name of ['DATABASE_URL', 'SVC_DATA_DIR', 'SVC_MASTER_KEY']) env[name] = service.env[name] ?? '';
  return (...args: string[]) => cli.here(args, { env });
}

it('audit verify prints the head, finds one published earlier, and ends with 1 at the first broken link', async () => {
  const service = await serviceForTest();
  const cli = await payassent();
  const run = operatorOf(service, cli);
  await enrolDevice(service);
  await enrolDevice(service);
  const published = async () =>
    (await service.call('GET', '/.well-known/svc-audit-head.json')).body.head?.hash;
  await expect.poll(published).toMatch(/^sha256:/);
  const head = await published();

  const held = await run('audit', 'verify', '--head', head);
  expect(held.code, held.stderr).toBe(0);
  expect(held.stdout).toMatch(/The audit chain holds/);
  expect(held.stdout).toContain(`${head} is on the chain.`);
  const foreign = await run('audit', 'verify', '--json', '--head', `sha256:${'0'.repeat(64)}`);
  expect(foreign.code).toBe(1);
  expect(foreign.lines).toMatchObject([{ ok: false, broken: null, head_found: false }]);
  expect((await run('audit', 'verify', '--head', 'abc')).code).toBe(2);

  await service.db.begin(async (sql) => {
    await sql`set local session_replication_role = replica`;
    await sql`update audit_events set type = 'device.deleted' where audit_event_id =
      (select audit_event_id from audit_chain where position = 2)`;
  });
  const broken = await run('audit', 'verify');
  expect(broken.code).toBe(1);
  expect(broken.stdout).toMatch(/broken after 1 links: link 2 \(aud_/);
  await cli.remove();
});

it('team reset-passkeys prints how many it removed, and refuses a person who is not a team member', async () => {
  const service = await serviceForTest();
  const cli = await payassent();
  const run = operatorOf(service, cli);
  const { email } = await verifiedMerchant(service);
  const reset = await run('team', 'reset-passkeys', email);
  expect(reset.code, reset.stderr).toBe(0);
  expect(reset.stdout).toBe(`Removed 0 passkeys of ${email}, whose sessions have ended.\n`);
  const unknown = await run('team', 'reset-passkeys', 'someone@shop.example');
  expect([unknown.code, unknown.stderr]).toEqual([
    1,
    expect.stringContaining('There is no operator with the address'),
  ]);
  expect((await run('team', 'reset-passkeys', 'someone')).code).toBe(2);
  await cli.remove();
});

it("the host's commands work next to a running service with its embedded database", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'svc-operator-'));
  const port = String(await freePort());
  const env = { SVC_DATA_DIR: dataDir, SVC_PORT: port, SVC_BASE_URL: `http://127.0.0.1:${port}` };
  const running = await startProcess(env);
  const cli = await payassent();
  onTestFinished(async () => {
    await running.end('SIGTERM');
    await cli.remove();
    await rm(dataDir, { recursive: true, force: true });
  });
  await enrolDevice(running);
  const run = (...args: string[]) => cli.here(args, { env });
  const suspended = await run('suspend', 'domain', 'Phish.Example', '--reason', 'phishing');
  expect(suspended.code, suspended.stderr).toBe(0);
  expect(suspended.stdout).toBe('The domain phish.example is suspended from now on.\n');
  const again = await run('suspend', 'domain', 'phish.example', '--json');
  expect(again.lines).toEqual([
    { kind: 'domain', id: 'phish.example', name: 'phish.example', suspended: true, changed: false },
  ]);
  expect((await run('unsuspend', 'domain', 'phish.example')).stdout).toContain(
    'is not suspended from now on',
  );
  const unknown = await run('suspend', 'merchant', 'nobody');
  expect([unknown.code, unknown.stderr]).toEqual([
    1,
    expect.stringContaining('There is no merchant "nobody"'),
  ]);
  expect((await run('suspend', 'planet', 'x')).code).toBe(2);
  const verified = await run('audit', 'verify');
  expect(verified.code, verified.stdout + verified.stderr).toBe(0);
  expect((await running.call('GET', '/health')).status).toBe(200);
});
