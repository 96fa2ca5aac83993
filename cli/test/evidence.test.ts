import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lyingOperator } from '@payassent/proof/log/lying-operator';
import { readKeys, readLog } from '@payassent/proof/log/public-log';
import { newDecisionKey, putKey } from '@payassent/proof/people/decision-keys';
import { allIntegrated, evidenceOf, finishedPayment } from '@payassent/proof/people/evidence';
import { succeed } from '@payassent/proof/people/merchants';
import { activePayee } from '@payassent/proof/people/payees';
import { type PaymentStage, paymentStage, pendingRequest } from '@payassent/proof/people/payments';
import { type PayAssent, payassent } from '@payassent/proof/service/command';
import { startService, type TestService } from '@payassent/proof/service/service';
import { clearEntryText, verifyEvidence } from '@payassent/protocol/evidence';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

let service: TestService;
let stage: PaymentStage;
let cli: PayAssent;
let folder: string;
let finished: { request: { request_id: string }; bundle: string };
beforeAll(async () => {
  service = await startService();
  stage = await paymentStage(service);
  const key = newDecisionKey();
  await succeed(putKey(service, stage.device, key));
  finished = await finishedPayment(service, stage, key, 'confirmed');
  cli = await payassent(service.url);
  folder = await mkdtemp(join(tmpdir(), 'payassent-evidence-'));
  await writeFile(join(folder, 'keys.json'), JSON.stringify({ keys: await readKeys(service.url) }));
});
afterAll(async () => {
  await cli.remove();
  await rm(folder, { recursive: true, force: true });
  await service.close();
});

const at = (name: string) => join(folder, name);

describe('payassent verify', () => {
  it('takes what request evidence wrote, prints every claim, and ends with 0', async () => {
    const env = { PAYASSENT_CONNECTION_TOKEN: stage.connectionToken };
    const read = await cli.here(['request', 'evidence', finished.request.request_id], { env });
    expect(read.stdout).toBe(`${finished.bundle}\n`);
    await writeFile(at('good.json'), read.stdout);
    const verified = await cli.here(['verify', at('good.json'), '--keys', at('keys.json')]);
    expect(verified.code, verified.stdout).toBe(0);
    expect(verified.stdout).toMatch(/^✓ decision +Approved at .*signed by the device's key\.$/m);
    expect(verified.stdout).toMatch(/^✓ payee_logged +The activation for /m);
    expect(verified.stdout).toMatch(/^– witnesses +not claimed: /m);
    expect(verified.stdout).toMatch(/^• looked_up +the service's word: It found the proof of /m);
    expect(verified.stdout).toMatch(/^• history +the service's word: .*broadcasted, confirmed\.$/m);
    expect(verified.stdout).not.toContain('✗');
  });

  it('ends with 1 and names the claim when anything was changed, and with 2 without keys', async () => {
    await writeFile(at('bad.json'), finished.bundle.replace('"amount":"12.50"', '"amount":"12.51"'));
    const verified = await cli.here(['verify', at('bad.json'), '--keys', at('keys.json')]);
    expect(verified.code).toBe(1);
    expect(verified.stdout).toMatch(/^✗ service_signature/m);
    expect(verified.stdout).toMatch(/^✗ facts +The digest is not that of these facts\./m);
    expect((await cli.here(['verify', at('bad.json')])).code).toBe(2);
    const other = await cli.here(['verify', at('bad.json'), '--keys', at('bad.json')]);
    expect(other.code).toBe(2);
  });
});

const digest = (n: number) => `sha256:${String(n).padStart(64, '0')}`;
const entry = (n: number, time: string, domain = 'shop.example') =>
  clearEntryText('payee.activated', new Date(time), { domain, evidence_digest: digest(n) });

describe('payassent monitor', () => {
  it('follows the log of a running service, knows its own payees, and alarms on one that it does not', async () => {
    const { entries } = await readLog(service.url);
    const own = entries.flatMap((text) => JSON.parse(text).evidence_digest ?? []);
    await writeFile(at('known.txt'), `${own.join('\n')}\n`);
    const run = (...more: string[]) => cli.here(['monitor', '--once', '--state', at('state.json'), ...more]);
    const watching = ['--domain', stage.merchant.domain, '--known', at('known.txt')];
    const first = await run(...watching);
    expect(first.code, first.stdout).toBe(0);
    expect(first.stdout).toContain('all is well');
    expect(JSON.parse(await readFile(at('state.json'), 'utf8')).size).toBe(entries.length);
    expect((await run(...watching)).code).toBe(0);

    await activePayee(service, stage.merchant);
    await expect.poll(async () => (await readLog(service.url)).checkpoint.size).toBe(entries.length + 1);
    const alarm = await run(...watching);
    expect(alarm.code).toBe(1);
    expect(alarm.stdout).toMatch(/ALARM: Entry \d+ shows a payee for .* that you do not know: sha256:/);
    // The alarm remains until the payee is listed as known.
    expect((await run(...watching)).code).toBe(1);
    await writeFile(at('known.txt'), (await readLog(service.url)).entries.join('\n'));
    expect((await run(...watching)).code).toBe(0);
    expect((await cli.here(['monitor', '--once', '--domain', 'shop.example'])).code).toBe(2);
  });

  it.each([
    [
      'shows another reader another log',
      'forked',
      (now: string[]) => [entry(9, '2026-11-15T12:00:00Z'), ...now.slice(1)],
    ],
    [
      'hides an activation that was there',
      'forked',
      (now: string[]) => [...now.slice(1), entry(4, '2026-11-15T12:00:03Z')],
    ],
    ['takes entries away', 'shrunk', (now: string[]) => now.slice(0, 1)],
    [
      'writes an entry into the past',
      'backdated',
      (now: string[]) => [...now, entry(3, '2026-11-14T12:00:00Z')],
    ],
  ])('alarms when a host %s', async (_, kind, lie) => {
    const entries = [entry(1, '2026-11-15T12:00:00Z'), entry(2, '2026-11-15T12:00:01Z')];
    const operator = await lyingOperator();
    operator.show(entries);
    const file = at(`${kind}-${Math.floor(performance.now())}.json`);
    const run = () => cli.here(['monitor', '--base-url', operator.url, '--once', '--json', '--state', file]);
    expect((await run()).lines).toEqual([{ ok: true, size: 2 }]);
    operator.show(lie(entries));
    const alarmed = await run();
    expect(alarmed.code).toBe(1);
    expect(alarmed.lines).toMatchObject([{ ok: false, alarm: kind }]);
  });

  it('reports that no service responds, and raises no alarm', async () => {
    const silent = await cli.here(['monitor', '--base-url', 'http://127.0.0.1:9', '--once']);
    expect(silent.code).toBe(3);
  });
});

it('the terminal wallet signs what it shows, and its decisions hold in the evidence', async () => {
  const own = await paymentStage(service);
  const wallet = await payassent(service.url);
  onTestFinished(() => wallet.remove());
  await mkdir(wallet.folder, { recursive: true });
  const { device_id, token: device_token } = own.device;
  const profile = JSON.stringify({ base_url: service.url, device_id, device_token });
  await writeFile(join(wallet.folder, 'default.json'), profile, { mode: 0o600 });
  const bearer = own.connectionToken;
  const body = { title: 'Two tickets', summary: 'Row 4' };
  const posted = await succeed(service.call('POST', '/v1/transaction-contexts', { bearer, body }));
  const { transaction_id } = posted.body.transaction_context;
  const approved = await pendingRequest(service, own, { transaction_id });
  const ended = await wallet.here([
    'wallet',
    'simulate',
    '--approve',
    '--once',
    '--json',
    '--sign-decisions',
  ]);
  expect(ended.code, ended.stdout + ended.stderr).toBe(0);
  // From now on the key is in the profile, and every decision is signed.
  const rejected = await pendingRequest(service, own);
  expect((await wallet.here(['wallet', 'simulate', '--reject', '--once', '--json'])).code).toBe(0);
  await allIntegrated(service);
  const keys = await readKeys(service.url);
  for (const [request, decision] of [
    [approved, 'approve'],
    [rejected, 'reject'],
  ] as const) {
    const bundle = await evidenceOf(service, request.request_id, { bearer });
    expect(JSON.parse(bundle).decision).toMatchObject({ decision, alg: 'Ed25519' });
    const { ok, claims } = verifyEvidence(bundle, { keys });
    expect(ok).toBe(true);
    expect(claims).toContainEqual(expect.objectContaining({ claim: 'decision', status: 'holds' }));
  }
});
