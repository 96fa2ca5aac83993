import { databaseBefore } from '@payassent/proof/database/older-database';
import { expect, it } from 'vitest';
import { nameDigest } from '../src/features/recipients/recipients.ts';

const id = (prefix: string, name: string) => `${prefix}_${name.toUpperCase().padStart(26, '0')}`;
const MADE = new Date('2026-03-01T12:00:00.000Z');

it('a database from before keeps its passkeys effective, its names of payees, and no lock that one person cannot open', async () => {
  const { db, upgrade } = await databaseBefore('people');
  const merchants = {
    alone: ['me@shop.example', 'm.e+two@shop.example'],
    two: ['me@a.example', 'you@a.example'],
  };
  for (const [name, emails] of Object.entries(merchants)) {
    const merchantId = id('mer', name);
    await db`
      insert into merchants (merchant_id, name, status, four_eyes, created_at, updated_at)
      values (${merchantId}, ${name}, 'active', true, ${MADE}, ${MADE})`;
    for (const [index, email] of emails.entries()) {
      const accountId = id('acc', `${name}${index}`);
      await db`insert into accounts (account_id, email, created_at) values (${accountId}, ${email}, ${MADE})`;
      await db`
        insert into merchant_operators (merchant_id, account_id, role, created_at, joined_at)
        values (${merchantId}, ${accountId}, 'owner', ${MADE}, ${MADE})`;
    }
  }
  await db`
    insert into operator_passkeys (passkey_id, account_id, credential_id, public_key, counter, transports, name, backed_up,
      created_at)
    values (${id('psk', 'a')}, ${id('acc', 'two0')}, 'c', '\\x00', 0, '{}', 'Phone', false, ${MADE})`;
  const [merchantId, recipientId] = [id('mer', 'two'), id('rcp', 'a')];
  await db`
    insert into recipients (recipient_id, merchant_id, name, status, created_at, updated_at)
    values (${recipientId}, ${merchantId}, 'Renamed  SHOP', 'draft', ${MADE}, ${MADE})`;
  await db`
    insert into recipient_versions (recipient_version_id, recipient_id, merchant_id, number, status, name, rail, network,
      asset, address, decimals, created_at)
    values (${id('rcv', 'a')}, ${recipientId}, ${merchantId}, 1, 'created', ${'ＢÄCKEREI Straße'}, 'stellar_xlm',
      'stellar_testnet', 'XLM', 'G', 7, ${MADE})`;

  await upgrade();

  const [passkey] = await db<{ effective_at: Date }[]>`select effective_at from operator_passkeys`;
  expect(passkey?.effective_at).toEqual(MADE);
  const fourEyes = await db<{ name: string; four_eyes: boolean }[]>`
    select name, four_eyes from merchants order by name`;
  expect([...fourEyes]).toEqual([
    { name: 'alone', four_eyes: false },
    { name: 'two', four_eyes: true },
  ]);
  const names = await db<{ name_digest: string }[]>`
    select name_digest from payee_names where merchant_id = ${merchantId} and recipient_id = ${recipientId}`;
  expect(names.map((row) => row.name_digest).toSorted()).toEqual(
    [nameDigest('renamed shop'), nameDigest('bäckerei strasse')].toSorted(),
  );
});
