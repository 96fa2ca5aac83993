import { isFinal, PAYMENT_REQUEST_PROTOCOL, PAYMENT_REQUEST_STATUSES } from '@payassent/protocol';
import { timeJson } from '../../db/time-json.ts';
import { IS_CURRENT, IS_SUSPENDED, isMovedSince } from '../../features/merchants/payee-standing.ts';
import { REQUEST_SETTLEMENT, REQUEST_SETTLEMENT_MARK } from '../../features/observations/settlement-json.ts';
import { webhookRows } from '../../features/webhooks/rows.ts';

/**
 * The one place that defines the JSON of a stored request and its event. PostgreSQL writes the text itself, so that the
 * statement that changes a record can put the very same bytes into its webhook message, and the service's only thread
 * is spared the work. Compact and escaped as `JSON.stringify` would do it; a test compares the two.
 *
 * `concat` skips nulls and copies each part once. A chain of `||` copies everything before it again at each step: 6 µs
 * more for a record.
 */

export const FINAL = PAYMENT_REQUEST_STATUSES.filter((status) => isFinal('payment_request', status))
  .map((status) => `'${status}'`)
  .join(', ');

const joined = (...parts: string[]) => `concat(${parts.join(',\n  ')})`;

/** Present or left out. */
function optional(name: string, value: string): string {
  return `',"${name}":' || ${value}`;
}

/** Present or null. */
function nullable(name: string, value: string): string {
  return `',"${name}":', coalesce((${value})::text, 'null')`;
}

/**
 * A verified payee as pinned, with additional members. Every version has written the member in this form; a quote
 * inside a JSON text is escaped, so nothing else can be replaced.
 */
function payeeWith(members: string): string {
  return `replace(r.payee::text, '"verified":true,', ${members})`;
}

/** Requests from before these members were pinned: no evidence was bound to a payee at that time. */
const UNPINNED = `case when strpos(r.payee::text, '"binding":') = 0
  then ',"binding":"domain","activated_at":' || ${timeJson('least(v.activated_at, r.created_at)')} end`;

const IS_CURRENT_JSON = `case when ${IS_CURRENT} then 'true' else 'false' end`;

/**
 * The payee as pinned, but not verified. Built from its members: a text in another form must not stay verified because
 * nothing in it could be replaced.
 */
const UNVERIFIED_PAYEE = `(
  select concat('{"verified":false,"is_current":', ${IS_CURRENT_JSON}, ${UNPINNED},
    string_agg(concat(',', to_json(p.name), ':', p.value), '' order by p.at), '}')
  from json_each(r.payee) with ordinality p(name, value, at) where p.name <> 'verified')`;

/**
 * The payee as pinned, and the current state of its version. Before a decision, a payee whose domain is gone, or that
 * has another domain now, is not verified; a decided request keeps what was true.
 */
const PAYEE_NOW = `(
  select case when r.status = 'pending' and (${IS_SUSPENDED} or ${isMovedSince('r')}) then ${UNVERIFIED_PAYEE}
    else ${payeeWith(joined(`'"verified":true,"is_current":'`, IS_CURRENT_JSON, UNPINNED, `','`))} end
  from recipient_versions v
  where v.merchant_id = r.merchant_id and v.recipient_version_id = r.recipient_version_id)`;

/**
 * A decision as every party but its wallet reads it: an unsigned one names no device, because nothing verifies it by
 * its device, and the id would link one customer's decisions at several merchants. The service writes these members
 * next to each other; a quote inside a JSON text is escaped, so nothing else can be replaced.
 */
const withoutDevice = (decision: string) => `case when strpos(${decision}::text, '"alg":null') > 0
    then regexp_replace(${decision}::text, '"device_id":"[^"]*","alg":null', '"device_id":null,"alg":null')
    else ${decision}::text end`;

/** `r` is the row of payment_requests. */
const recordJson = (payee: string, settlement: string, decision = withoutDevice('r.decision')) =>
  joined(
    `'{"protocol":"${PAYMENT_REQUEST_PROTOCOL}","request_id":', to_json(r.request_id::text)`,
    `',"connection_id":"', r.connection_id, '"'`,
    optional('transaction_id', 'to_json(r.transaction_id::text)'),
    `',"created_at":', ${timeJson('r.created_at')}, ',"expires_at":', ${timeJson('r.expires_at')}`,
    nullable('created_with', `'"' || r.created_with || '"'`),
    optional('idempotency_key', 'to_json(r.idempotency_key)'),
    `',"status":"', r.status, '","state_version":', r.state_version`,
    `case when r.status in (${FINAL}) then ',"is_final":true' else ',"is_final":false' end`,
    `',"source":', r.source, ',"payee":', ${payee}`,
    `',"payment":{"rail":"', r.rail, '","network":"', r.network, '","asset":', to_json(r.asset)`,
    `',"amount":"', r.amount, '","to":', to_json(r.to_address)`,
    optional('contract', 'to_json(r.contract)'),
    optional('issuer', 'to_json(r.issuer)'),
    `',"decimals":', r.decimals`,
    optional('chain_id', 'r.chain_id'),
    optional('memo', 'to_json(r.memo)'),
    // As in `memoTypeOf`: a text memo of Stellar is shorter.
    `case when r.network in ('stellar_public', 'stellar_testnet') and r.memo ~ '^[0-9a-f]{64}$' then ',"memo_type":"hash"' end`,
    `'},"policy":{"requires_user_approval":true}'`,
    optional('display', 'r.display'),
    optional('metadata', 'r.metadata'),
    optional('risk', 'r.risk'),
    `',"facts_digest":"', r.facts_digest, '"'`,
    nullable(
      'transaction_context',
      `case when r.transaction_id is not null then '{"revision":' || coalesce(r.context_revision::text, 'null') || '}' end`,
    ),
    nullable('tx_hash', 'to_json(r.tx_hash)'),
    nullable('reason', 'to_json(r.reason)'),
    nullable('reason_text', 'to_json(r.reason_text)'),
    nullable('decision', decision),
    nullable('settlement', settlement),
    `',"updated_at":', ${timeJson('r.updated_at')}, '}'`,
  );

export const RECORD_JSON = recordJson(PAYEE_NOW, REQUEST_SETTLEMENT);

/** For the wallet: with the device of an unsigned decision. */
export const WALLET_RECORD_JSON = recordJson(PAYEE_NOW, REQUEST_SETTLEMENT, 'r.decision');

/** The record `m.record`, which was made for the wallet, as it is sent to others, next to its `m.decision`. */
export const SHOWN_RECORD = `case when strpos(m.decision::text, '"alg":null') > 0
    then replace(m.record, ',"decision":' || m.decision::text, ',"decision":' || ${withoutDevice('m.decision')})
    else m.record end`;

/**
 * Two texts of one request under the same mark and the same version of its merchant's permissions are equal: everything
 * in a record is pinned when it is made, except what a new state brings, a hash that follows its state, the settlement,
 * and the state of the payee, whose changes renew the version. Anything else that may change must be here. With its
 * time, because a state that a failover lost may be followed by another with the same number.
 */
export const RECORD_MARK = `concat(r.state_version, case when r.tx_hash is null then '-' else '#' end, r.updated_at,
  ' ' || ${REQUEST_SETTLEMENT_MARK})`;

/** For a request that the statement itself creates: its gate has just found the payee current. */
export const NEW_RECORD_JSON = recordJson(payeeWith(`'"verified":true,"is_current":true,'`), 'null');

const eventJson = (id: 'request_id' | 'agent_payment_id') =>
  joined(
    `'{"event_id":"', e.event_id, '","sequence":', e.sequence, ',"type":"', e.type`,
    `'","${id}":', to_json(e.${id}::text), ',"connection_id":"', e.connection_id`,
    `'","status":"', e.status, '","previous_status":"', e.previous_status`,
    `'","state_version":', e.state_version, ',"actor":"', e.actor, '"'`,
    optional('tx_hash', 'to_json(e.tx_hash)'),
    optional('reason', 'to_json(e.reason)'),
    optional('takeover', `case when e.takeover then 'true' end`),
    optional('settlement_state', `'"' || e.settlement_state || '"'`),
    `',"occurred_at":', ${timeJson('e.occurred_at')}, '}'`,
  );

/** `e` is the row of payment_request_events. */
export const EVENT_JSON = eventJson('request_id');

/** `e` is the row of agent_payment_events. */
export const PAYMENT_EVENT_JSON = eventJson('agent_payment_id');

/** The log's contents for a decision and for the end of a request; `m` is the moved request, `e` its event. */
export const DECISION_CONTENT = `'{"request_id":' || to_json(m.request_id::text) || ',"connection_id":"' || m.connection_id
  || '","decision":' || ${withoutDevice('m.decision')} || '}'`;
export const FINAL_CONTENT = `'{"event":' || e.event || ',"facts_digest":"' || m.facts_digest || '"}'`;

/**
 * The bytes of `webhookBody`, from a row `s` of {event_id, type, occurred_at, sequence, record, previous_status,
 * takeover}.
 */
export const WEBHOOK_BODY = joined(
  `'{"id":"', s.event_id, '","type":"', s.type, '","timestamp":', ${timeJson('s.occurred_at')}`,
  optional('sequence', 's.sequence'),
  `',"data":{"payment_request":', s.record`,
  optional('previous_status', `'"' || s.previous_status || '"'`),
  optional('takeover', `case when s.takeover then 'true' end`),
  `'}}'`,
);

/**
 * Common tail of every statement that changes a request. It follows a query `said` with the columns above, and `now`.
 */
export const WEBHOOK_ROWS = webhookRows(WEBHOOK_BODY);
