// Evidence bundles: everything about one payment, signed, to be verified offline. Nothing imports it but the
// composition. A bundle is read in one snapshot, and contains only what the database holds.

import { isFinal, parseExactJson } from '@payassent/protocol';
import * as api from '@payassent/protocol/api';
import type { PaymentRequest, PaymentRequestEvent } from '@payassent/protocol/records';
import type { Sql } from '../../db/open.ts';
import { notFound } from '../../errors.ts';
import { answer, implement, type Route } from '../../http/route.ts';
import { type Engine, eventsOfRequest, readOne } from '../../payments/index.ts';
import { eventsOfPayment } from '../agent-payments/history.ts';
import { readPayment } from '../agent-payments/read.ts';
import { type PaymentRow, paymentView } from '../agent-payments/view.ts';
import type { Feature } from '../feature.ts';
import { screenNames } from '../project-access/screen.ts';
import { pinnedContext } from '../transaction-contexts/contexts.ts';
import { agentPaymentSubject, requestSubject } from '../transparency-log/append.ts';
import type { LogSigner } from '../transparency-log/checkpoint.ts';
import { evidenceBundle, type Proved } from './bundle.ts';
import { findAgentName, findPaymentFacts, findRequestFacts, type PaymentFactsRow } from './bundle-sql.ts';

export const evidenceFeature = (parts: { engine: Engine; log: LogSigner }): Feature => ({
  name: 'evidence',
  routes: evidenceRoutes(parts),
});

/** The caller's reach limits the first read; the rest of the payment is then read by its ids. */
const evidenceRoutes = ({ engine, log }: { engine: Engine; log: LogSigner }): readonly Route[] => [
  implement(api.getPaymentRequestEvidence, {
    async run({ context, act, principal, params, query }) {
      const choice = { requestId: params['id'] ?? '', connectionId: query.connection_id ?? null };
      const record = await readOne({ ...engine, db: context.db }, act, principal, choice);
      const { serviceDb } = context;
      const subject = requestSubject(record.connection_id, record.request_id);
      const bundle = await evidenceBundle(serviceDb, act, log, subject, () =>
        provedRequest(serviceDb, record),
      );
      return answer(bundle);
    },
  }),
  implement(api.getAgentPaymentEvidence, {
    screen: screenNames,
    async run({ context, act, principal, companion, params }) {
      const row = await readPayment(context.db, act, { principal, companion }, params['id'] ?? '');
      const { serviceDb } = context;
      const subject = agentPaymentSubject(row.agent_payment_id);
      const bundle = await evidenceBundle(serviceDb, act, log, subject, () => provedPayment(serviceDb, row));
      return answer(bundle);
    },
  }),
];

/** Members that never change. The agent's key is left out: the wallet, which reads the same bundle, does not see it. */
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

async function provedRequest(sql: Sql, record: PaymentRequest): Promise<Proved> {
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

async function provedPayment(sql: Sql, row: PaymentRow): Promise<Proved> {
  const facts = await findPaymentFacts(sql, row.merchant_id, row.agent_payment_id);
  if (!facts) throw notFound();
  const payment = paymentView(row);
  return {
    subject: agentPaymentSubject(row.agent_payment_id),
    facts,
    request: {
      ...payment,
      payee: parseExactJson(facts.payee),
      status: 'intent_created',
      state_version: 1,
      tx_hash: null,
      reason: null,
      reason_text: null,
      decision: null,
      settlement: null,
      updated_at: payment.created_at,
    },
    agentName: await findAgentName(sql, facts.agent_id),
    context: null,
    history: (await eventsOfPayment(sql, row)).map((event) => ({ ...event })),
    settlement: payment.settlement ?? null,
    watchedAs: {
      kind: 'agent_payment',
      connection_id: row.connection_id,
      record_id: row.agent_payment_id,
    },
    isFinal: isFinal('agent_payment', row.status),
  };
}
