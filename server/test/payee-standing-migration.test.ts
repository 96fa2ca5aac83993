import { databaseBefore } from '@payassent/proof/database/older-database';
import { expect, it } from 'vitest';
import { RECORD_JSON } from '../src/payments/record/record-json.ts';

const id = (prefix: string, name: string) => `${prefix}_${name.toUpperCase().padStart(26, '0')}`;

it('a database from before suspends what rests on domains that are lapsed or deleted today, and keeps the rest', async () => {
  // A domain's end had no effect on payees before this migration.
  const { db, upgrade } = await databaseBefore('payee_standing');
  const merchantId = id('mer', 'a');
  await db`insert into merchants values (${merchantId}, 'Shop', 'active', 2, now(), now())`;
  const rows = [
    { name: 'held', status: 'verified', deleted: false },
    { name: 'lapsed', status: 'lapsed', deleted: false },
    { name: 'deleted', status: 'verified', deleted: true },
    { name: 'archived', status: 'verified', deleted: false },
  ];
  for (const { name, status, deleted } of rows) {
    const [domainId, recipientId, versionId] = [id('dom', name), id('rcp', name), id('rcv', name)];
    await db`
      insert into domains values (${domainId}, ${merchantId}, ${`${name}.example`}, 'dns', ${status}, 'c', now(), now(),
        now(), ${deleted ? new Date() : null})`;
    await db`
      insert into recipients values (${recipientId}, ${merchantId}, ${name},
        ${name === 'archived' ? 'archived' : 'active'}, ${versionId}, 3, now(), now())`;
    await db`
      insert into recipient_versions (recipient_version_id, recipient_id, merchant_id, number, status, name, rail, network,
        asset, address, decimals, evidence_id, created_at, verified_at, activated_at)
      values (${versionId}, ${recipientId}, ${merchantId}, 1, 'active', ${name}, 'stellar_xlm', 'stellar_testnet', 'XLM',
        'G', 7, ${id('evd', name)}, now(), now(), '2026-01-01T00:00:00Z')`;
    await db`
      insert into recipient_evidence values (${id('evd', name)}, ${versionId}, ${merchantId}, 'domain_proof', ${domainId},
        ${`${name}.example`}, 'dns', 'sha256:x', now(), now())`;
    // As every version has written it: compact, `verified` before `domain`.
    const payee = JSON.stringify({
      name: `"verified":true, ${name}`,
      verified: true,
      domain: `${name}.example`,
    });
    await db`
      insert into payment_requests (merchant_id, request_id, connection_id, wallet_id, agent_id, intent_digest,
        recipient_id, recipient_version_id, rail, network, asset, amount, to_address, decimals, payee, facts_digest, source,
        status, created_at, expires_at, updated_at)
      values (${merchantId}, ${`open-${name}`}, 'con', 'wlt', 'agt', 'i', ${recipientId}, ${versionId}, 'stellar_xlm',
        'stellar_testnet', 'XLM', '1', 'G', 7, ${payee}::text::json, 'sha256:x', '{}', 'pending', now(), now(), now())`;
  }

  await upgrade();

  const recipients = await db<{ name: string; status: string; version: number }[]>`
    select name, status, version from recipients order by name`;
  expect(recipients.map(({ name, status, version }) => [name, status, version])).toEqual([
    ['archived', 'archived', 3],
    ['deleted', 'suspended', 3],
    ['held', 'active', 3],
    ['lapsed', 'suspended', 3],
  ]);
  const records = await db<{ record: string }[]>`
    select ${db.unsafe(RECORD_JSON)} as record from payment_requests r order by request_id`;
  const shown = records.map(({ record }) => JSON.parse(record).payee);
  const pinned = { binding: 'domain', activated_at: '2026-01-01T00:00:00.000Z' };
  const named = (name: string) => ({ name: `"verified":true, ${name}`, domain: `${name}.example` });
  expect(shown).toEqual([
    { ...named('archived'), ...pinned, verified: true, is_current: false },
    { ...named('deleted'), ...pinned, verified: false, is_current: false },
    { ...named('held'), ...pinned, verified: true, is_current: true },
    { ...named('lapsed'), ...pinned, verified: false, is_current: false },
  ]);
  const due = await db<{ domain: string }[]>`
    select domain from domains where check_at between now() and now() + interval '24 hours' order by domain`;
  expect(due.map((row) => row.domain)).toEqual(['archived.example', 'held.example']);
});
