import { waitingForLocks } from '@payassent/proof/database/many';
import {
  type PaymentStage,
  paymentStage,
  pendingRequest,
  pollRequests,
  postRequest,
  readRequest,
  report,
} from '@payassent/proof/people/payments';
import { connect } from '@payassent/proof/people/wallets';
import type { Caller, Received } from '@payassent/proof/service/client';
import { serviceAhead } from '@payassent/proof/service/second-service';
import { startService, type TestService } from '@payassent/proof/service/service';
import { afterAll, beforeAll, expect, it } from 'vitest';

let service: TestService;
let base: PaymentStage;
beforeAll(async () => {
  service = await startService();
  base = await paymentStage(service);
});
afterAll(() => service.close());

/** A request of a separate connection, and a call that meets it while another transaction has locked it. */
type Act = (ahead: { call: Caller }, stage: PaymentStage, requestId: string) => Promise<Received>;

const ACTS: Record<string, { act: Act; becomes: string; isOverdue?: true }> = {
  'a read of what is overdue': { act: readRequest, becomes: 'expired', isOverdue: true },
  'a poll of what is overdue': {
    act: (ahead, stage) => pollRequests(ahead, stage),
    becomes: 'expired',
    isOverdue: true,
  },
  'a report about what is overdue': {
    act: (ahead, stage, requestId) => report(ahead, stage, requestId, { status: 'signed' }),
    becomes: 'expired',
    isOverdue: true,
  },
  'a withdrawal': {
    act: (_, { connectionToken: bearer }, requestId) =>
      service.call('POST', `/v1/payment-requests/${requestId}/withdraw`, { bearer, body: {} }),
    becomes: 'expired',
  },
  'a request in its place': {
    act: (_, stage, requestId) => postRequest(service, stage, { supersedes: requestId }),
    becomes: 'expired',
  },
  'a report': {
    act: (_, stage, requestId) => report(service, stage, requestId, { status: 'signed' }),
    becomes: 'signed',
  },
};

/** Several rounds, because what a statement reads again midway may be right by luck. */
const ROUNDS = 3;

it.each(Object.entries(ACTS))(
  '%s waits while the request is held, and is about what it became',
  async (_, { act, becomes, isOverdue }) => {
    const { db } = service;
    const ahead = isOverdue ? await serviceAhead(service, 61_000) : service;
    for (let round = 0; round < ROUNDS; round += 1) {
      const stage = { ...base, ...(await connect(service, base.agent, base.device)) };
      const { request_id: requestId } = await pendingRequest(service, stage, { expires_in: 60 });
      let waiting: Promise<Received> | undefined;
      await db.begin(async (tx) => {
        await tx`
        update payment_requests set state_version = 2, listed_version = 2, reason_text = 'held'
        where connection_id = ${stage.connectionId} and request_id = ${requestId}`;
        waiting = act(ahead, stage, requestId);
        await expect.poll(() => waitingForLocks(db)).toBe(1);
      });
      const received = await waiting;
      expect(received?.status, received?.text).toBeLessThan(500);
      const [row] = await db`
      select status, state_version from payment_requests
      where connection_id = ${stage.connectionId} and request_id = ${requestId}`;
      expect(row).toEqual({ status: becomes, state_version: 3 });
    }
  },
  300_000,
);
