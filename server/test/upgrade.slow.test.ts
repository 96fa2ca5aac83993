// Slow: upgrades every stored database.
import { readdirSync } from 'node:fs';
import { createDatabase } from '@payassent/proof/database/database';
import { contentOf, framesOf, readStored, tallyOf } from '@payassent/proof/database/stored-database';
import { hashesIn, type Respelt, storeSpellings } from '@payassent/proof/database/stored-spellings';
import { decide } from '@payassent/proof/people/decision-keys';
import { outcome, succeed } from '@payassent/proof/people/merchants';
import { deviceOf } from '@payassent/proof/people/wallets';
import { type ServiceProcess, startProcess } from '@payassent/proof/service/process';
import { freePort } from '@payassent/proof/service/service';
import { canonicalTxHash } from '@payassent/protocol';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SQL_FOLDER } from '../src/context.ts';
import { migrate } from '../src/db/migrate.ts';
import { openDatabase } from '../src/db/open.ts';
import { talliesOf } from '../src/maintenance/backup/dump.ts';
import { load } from '../src/maintenance/backup/load.ts';

const FOLDER = new URL('fixtures/', import.meta.url);
const FILES = readdirSync(FOLDER).filter((name) => name.endsWith('.jsonl'));

const statusOf = (requestId: string) => `/v1/payment-requests/${requestId}/status`;

/** What a wallet reported before the upgrade is the same report in any spelling, and another hash is not. */
async function repeats({ call }: ServiceProcess, { device, requests }: Respelt): Promise<void> {
  for (const { requestId, network, stored, others } of requests) {
    for (const tx_hash of [stored, ...others]) {
      const body = { status: 'broadcasted', tx_hash };
      const again = await succeed(call('POST', statusOf(requestId), { device: deviceOf(device), body }));
      expect(again.body, tx_hash).toMatchObject({
        event: null,
        payment_request: { tx_hash: canonicalTxHash(network, stored) },
      });
    }
    const other = { status: 'broadcasted', tx_hash: 'cd'.repeat(32) };
    const refused = await call('POST', statusOf(requestId), { device: deviceOf(device), body: other });
    expect(outcome(refused)).toBe('409 status_conflict');
  }
}

async function decidesWithItsKey({ call }: ServiceProcess, { device, keyed }: Respelt): Promise<void> {
  if (!keyed) return;
  const { key, requestId } = keyed;
  const sent = { device: deviceOf(device) };
  const approve = (more: object = {}) =>
    call('POST', statusOf(requestId), { ...sent, body: { status: 'signed', ...more } });
  expect(outcome(await approve())).toBe('400 decision_signature_required');
  const path = `/v1/wallet-devices/${device.device_id}/decision-key`;
  expect((await call('DELETE', path, { ...sent, body: {} })).status).toBe(202);
  const read = await succeed(call('GET', `/v1/payment-requests/${requestId}`, sent));
  const decision = decide(read.body.payment_request, device, key, 'approve', new Date());
  await succeed(approve({ decision }));
}

describe('a database of an earlier release', () => {
  it('is stored for the schema of the last one', () => {
    expect(FILES).toEqual([
      'schema-0008.jsonl',
      'schema-0036.jsonl',
      'schema-0039.jsonl',
      'schema-0040.jsonl',
      'schema-0044.jsonl',
      'schema-0046.jsonl',
    ]);
  });

  it.each(FILES)(
    '%s has data of every kind, keeps every record and what it means, and serves',
    async (file) => {
      const stored = readStored(new URL(file, FOLDER));
      const database = await createDatabase({ empty: true });
      onTestFinished(() => database.drop());
      const db = openDatabase(database.target, { pool: 1, patient: true });
      await load(db, framesOf(stored));
      const connection = await db.reserve();
      const tallies = await talliesOf(connection);
      connection.release();
      for (const { table, rows } of stored.tables) expect(tallies.get(table)).toEqual(tallyOf(rows));
      for (const table of [
        'payment_requests',
        'payment_request_events',
        'recipient_versions',
        'agent_payments',
      ])
        expect(tallies.get(table)?.rows, table).toBeGreaterThan(0);
      const respelt = await storeSpellings(db);
      const hashes = await hashesIn(db);
      const before = await contentOf(db, stored.tables);
      await migrate(db, SQL_FOLDER);
      const after = await contentOf(db, stored.tables);
      const changed = Object.keys(after).filter((what) => String(after[what]) !== String(before[what]));
      expect(changed).toEqual([]);
      const canonical = hashes.map((row) => ({ ...row, tx_hash: canonicalTxHash(row.network, row.tx_hash) }));
      expect(await hashesIn(db)).toEqual(canonical);
      if (respelt.finalId !== undefined)
        expect([...(await db`select record_id from settlement_claims`)]).toContainEqual({
          record_id: respelt.finalId,
        });
      await db.end();

      const port = await freePort();
      const env = {
        DATABASE_URL: database.url,
        SVC_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
        SVC_PORT: String(port),
      };
      const service = await startProcess(env);
      await repeats(service, respelt);
      await decidesWithItsKey(service, respelt);
      expect(await service.end()).toBe(0);
    },
    300_000,
  );
});
