import { randomBytes } from 'node:crypto';
import { type Network, newId, newToken } from '@payassent/protocol';
import type { Database } from '../../../server/src/db/open.ts';
import { hashSecret } from '../../../server/src/lib/keys.ts';
import { newDecisionKey, type TestDecisionKey } from '../people/decision-keys.ts';

const BARE = 'ab12cd34'.repeat(8);
const TON = Buffer.from('fbef'.repeat(16), 'hex');

/** A hash as an earlier release stored what a wallet had sent, and how a wallet may spell it today. */
interface Spelling {
  network: Network;
  stored: string;
  others: readonly string[];
}

const SPELLINGS: readonly Spelling[] = [
  { network: 'stellar_testnet', stored: BARE.toUpperCase(), others: [BARE, `0x${BARE}`] },
  { network: 'ethereum_mainnet', stored: BARE, others: [`0x${BARE}`, BARE.toUpperCase()] },
  { network: 'ethereum_mainnet', stored: `0x${BARE.toUpperCase()}`, others: [`0x${BARE}`, BARE] },
  {
    network: 'ton_mainnet',
    stored: TON.toString('base64'),
    others: [TON.toString('base64url'), TON.toString('hex')],
  },
  {
    network: 'ton_mainnet',
    stored: TON.toString('base64url'),
    others: [TON.toString('base64'), TON.toString('hex').toUpperCase()],
  },
  {
    network: 'hedera_mainnet',
    stored: '0.0.1234@1700000000.000000001',
    others: ['0.0.1234-1700000000-000000001'],
  },
];

/** What a test put into a stored database, in the words of its schema. */
export interface Respelt {
  device: { device_id: string; token: string; walletId: string; recoveryCode: string };
  requests: (Spelling & { requestId: string })[];
  /** Of the wallet, with a request that awaits a decision; undefined before there were decision keys. */
  keyed: { key: TestDecisionKey; requestId: string } | undefined;
  /** The request whose payment was final; undefined in versions before chains were observed. */
  finalId: string | undefined;
}

const ONE_DAY = new Date(Date.now() + 24 * 3600_000).toISOString();
const idOf = (prefix: 'pr') => newId(prefix, Date.now(), (length) => randomBytes(length));

/** Adds to a database of an earlier release what its wallets may have sent: one row made from another, whatever its columns. */
export async function storeSpellings(db: Database): Promise<Respelt> {
  const [model] = await db<{ request_id: string; wallet_id: string; device_id: string }[]>`
    select request_id, wallet_id, decided_by_device_id as device_id from payment_requests
    where status = 'broadcasted' and transaction_id is null order by created_at limit 1`;
  if (!model) throw new Error('no request of the stored database is broadcasted');
  const token = newToken('device', (length) => randomBytes(length));
  await db`insert into device_tokens (token_hash, device_id, created_at)
    values (${hashSecret(token)}, ${model.device_id}, now())`;
  const requests: Respelt['requests'] = [];
  for (const spelling of SPELLINGS) {
    const { network, stored: tx_hash } = spelling;
    const requestId = await copyRequest(db, model.request_id, { network, tx_hash });
    requests.push({ ...spelling, requestId });
  }
  const recoveryCode = '';
  return {
    device: { device_id: model.device_id, token, walletId: model.wallet_id, recoveryCode },
    requests,
    keyed: (await has(db, 'decision_keys')) ? await storeKey(db, model) : undefined,
    finalId: (await has(db, 'settlements')) ? await storeFinal(db, requests[0]) : undefined,
  };
}

/** Every hash that a request or an agent payment has. */
export async function hashesIn(db: Database): Promise<{ id: string; network: Network; tx_hash: string }[]> {
  return [
    ...(await db<{ id: string; network: Network; tx_hash: string }[]>`
      select request_id as id, network, tx_hash from payment_requests where tx_hash is not null
      union all
      select agent_payment_id, network, tx_hash from agent_payments where tx_hash is not null
      order by 1`),
  ];
}

async function has(db: Database, table: string): Promise<boolean> {
  const [row] = await db<[{ found: boolean }]>`select to_regclass(${table}) is not null as found`;
  return row.found;
}

async function copyRequest(db: Database, from: string, change: Record<string, unknown>): Promise<string> {
  const request_id = idOf('pr');
  const other = db.json({ ...change, request_id, idempotency_key: request_id } as never);
  await db`insert into payment_requests
    select (jsonb_populate_record(r, ${other}::jsonb)).* from payment_requests r where r.request_id = ${from}`;
  return request_id;
}

/** The key of a wallet that signs, in the place of a stored one whose private half is not known. */
async function storeKey(
  db: Database,
  { wallet_id, device_id, request_id: from }: { wallet_id: string; device_id: string; request_id: string },
): Promise<NonNullable<Respelt['keyed']>> {
  const key = newDecisionKey();
  await db`update decision_keys set ended_at = now() where wallet_id = ${wallet_id} and ended_at is null`;
  await db`insert into decision_keys (device_id, wallet_id, alg, thumbprint, key, created_at)
    values (${device_id}, ${wallet_id}, 'Ed25519', ${key.thumbprint}, ${db.json(key.key as never)}, now())`;
  const change = {
    status: 'pending',
    state_version: 1,
    tx_hash: null,
    decision: null,
    decided_by_device_id: null,
    expires_at: ONE_DAY,
  };
  const requestId = await copyRequest(db, from, change);
  if (await has(db, 'pending_requests'))
    await db`insert into pending_requests
      (merchant_id, connection_id, expires_at, request_id, created_at, recipient_id, recall_generation)
      select merchant_id, connection_id, expires_at, request_id, created_at, recipient_id, recall_generation
      from payment_requests where request_id = ${requestId} on conflict do nothing`;
  return { key, requestId };
}

async function storeFinal(db: Database, request: Respelt['requests'][number] | undefined): Promise<string> {
  const requestId = request?.requestId ?? '';
  const transaction = db.json({ tx_hash: request?.stored.toLowerCase() } as never);
  await db`insert into settlements
    (merchant_id, connection_id, kind, record_id, status, checked_at, asked, agreed, transaction, differences)
    select merchant_id, connection_id, 'payment_request', request_id, 'final', now(), 1, 1, ${transaction}, '[]'
    from payment_requests where request_id = ${requestId}`;
  return requestId;
}
