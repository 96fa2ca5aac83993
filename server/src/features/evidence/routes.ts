import * as api from '@payassent/protocol/api';
import type { Context } from '../../context.ts';
import { answer, implement, type Route } from '../../http/route.ts';
import { readPayment } from '../agent-payments/read.ts';
import { readOne } from '../payment-requests/read.ts';
import { engineOf } from '../payment-requests/wiring.ts';
import { screenNames } from '../project-access/screen.ts';
import { agentPaymentSubject, requestSubject } from '../transparency-log/append.ts';
import { evidenceBundle } from './bundle.ts';
import { provedPayment } from './proved-payment.ts';
import { provedRequest } from './proved-request.ts';

/** The reading is done in the caller's own reach; what belongs to the payment is then gathered by its names. */
export const evidenceRoutes: readonly Route[] = [
  implement(api.getPaymentRequestEvidence, {
    async run({ context, act, principal, params, query }) {
      const engine = { ...engineOf(context), db: context.db };
      const choice = { requestId: params['id'] ?? '', connectionId: query.connection_id ?? null };
      const record = await readOne(engine, act, principal, choice);
      const { serviceDb } = context;
      const subject = requestSubject(record.connection_id, record.request_id);
      const bundle = await evidenceBundle(serviceDb, act, partsOf(context), subject, () =>
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
      const bundle = await evidenceBundle(serviceDb, act, partsOf(context), subject, () =>
        provedPayment(serviceDb, row),
      );
      return answer(bundle);
    },
  }),
];

function partsOf({ config, keys }: Pick<Context, 'config' | 'keys'>) {
  return { baseUrl: config.baseUrl, keys };
}
