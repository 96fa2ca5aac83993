import * as api from '@payassent/protocol/api';
import { answer, implement, type Route } from '../../http/route.ts';
import { type Engine, readOne } from '../../payments/index.ts';
import { readPayment } from '../agent-payments/read.ts';
import { screenNames } from '../project-access/screen.ts';
import { agentPaymentSubject, requestSubject } from '../transparency-log/append.ts';
import type { LogSigner } from '../transparency-log/checkpoint.ts';
import { evidenceBundle } from './bundle.ts';
import { provedPayment } from './proved-payment.ts';
import { provedRequest } from './proved-request.ts';

/** The reading is done in the caller's own reach; what belongs to the payment is then gathered by its names. */
export const evidenceRoutes = ({ engine, log }: { engine: Engine; log: LogSigner }): readonly Route[] => [
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
