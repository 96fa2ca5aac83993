import { plainCashAddress } from '@payassent/protocol';
import type { Tx } from '../../db/open.ts';
import { mayBecome } from '../../db/status.ts';
import type { ObservationName } from '../observations/watch.ts';
import { ALL_PAYMENTS, assetKey, type Claim } from './compare.ts';
import { awaitsClaim, type Verdict } from './judge.ts';
import type { Observation } from './queue-sql.ts';

/** Held, so that no status changes between an event and the number it gets. False when it is gone. */
export async function holdRecord(tx: Tx, name: ObservationName): Promise<boolean> {
  const rows =
    name.kind === 'payment_request'
      ? await tx`
          select from payment_requests
          where merchant_id = ${name.merchant_id} and request_id = ${name.record_id}
            and connection_id = ${name.connection_id} for no key update`
      : await tx`
          select from agent_payments
          where agent_payment_id = ${name.record_id} and merchant_id = ${name.merchant_id} for no key update`;
  return rows.length > 0;
}

/** Answers how often the state was set; undefined when the state table does not let it become this. */
export async function storeSettlement(
  tx: Tx,
  name: Observation,
  verdict: Verdict,
  now: Date,
): Promise<number | undefined> {
  const { state, sources, transaction, differences } = verdict;
  const awaited = awaitsClaim(verdict) && transaction ? awaitedBy(name, transaction.tx_hash) : null;
  const [row] = await tx<{ changes: number }[]>`
    insert into settlements as s (
      merchant_id, connection_id, kind, record_id, status, checked_at, asked, agreed, transaction, differences,
      awaits_claim)
    values (${name.merchant_id}, ${name.connection_id}, ${name.kind}, ${name.record_id}, ${state}, ${now},
            ${sources.asked}, ${sources.agreed}, ${transaction && JSON.stringify(transaction)}::text::json,
            ${JSON.stringify(differences)}::text::json, ${awaited})
    on conflict (merchant_id, connection_id, kind, record_id) do update
    set status = excluded.status, changes = s.changes + (s.status <> excluded.status)::int,
        checked_at = excluded.checked_at, asked = excluded.asked, agreed = excluded.agreed,
        transaction = excluded.transaction, differences = excluded.differences, awaits_claim = excluded.awaits_claim
    where ${mayBecome(tx, 'settlement', state, 'observer', { alias: 's', orIs: true })}
    returning s.changes`;
  return row?.changes;
}

/** What a record that waits for a claim to end is found by. */
const awaitedBy = (name: Observation, txHash: string): string => `${payeeOf(name)} ${txHash}`;

/** One name for all spellings of an address: what one of them is paid, the others are paid too. */
const payeeOf = ({ network, pinned }: Pick<Observation, 'network' | 'pinned'>): string =>
  network === 'bitcoin_cash_mainnet' ? plainCashAddress(pinned.to) : pinned.to;

/**
 * Claims on payments to one address are made and ended one record after the other. Taken before the queue: who ends a
 * claim puts others on it.
 */
export async function holdClaims(tx: Tx, name: Observation): Promise<void> {
  const key = `claims ${name.merchant_id} ${name.network} ${payeeOf(name)}`;
  await tx`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`;
}

/** What others took of the payments that the transaction makes to the pinned address in the pinned asset. */
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

/** Ends what the record took of a transaction, and has those looked up again that it was in the way of. */
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
