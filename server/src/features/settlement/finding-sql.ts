import type { Tx } from '../../db/open.ts';
import { mayBecome } from '../../db/status.ts';
import type { ObservationName } from '../observations/watch.ts';
import { awaitedBy } from './claim-sql.ts';
import { awaitsClaim, type Verdict } from './judge.ts';
import type { Observation } from './queue-sql.ts';

/** Locked, so that no status changes between an event and its number. False when it is gone. */
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

/** Returns how often the state was set; undefined when the state table does not allow this state next. */
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
