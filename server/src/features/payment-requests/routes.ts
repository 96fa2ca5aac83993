import * as api from '@payassent/protocol/api';
import { answer, implement, Members, type Route, replay } from '../../http/route.ts';
import {
  createPaymentRequest,
  type Engine,
  paymentRequestMembers,
  previewPaymentRequest,
  reasonIssues,
  reportStatus,
  statusMembers,
  withdrawMembers,
  withdrawRequest,
  withReviewLinks,
} from '../../payments/index.ts';
import type { LastSeen } from '../callers/last-seen.ts';
import { decisionIssues } from '../decisions/decide.ts';
import { callerOf, countRefusals, hashOf } from './wiring.ts';

interface Parts {
  engine: Engine;
  lastSeen: LastSeen;
}

const createRoute = ({ engine }: Parts) =>
  implement(api.createPaymentRequest, {
    credentialCheck: 'statement',
    collectsIssues: true,
    freeForm: ['source', 'display', 'metadata'],
    async run(call) {
      const result = await countRefusals(call.act, () =>
        createPaymentRequest(engine, call.act, {
          caller: callerOf(call.presented),
          authenticate: call.authenticate,
          body: call.body,
          issues: call.issues,
          idempotencyKey: call.idempotencyKey,
        }),
      );
      const body = new Members(paymentRequestMembers(withReviewLinks(result.record, engine.links)));
      return result.isReplay ? replay(body) : answer(body);
    },
  });

const previewRoute = ({ engine }: Parts) =>
  implement(api.previewPaymentRequest, {
    collectsIssues: true,
    freeForm: ['source', 'display', 'metadata'],
    async run({ act, principal, body, issues }) {
      return { preview: await previewPaymentRequest(engine, act, principal, body, issues) };
    },
  });

const statusRoute = ({ engine, lastSeen }: Parts) =>
  implement(api.reportPaymentRequestStatus, {
    credentialCheck: 'statement',
    check: (body) => [...reasonIssues(body), ...decisionIssues(body)],
    async run(call) {
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
      lastSeen.note(hashOf(presented), call.act.now);
      return answer(new Members(statusMembers(result.record, result.event, engine.links)));
    },
  });

const withdrawRoute = ({ engine }: Parts) =>
  implement(api.withdrawPaymentRequest, {
    async run({ context, act, principal, params }) {
      const result = await countRefusals(act, () =>
        withdrawRequest({ ...engine, db: context.db }, act, principal, params['id'] ?? ''),
      );
      return answer(new Members(withdrawMembers(result.record, result.event, engine.links)));
    },
  });

export function requestRoutes(parts: Parts): Route[] {
  return [createRoute(parts), previewRoute(parts), statusRoute(parts), withdrawRoute(parts)];
}
