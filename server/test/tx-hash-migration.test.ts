import { databaseBefore } from '@payassent/proof/database/older-database';
import { canonicalTxHash, NETWORKS, type Network } from '@payassent/protocol';
import { expect, it } from 'vitest';
import type { Database } from '../src/db/open.ts';

const id = (prefix: string, name: string) => `${prefix}_${name.toUpperCase().padStart(26, '0')}`;
const MERCHANT = id('mer', 'a');
const CONNECTION = id('con', 'a');
const BARE = 'ab12'.repeat(16);
const SPELLINGS = [
  BARE,
  BARE.toUpperCase(),
  `0x${BARE.toUpperCase()}`,
  Buffer.from('fbef'.repeat(16), 'hex').toString('base64'),
  Buffer.from('fbef'.repeat(16), 'hex').toString('base64url'),
  '0.0.1234@1700000000.000000001',
  'Ab12',
];

/** A request and an agent payment that name a transaction, each with an event that does. */
async function store(db: Database, name: string, network: Network, txHash: string): Promise<void> {
  const common = {
    merchant_id: MERCHANT,
    connection_id: CONNECTION,
    wallet_id: id('wlt', 'a'),
    agent_id: id('agt', 'a'),
    idempotency_key: name,
    intent_digest: 'x',
    rail: 'stellar_xlm',
    network,
    asset: 'XLM',
    amount: '1.50',
    to_address: 'G',
    decimals: 7,
    payee: db.json({}),
    facts_digest: 'x',
    status: 'broadcasted',
    state_version: 3,
    tx_hash: txHash,
    created_at: new Date(0),
    expires_at: new Date(0),
    updated_at: new Date(0),
  };
  const recipient = { recipient_id: id('rcp', 'a'), recipient_version_id: id('rcv', 'a') };
  const event = {
    connection_id: CONNECTION,
    merchant_id: MERCHANT,
    type: 'x',
    status: 'broadcasted',
    previous_status: 'signed',
    state_version: 3,
    actor: 'wallet',
    tx_hash: txHash,
    occurred_at: new Date(0),
  };
  await db`insert into payment_requests ${db({ ...common, ...recipient, request_id: name, source: db.json({}) })}`;
  await db`insert into agent_payments ${db({ ...common, agent_payment_id: name, initiated_by: 'human' })}`;
  const [count] = await db<[{ n: number }]>`select count(*)::int as n from payment_request_events`;
  const place = { sequence: count.n + 1, event_id: name };
  await db`insert into payment_request_events ${db({ ...event, ...place, request_id: name })}`;
  await db`insert into agent_payment_events ${db({ ...event, ...place, agent_payment_id: name })}`;
}

it('stored hashes get the one spelling of the protocol, in records and in their events, which stay final', async () => {
  const { db, upgrade } = await databaseBefore('claimed_payments');
  const stored = NETWORKS.flatMap((network) =>
    SPELLINGS.map((txHash, place) => ({ name: `${network}-${place}`, network, txHash })),
  );
  for (const { name, network, txHash } of stored) await store(db, name, network, txHash);
  await upgrade();
  const expected = new Map(
    stored.map(({ name, network, txHash }) => [name, canonicalTxHash(network, txHash)]),
  );
  for (const [table, key] of [
    ['payment_requests', 'request_id'],
    ['payment_request_events', 'request_id'],
    ['agent_payments', 'agent_payment_id'],
    ['agent_payment_events', 'agent_payment_id'],
  ] as const) {
    const rows = await db<{ name: string; tx_hash: string }[]>`
      select ${db(key)}::text as name, tx_hash from ${db(table)}`;
    expect(new Map(rows.map(({ name, tx_hash }) => [name, tx_hash])), table).toEqual(expected);
  }
  for (const table of ['payment_request_events', 'agent_payment_events'])
    await expect(db`update ${db(table)} set tx_hash = 'x'`).rejects.toThrow();
}, 240_000);

it('what was final before claims holds the whole transaction, the older record of several', async () => {
  const { db, upgrade } = await databaseBefore('claimed_payments');
  await store(db, 'first', 'stellar_testnet', BARE);
  await store(db, 'second', 'stellar_testnet', BARE);
  const settlement = (record_id: string, kind: string, status: string) => ({
    merchant_id: MERCHANT,
    connection_id: CONNECTION,
    kind,
    record_id,
    status,
    checked_at: new Date(0),
    asked: 1,
    agreed: 1,
    transaction: db.json({ tx_hash: BARE }),
    differences: db.json([]),
  });
  await db`insert into settlements ${db([
    settlement('first', 'payment_request', 'final'),
    settlement('second', 'payment_request', 'final'),
    settlement('first', 'agent_payment', 'mismatch'),
  ])}`;
  await upgrade();
  const claims = await db`
    select network, to_address, tx_hash, asset, payment, kind, record_id, amount::text from settlement_claims`;
  expect([...claims]).toEqual([
    {
      network: 'stellar_testnet',
      to_address: 'G',
      tx_hash: BARE,
      asset: '',
      payment: -1,
      kind: 'payment_request',
      record_id: 'first',
      amount: '1.50',
    },
  ]);
}, 240_000);
