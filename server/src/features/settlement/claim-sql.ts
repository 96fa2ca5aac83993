import { plainCashAddress } from '@payassent/protocol';
import type { Tx } from '../../db/open.ts';
import { ALL_PAYMENTS, assetKey, type Claim } from './compare.ts';
import type { Observation } from './queue-sql.ts';

/** The key of records that wait for a claim to end. */
export const awaitedBy = (name: Observation, txHash: string): string => `${payeeOf(name)} ${txHash}`;

/** One name for all spellings of an address: a payment to one of them is a payment to all. */
const payeeOf = ({ network, pinned }: Pick<Observation, 'network' | 'pinned'>): string =>
  network === 'bitcoin_cash_mainnet' ? plainCashAddress(pinned.to) : pinned.to;

/**
 * Claims on payments to one address are made and ended one record after the other. Locked before the queue: ending a
 * claim queues others.
 */
export async function holdClaims(tx: Tx, name: Observation): Promise<void> {
  const key = `claims ${name.merchant_id} ${name.network} ${payeeOf(name)}`;
  await tx`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`;
}

/** The claims of others on the transaction's payments to the pinned address in the pinned asset. */
export async function readClaims(tx: Tx, name: Observation, txHash: string): Promise<Claim[]> {
  return tx<Claim[]>`
    select payment, trim_scale(amount)::text as amount from settlement_claims
    where ${onTransaction(tx, name, txHash)} and (asset = ${assetKey(name.pinned)} or payment = ${ALL_PAYMENTS})
      and (connection_id, kind, record_id) <> (${name.connection_id}, ${name.kind}, ${name.record_id})`;
}

function onTransaction(tx: Tx, name: Observation, txHash: string) {
  const { merchant_id, network } = name;
  return tx`merchant_id = ${merchant_id} and network = ${network} and to_address = ${payeeOf(name)} and tx_hash = ${txHash}`;
}

export async function insertClaims(
  tx: Tx,
  name: Observation,
  txHash: string,
  taken: readonly Claim[],
  now: Date,
): Promise<void> {
  const { merchant_id, network, pinned, kind, connection_id, record_id } = name;
  const rows = taken.map(({ payment, amount }) => ({
    merchant_id,
    network,
    to_address: payeeOf(name),
    tx_hash: txHash,
    asset: assetKey(pinned),
    payment,
    kind,
    connection_id,
    record_id,
    amount,
    claimed_at: now,
  }));
  await tx`insert into settlement_claims ${tx(rows)}`;
}

/** Ends the record's claims on a transaction, and schedules again the records they blocked. */
export async function endClaims(tx: Tx, name: Observation, txHash: string, now: Date): Promise<void> {
  const { merchant_id, connection_id, kind, record_id, network } = name;
  await tx`
    delete from settlement_claims
    where ${onTransaction(tx, name, txHash)} and connection_id = ${connection_id} and kind = ${kind}
      and record_id = ${record_id}`;
  await tx`
    insert into observations as q (merchant_id, connection_id, kind, record_id, network, changed_at, look_at)
    select s.merchant_id, s.connection_id, s.kind, s.record_id, ${network}, ${now}, ${now}
    from settlements s
    where s.merchant_id = ${merchant_id} and s.awaits_claim = ${awaitedBy(name, txHash)}
    on conflict (merchant_id, connection_id, kind, record_id) do update
    set changed_at = excluded.changed_at, tries = 0,
        look_at = case when q.lease is null then excluded.look_at else q.look_at end`;
}
