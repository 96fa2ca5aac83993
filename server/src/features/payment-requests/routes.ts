import * as api from '@payassent/protocol/api';
import { answer, implement, type Route, replay } from '../../http/route.ts';
import { lastSeenOf } from '../callers/last-seen.ts';
import { decisionIssues } from '../decisions/decide.ts';
import { createPaymentRequest } from './create.ts';
import { previewPaymentRequest } from './preview.ts';
import { reasonIssues } from './reason.ts';
import { reportStatus } from './status.ts';
import { paymentRequestAnswer, statusAnswer, withdrawAnswer } from './view.ts';
import { callerOf, countRefusals, engineOf, hashOf } from './wiring.ts';
import { withdrawRequest } from './withdraw.ts';

export const createRoute: Route = implement(api.createPaymentRequest, {
  credentialCheck: 'statement',
  collectsIssues: true,
  freeForm: ['source', 'display', 'metadata'],
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
    const body = paymentRequestAnswer(result.record, engine.links);
    return result.isReplay ? replay(body) : answer(body);
  },
});

export const previewRoute: Route = implement(api.previewPaymentRequest, {
  collectsIssues: true,
  freeForm: ['source', 'display', 'metadata'],
  async run({ context, act, principal, body, issues }) {
    return { preview: await previewPaymentRequest(engineOf(context), act, principal, body, issues) };
  },
});

export const statusRoute: Route = implement(api.reportPaymentRequestStatus, {
  credentialCheck: 'statement',
  check: (body) => [...reasonIssues(body), ...decisionIssues(body)],
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
    lastSeenOf(call.context).note(hashOf(presented), call.act.now);
    return answer(statusAnswer(result.record, result.event, engine.links));
  },
});

export const withdrawRoute: Route = implement(api.withdrawPaymentRequest, {
  async run({ context, act, principal, params }) {
    const engine = { ...engineOf(context), db: context.db };
    const result = await countRefusals(act, () =>
      withdrawRequest(engine, act, principal, params['id'] ?? ''),
    );
    return answer(withdrawAnswer(result.record, result.event, engine.links));
  },
});
