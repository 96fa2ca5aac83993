import { expect, it } from 'vitest';
import { serviceForTest, type TestService } from '../../server/test/harness/service.ts';
import { enrolDevice } from '../../server/test/harness/wallets.ts';
import { type Countersign, countersign } from './harness/command.ts';

function operatorOf(service: TestService, cli: Countersign) {
  const env: Record<string, string> = {};
  for (const name of ['DATABASE_URL', 'SVC_DATA_DIR', 'SVC_MASTER_KEY']) env[name] = service.env[name] ?? '';
  return (...args: string[]) => cli.here(args, { env });
}

it('audit verify prints the head, finds one published earlier, and ends with 1 at the first broken link', async () => {
  const service = await serviceForTest();
  const cli = await countersign();
  const run = operatorOf(service, cli);
  await enrolDevice(service);
  await enrolDevice(service);
  const published = async () =>
    (await service.call('GET', '/.well-known/svc-audit-head.json')).body.head?.hash;
  await expect.poll(published, { timeout: 5000 }).toMatch(/^sha256:/);
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
