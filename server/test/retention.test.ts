import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDistributedRun } from '@payassent/proof/database/layout';
import { changeFinal } from '@payassent/proof/database/many';
import { succeed } from '@payassent/proof/people/merchants';
import { type PaymentStage, paymentStage, pendingRequest } from '@payassent/proof/people/payments';
import { deviceOf, enrolDevice, type TestDevice } from '@payassent/proof/people/wallets';
import { startService, type TestService } from '@payassent/proof/service/service';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { FEATURES } from '../src/app.ts';
import { unusedContextRetention } from '../src/features/transaction-contexts/retention.ts';
import { unusedWalletRetention } from '../src/features/wallets/index.ts';
import { rateBudgetRetention } from '../src/http/limits/index.ts';
import { KEPT } from '../src/jobs/retention.ts';
import { addMs, DAY_MS } from '../src/lib/clock.ts';
import { createMailer } from '../src/lib/mail/index.ts';

let service: TestService;
let stage: PaymentStage;
beforeAll(async () => {
  service = await startService({ jobs: true });
  stage = await paymentStage(service);
});
afterAll(() => service.close());

describe('every table of the schema', () => {
  it('is bounded by a retention rule, or kept for a stated reason', async () => {
    const tables = await service.db<{ name: string }[]>`
      select c.relname::text as name from pg_class c
      where c.relnamespace = (select oid from pg_namespace where nspname = current_schema()) and c.relkind in ('r', 'p')
        and not c.relispartition
      order by 1`;
    const rules = [
      rateBudgetRetention,
      ...FEATURES.flatMap((create) => create(service.app.parts).retention ?? []),
    ];
    const ruled = new Set(rules.flatMap((rule) => rule.tables));
    // What a distributed database has besides: a mark without rows, and a queue that the log's job empties.
    const ofMachines = isDistributedRun ? ['distributed_commits', 'log_outbox'] : [];
    const isDecided = (name: string) => ruled.has(name) || name in KEPT || ofMachines.includes(name);
    const undecided = tables.map(({ name }) => name).filter((name) => !isDecided(name));
    expect(undecided, 'name them in a rule of their feature, or in KEPT of jobs/retention.ts').toEqual([]);
    const existing = new Set(tables.map(({ name }) => name));
    expect([...ruled, ...Object.keys(KEPT)].filter((name) => !existing.has(name))).toEqual([]);
    expect(Object.keys(KEPT).filter((name) => ruled.has(name))).toEqual([]);
  });
});

describe('a wallet that no one uses', () => {
  const exists = async (device: TestDevice) =>
    (await service.db`select from wallets where wallet_id = ${device.walletId}`).length === 1;
  const purgeAfter = (days: number) =>
    unusedWalletRetention.purge(service.db, addMs(service.clock.now(), days * DAY_MS), 500);

  it('and to which no agent was ever connected is deleted after 90 days, with all that is its own', async () => {
    const device = await enrolDevice(service);
    await purgeAfter(89);
    expect(await exists(device)).toBe(true);
    expect((await service.call('GET', '/v1/wallet-devices', { device: deviceOf(device) })).status).toBe(200);
    await purgeAfter(91);
    expect(await exists(device)).toBe(false);
    for (const table of ['devices', 'wallet_codes'])
      expect(await service.db`select from ${service.db(table)} where wallet_id = ${device.walletId}`).toEqual(
        [],
      );
    const { status, body } = await service.call('GET', '/v1/wallet-devices', { device: deviceOf(device) });
    expect([status, body.error.code]).toEqual([401, 'unauthenticated']);
  });

  it('stays once an agent was connected, also after the connection has ended', async () => {
    const other = await paymentStage(service);
    const path = `/v1/connections/${other.connectionId}`;
    await succeed(service.call('DELETE', path, { device: deviceOf(other.device) }));
    await purgeAfter(1_000);
    expect(await exists(other.device)).toBe(true);
  });

  it('is deleted with everything that refers to it: new tables have to be added to the rule', async () => {
    const rows = await service.db<{ name: string }[]>`
      select distinct conrelid::regclass::text as name from pg_constraint
      where contype = 'f' and confrelid in ('wallets'::regclass, 'devices'::regclass) order by 1`;
    expect(rows.map(({ name }) => name)).toEqual([
      'connect_keys',
      'connections',
      'decision_keys',
      'device_tokens',
      'devices',
      'passkey_counters',
      'pending_changes',
      'push_subscriptions',
      'wallet_codes',
    ]);
  });
});

describe('a context', () => {
  const post = async (transactionId: string) =>
    succeed(
      service.call('POST', '/v1/transaction-contexts', {
        bearer: stage.connectionToken,
        body: { transaction_id: transactionId, title: 'x' },
      }),
    );
  const ids = async () =>
    (
      await service.db<{ transaction_id: string }[]>`
        select distinct transaction_id from transaction_contexts where transaction_id like 'keep-%' order by 1`
    ).map((row) => row.transaction_id);
  /** As if it had been made long ago. */
  const age = (days: number) =>
    changeFinal(
      service.db,
      'transaction_contexts',
      `update %s set created_at = now() - interval '${days} days' where starts_with(transaction_id, 'keep-')`,
    );

  it('that no request names is deleted after 90 days; the others, and younger ones, stay', async () => {
    await post('keep-used');
    await post('keep-unused');
    await pendingRequest(service, stage, { transaction_id: 'keep-used' });
    await age(89);
    await unusedContextRetention.purge(service.db, service.clock.now(), 500);
    expect(await ids()).toEqual(['keep-unused', 'keep-used']);
    await age(91);
    for (let turn = 0; turn < 3; turn += 1)
      await unusedContextRetention.purge(service.db, service.clock.now(), 1);
    expect(await ids()).toEqual(['keep-used']);
    await expect(service.db`delete from transaction_contexts`).rejects.toThrow(
      /cannot be changed|permission/,
    );
  });
});

describe('mail in files', () => {
  it('is deleted after a while, oldest first, and nothing else in the folder', async () => {
    const mailDir = await mkdtemp(join(tmpdir(), 'svc-mail-'));
    onTestFinished(() => rm(mailDir, { recursive: true }));
    const mailer = createMailer({ from: 'a@b.example', mailDir });
    await mailer.send({ to: 'c@d.example', subject: 's', text: 't', html: '<p>t</p>' });
    const [name = ''] = await readdir(mailDir);
    await writeFile(join(mailDir, 'notes.txt'), 'mine');
    await utimes(join(mailDir, 'notes.txt'), 0, 0);
    expect(await mailer.forget(new Date(Date.now() - DAY_MS), 10)).toBe(0);
    expect(await readdir(mailDir)).toContain(name);
    expect(await mailer.forget(new Date(Date.now() + DAY_MS), 10)).toBe(1);
    expect(await readdir(mailDir)).toEqual(['notes.txt']);
    await mailer.close();
  });
});
