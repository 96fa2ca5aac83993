import { PaymentRequestEventSchema, PaymentRequestSchema } from '@payassent/protocol/records';
import { Type } from 'typebox';
import { answer, defineRoute, type Route, replay } from '../../http/route.ts';
import { createPaymentRequest } from './create.ts';
import { reasonIssues } from './reason.ts';
import { CREATE_INPUT, STATUS_INPUT } from './schema.ts';
import { reportStatus } from './status.ts';
import { paymentRequestAnswer, statusAnswer } from './view.ts';
import { callerOf, countRefusals, engineOf, hashOf } from './wiring.ts';

export const createRoute: Route = defineRoute({
  method: 'POST',
  path: '/v1/payment-requests',
  summary: 'Ask the user for a payment',
  description:
    'Success means that the request awaits the wallet, not that anything is paid. All payment facts come from the active version of the Recipient. Send the same again with the same idempotency key to learn what became of it.',
  tag: 'Payment requests',
  credential: ['connection'],
  scope: 'payment.requests.create',
  credentialCheck: 'statement',
  collectsIssues: true,
  idempotent: true,
  limit: 'create',
  body: CREATE_INPUT,
  freeForm: ['source', 'display', 'metadata'],
  status: 201,
  answer: Type.Object({ payment_request: PaymentRequestSchema }),
  errors: [
    'idempotency_key_required',
    'idempotency_key_reused',
    'request_id_conflict',
    'risk_rejected',
    'connection_paused',
    'recipient_not_active',
    'recipient_version_not_active',
    'network_not_enabled',
    'limit_reached',
    'resource_not_found',
  ],
  async run(call) {
    const engine = engineOf(call.context);
    const result = await countRefusals(call.act, () =>
      createPaymentRequest(engine, call.act, {
        caller: callerOf(call.presented),
        authenticate: call.authenticate,
        body: call.body,
        issues: call.issues,
        idempotencyKey: call.idempotencyKey,
      }),
    );
    const body = paymentRequestAnswer(result.record);
    return result.isReplay ? replay(body) : answer(body);
  },
});

export const statusRoute: Route = defineRoute({
  method: 'POST',
  path: '/v1/payment-requests/{id}/status',
  summary: 'Report what the wallet did with a request',
  description:
    'A wallet broadcasts only after an answer whose event is not null, or after its own repeat: that keeps two devices from paying twice.',
  tag: 'Payment requests',
  credential: ['wallet'],
  credentialCheck: 'statement',
  body: STATUS_INPUT,
  answer: Type.Object({
    payment_request: PaymentRequestSchema,
    event: Type.Union([PaymentRequestEventSchema, Type.Null()]),
  }),
  errors: [
    'resource_not_found',
    'ambiguous_request_id',
    'invalid_status_transition',
    'status_conflict',
    'payment_request_expired',
    'risk_rejected',
  ],
  check: reasonIssues,
  async run(call) {
    const engine = engineOf(call.context);
    const { presented } = call;
    const result = await countRefusals(call.act, () =>
      reportStatus(engine, call.act, {
        tokenHash: hashOf(presented),
        deviceId: presented?.deviceId,
        authenticate: call.authenticate,
        requestId: call.params['id'] ?? '',
        input: call.body,
      }),
    );
    return answer(statusAnswer(result.record, result.event));
  },
});
