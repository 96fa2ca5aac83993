import { timeJson } from '../../db/time-json.ts';

/** The kinds of records with a settlement. Each kind has its own sequence of events. */
export type SettledKind = 'payment_request' | 'agent_payment';

/** `s` is the row of settlements. */
const SETTLEMENT = `concat('{"state":"', s.status, '","checked_at":', ${timeJson('s.checked_at')},
  ',"sources":{"asked":', s.asked, ',"agreed":', s.agreed, '},"transaction":', coalesce(s.transaction::text, 'null'),
  ',"differences":', s.differences, '}')`;

function ofRecord(kind: SettledKind, alias: string, value: string): string {
  const id = kind === 'payment_request' ? 'request_id' : 'agent_payment_id';
  // Most payments that are read have no transaction yet: those cost no lookup.
  return `case when ${alias}.tx_hash is not null then (
    select ${value} from settlements s
    where s.merchant_id = ${alias}.merchant_id and s.connection_id = ${alias}.connection_id
      and s.kind = '${kind}' and s.record_id = ${alias}.${id}) end`;
}

/** The settlement of the request `r`, as JSON text; null where the chain has not been read. */
export const REQUEST_SETTLEMENT = ofRecord('payment_request', 'r', SETTLEMENT);
/** About the agent payment `o`. */
export const PAYMENT_SETTLEMENT = ofRecord('agent_payment', 'o', SETTLEMENT);
/** Differs whenever the text about the request `r` does. */
export const REQUEST_SETTLEMENT_MARK = ofRecord(
  'payment_request',
  'r',
  `concat(s.changes, ' ', extract(epoch from s.checked_at))`,
);
