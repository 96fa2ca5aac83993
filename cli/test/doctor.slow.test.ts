// Slow: examines whole installations, each with a separate database.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDatabase } from '@payassent/proof/database/database';
import { verifiedMerchant } from '@payassent/proof/people/merchants';
import { type PayAssent, payassent } from '@payassent/proof/service/command';
import { freePort, serviceForTest } from '@payassent/proof/service/service';
import { selfSigned } from '@payassent/proof/surroundings/certificates';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';

interface Finding {
  check: string;
  status: string;
  found: string;
  fix: string | null;
}

let cli: PayAssent;
beforeAll(async () => {
  cli = await payassent();
});
afterAll(() => cli.remove());

/** What the command finds, by check; of several findings of one check the first. */
async function findings(env: Record<string, string | undefined>, code: number) {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined));
  // Certificates are read when a process starts; all else is the same in this one.
  const run = env['NODE_EXTRA_CA_CERTS'] ? cli : cli.here;
  const ended = await run(['doctor', '--json'], { env: given as Record<string, string> });
  expect(ended.code, ended.stdout + ended.stderr).toBe(code);
  const report: { ok: boolean; findings: Finding[] } = ended.lines[0];
  expect(report.ok).toBe(code === 0);
  for (const { status, fix } of report.findings) expect(fix !== null).toBe(status !== 'ok');
  return Object.fromEntries([...report.findings].reverse().map((finding) => [finding.check, finding]));
}

interface Manner {
  /** What becomes of X-Forwarded-For. */
  pass(sent: string): string | undefined;
  /** Where calls to the service come from. */
  from: string;
}

/** A service behind a proxy with TLS, whose manner can be changed. */
async function behindTls(manner: Manner) {
  const { key, cert } = await selfSigned(['localhost']);
  const folder = await mkdtemp(join(tmpdir(), 'doctor-'));
  const caFile = join(folder, 'ca.pem');
  await writeFile(caFile, cert);
  const port = await freePort();
  const target = { url: '' };
  const proxy = createServer({ key, cert }, (incoming, outgoing) => {
    const { 'x-forwarded-for': sent, ...headers } = incoming.headers;
    const forwarded = manner.pass(String(sent));
    if (forwarded !== undefined) Object.assign(headers, { 'x-forwarded-for': forwarded });
    const place = new URL(incoming.url ?? '/', target.url);
    const onward = request(place, { headers, localAddress: manner.from }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    onward.on('error', () => outgoing.destroy());
    onward.end();
  });
  await new Promise<void>((resolve) => proxy.listen(port, 'localhost', resolve));
  onTestFinished(async () => {
    proxy.closeAllConnections();
    proxy.close();
    await rm(folder, { recursive: true });
  });
  const env = { SVC_BASE_URL: `https://localhost:${port}`, SVC_TRUSTED_PROXIES: '127.0.0.1/32' };
  const service = await serviceForTest({ env, jobs: false });
  target.url = service.url;
  return { ...service.env, NODE_EXTRA_CA_CERTS: caFile };
}

it('finds a sound installation sound, and sends no mail', async () => {
  const service = await serviceForTest();
  await verifiedMerchant(service);
  const mails = service.smtp.mails.length;
  const found = await findings({ ...service.env }, 0);
  // How much room the machine of the test has is its own affair.
  const doubtful = Object.values(found).filter(({ check, status }) => status !== 'ok' && check !== 'disk');
  expect(doubtful).toEqual([]);
  const checks = 'settings,database,database version,durability,clock,privileges,connections,pooler,schema';
  expect(Object.keys(found)).toEqual(
    expect.arrayContaining([...checks.split(','), 'master key', 'disk', 'dns', 'mail', 'service']),
  );
  expect(found['base URL']?.found).toContain('leads here');
  expect(found['master key']?.found).toMatch(/reads all [1-9]\d* rows/);
  expect(service.smtp.mails).toHaveLength(mails);
}, 300_000);

it('names what is wrong, with a fix next to it', async () => {
  const service = await serviceForTest();
  await verifiedMerchant(service);
  const [{ name = '' } = {}] = await service.db<{ name: string }[]>`select current_database() as name`;
  await service.db.unsafe(`alter database ${name} set synchronous_commit = off`);
  const found = await findings(
    {
      ...service.env,
      SVC_MASTER_KEY: Buffer.alloc(32, 9).toString('base64'),
      SVC_SMTP_URL: `smtp://127.0.0.1:${await freePort()}`,
      SVC_DNS_SERVERS: `127.0.0.1:${await freePort()}`,
      SVC_WORKERS: '64',
    },
    1,
  );
  expect(found['master key']).toMatchObject({
    status: 'fault',
    found: expect.stringContaining('not configured'),
  });
  expect(found['durability']).toMatchObject({
    status: 'fault',
    found: expect.stringContaining('synchronous_commit=off'),
  });
  expect(found['mail']).toMatchObject({ status: 'fault', found: expect.stringContaining('ESOCKET') });
  expect(found['dns']).toMatchObject({ status: 'warning' });
  expect(found['connections']).toMatchObject({ status: 'fault' });
  // Someone with another key is not shown how a call arrived.
  expect(found['base URL']).toMatchObject({ status: 'fault', found: expect.stringContaining('404') });
  expect(JSON.stringify(found)).not.toContain(service.context.config.masterKey?.reveal());
}, 300_000);

it('distinguishes a database that is away from one that was never migrated, and reports every wrong setting', async () => {
  const empty = await createDatabase({ empty: true });
  onTestFinished(() => empty.drop());
  const env = { SVC_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'), SVC_PORT: String(await freePort()) };
  const away = await findings({ ...env, DATABASE_URL: `postgres://a:b@127.0.0.1:${await freePort()}/c` }, 1);
  expect(away['database']).toMatchObject({
    status: 'fault',
    found: expect.stringContaining('ECONNREFUSED'),
  });
  const unmigrated = await findings({ ...env, DATABASE_URL: empty.url, SVC_MIGRATE: 'off' }, 1);
  expect(unmigrated['schema']).toMatchObject({ status: 'fault', found: 'lacks migration 0001_foundation' });
  expect((await findings({ ...env, DATABASE_URL: empty.url }, 0))['schema']).toMatchObject({
    status: 'warning',
  });
  const wrong = await cli.here(['doctor', '--json'], { env: { SVC_PORT: 'many', SVC_WORKERS: '0' } });
  expect(wrong.code).toBe(1);
  expect(wrong.lines[0].findings).toHaveLength(2);
}, 300_000);

it('sees what the proxy makes of a call', async () => {
  const manner: Manner = { pass: (sent) => `${sent}, 198.51.100.4`, from: '127.0.0.1' };
  const env = await behindTls(manner);
  expect((await findings(env, 0))['proxy']).toMatchObject({ status: 'ok' });
  manner.pass = (sent) => sent;
  expect((await findings(env, 1))['proxy']).toMatchObject({ status: 'fault' });
  manner.pass = () => undefined;
  expect((await findings(env, 1))['proxy']).toMatchObject({ status: 'fault' });
  manner.from = '127.0.0.2';
  expect((await findings(env, 0))['proxy']).toMatchObject({
    status: 'warning',
    fix: expect.stringContaining('127.0.0.2'),
  });
  const { NODE_EXTRA_CA_CERTS: _, ...doubtful } = env;
  expect((await findings(doubtful, 1))['base URL']?.found).toMatch(/SELF_SIGNED|UNABLE_TO/);
}, 300_000);

it('does not exist for anyone without the master key', async () => {
  const service = await serviceForTest({ jobs: false });
  const call = (proof?: string) =>
    fetch(`${service.url}/.well-known/svc-doctor.json`, {
      headers: proof === undefined ? {} : { 'svc-doctor': proof },
    });
  const { keys } = service.context;
  const proof = (time: number) =>
    `${keys.currentKeyId}.${time}.${keys.mac('doctor', keys.currentKeyId, String(time)).toString('base64url')}`;
  const good = proof(Date.now());
  expect((await call(good)).status).toBe(200);
  const old = proof(Date.now() - 3_600_000);
  const refused = [undefined, old, `${good}A`, good.replace(/\.\d+\./, `.${Date.now() + 1}.`), '..'];
  for (const each of refused) expect((await call(each)).status).toBe(404);
});

it('checks an embedded database, whether its service runs or not, and makes none', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'doctor-data-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const env = { SVC_DATA_DIR: dataDir, SVC_PORT: String(await freePort()) };
  expect((await findings(env, 0))['database']?.found).toContain('the first start makes it');
  expect((await cli(['migrate'], { env })).code).toBe(0);
  const stopped = await findings(env, 0);
  expect(stopped['master key']?.status).toBe('ok');
  expect(stopped['service']).toMatchObject({ status: 'warning' });
  const running = cli.start(['serve'], { env });
  const healthy = async () =>
    (await fetch(`http://127.0.0.1:${env.SVC_PORT}/health`).catch(() => undefined))?.ok;
  await expect.poll(healthy, { timeout: 60_000 }).toBe(true);
  const beside = await findings(env, 0);
  expect(beside['service']?.status).toBe('ok');
  expect(beside['base URL']?.status).toBe('ok');
  running.child.kill('SIGTERM');
  expect((await running.ended).code).toBe(0);
  await rm(join(dataDir, 'master.key'));
  expect((await findings(env, 1))['master key']?.found).toContain('master.key is missing');
}, 300_000);
