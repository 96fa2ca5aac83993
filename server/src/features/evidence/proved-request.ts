import { parseExactJson } from '@payassent/protocol';
import type { PaymentRequest, PaymentRequestEvent } from '@payassent/protocol/records';
import type { Sql } from '../../db/open.ts';
import { notFound } from '../../errors.ts';
import { eventsOfRequest } from '../../payments/index.ts';
import { pinnedContext } from '../transaction-contexts/contexts.ts';
import { requestSubject } from '../transparency-log/append.ts';
import type { Proved } from './bundle.ts';
import { findRequestFacts, type PaymentFactsRow } from './bundle-sql.ts';

/** Members that never change. The agent's key is left out: the wallet, which reads the same bundle, is not shown it. */
const PINNED = [
  'protocol',
  'request_id',
  'connection_id',
  'transaction_id',
  'created_at',
  'expires_at',
  'source',
  'payment',
  'policy',
  'display',
  'metadata',
  'risk',
  'facts_digest',
  'transaction_context',
] as const satisfies readonly (keyof PaymentRequest)[];

export async function provedRequest(sql: Sql, record: PaymentRequest): Promise<Proved> {
  const { connection_id: connectionId, request_id: requestId } = record;
  const facts = await findRequestFacts(sql, connectionId, requestId);
  if (!facts) throw notFound();
  const history = await eventsOfRequest(sql, facts.merchant_id, connectionId, requestId);
  return {
    subject: requestSubject(connectionId, requestId),
    facts,
    request: asCreated(record, facts),
    agentName: String(record.source['agent_name'] ?? ''),
    context: await pinnedContext(sql, record),
    history: history.map((event) => ({ ...(event satisfies PaymentRequestEvent) })),
    settlement: record.settlement ?? null,
    watchedAs: { kind: 'payment_request', connection_id: connectionId, record_id: requestId },
    isFinal: record.is_final,
  };
}

function asCreated(
  record: PaymentRequest,
  { payee, created_with }: PaymentFactsRow,
): Record<string, unknown> {
  const pinned = PINNED.filter((name) => record[name] !== undefined).map((name) => [name, record[name]]);
  return {
    ...Object.fromEntries(pinned),
    payee: parseExactJson(payee),
    created_with,
    status: 'pending',
    state_version: 1,
    is_final: false,
    tx_hash: null,
    reason: null,
    reason_text: null,
    decision: null,
    settlement: null,
    updated_at: record.created_at,
  };
}
