import { randomUUID } from 'node:crypto';
import type { Received } from '@payassent/test-kit/client';
import { multiplyRequest } from '@payassent/test-kit/many';
import { succeed } from '@payassent/test-kit/merchants';
import {
  type PaymentStage,
  paymentStage,
  pendingRequest,
  postRequest,
  report,
} from '@payassent/test-kit/payments';
import { startService, type TestService } from '@payassent/test-kit/service';
import { connect } from '@payassent/test-kit/wallets';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPendingCap } from './pending-cap.ts';

const CAP = 100;

let service: TestService;
let stage: PaymentStage;
beforeAll(async () => {
  service = await startService({ env: { SVC_CAPS: `pending_requests=${CAP}` } });
  stage = await paymentStage(service);
});
afterAll(() => service.close());

const fresh = async (): Promise<PaymentStage> => ({
  ...stage,
  ...(await connect(service, stage.agent, stage.device)),
});
const outcomeOf = ({ status, body }: Received) => [status, body.error?.code];

describe('what a connection may have pending', () => {
  it('is no more than its cap; a decision makes room for one, and replays go on', async () => {
    const own = await fresh();
    const idempotencyKey = randomUUID();
    const first = await succeed(postRequest(service, own, {}, { idempotencyKey }));
    const { request_id } = first.body.payment_request;
    // Not decided one by one: the process has counted before, and must count again in time.
    for (let index = 1; index < CAP; index += 1) await pendingRequest(service, own);
    const refused = await postRequest(service, own);
    expect(outcomeOf(refused)).toEqual([409, 'limit_reached']);
    expect(refused.body.error.details).toEqual({ limit: CAP });
    expect(outcomeOf(await postRequest(service, own, { request_id: 'mine' }))).toEqual([
      409,
      'limit_reached',
    ]);
    expect((await postRequest(service, own, {}, { idempotencyKey })).status).toBe(200);

    const other = await fresh();
    expect((await postRequest(service, other)).status).toBe(201);
    await succeed(report(service, own, request_id, { status: 'rejected' }));
    expect((await postRequest(service, own)).status).toBe(201);
    expect(outcomeOf(await postRequest(service, own))).toEqual([409, 'limit_reached']);
  });

  it('is passed at the same moment by no more than is stored between two counts', async () => {
    const own = await fresh();
    await multiplyRequest(service.db, await pendingRequest(service, own), CAP - 11);
    const answers = await Promise.all(Array.from({ length: 160 }, () => postRequest(service, own)));
    const stored = answers.filter(({ status }) => status === 201).length;
    expect(stored).toBeGreaterThanOrEqual(10);
    // Two shared statements under way, and what may follow one count.
    expect(stored).toBeLessThanOrEqual(10 + 2 * 24 + 64);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201, 409]));
    expect(outcomeOf(await postRequest(service, own))).toEqual([409, 'limit_reached']);
  });
});

describe('counting', () => {
  it('happens once for many creates, and for each one when little is free', () => {
    const cap = createPendingCap(10_000);
    const counted = (creates: number, pending: (index: number) => number) => {
      let counts = 0;
      for (let index = 0; index < creates; index += 1) {
        if (!cap.mustCount('token')) continue;
        counts += 1;
        cap.found('token', pending(index));
      }
      return counts;
    };
    expect(counted(6_400, () => 12)).toBe(100);
    const nearly = createPendingCap(10_000);
    expect(nearly.mustCount('token')).toBe(true);
    nearly.found('token', 9_999);
    expect(nearly.mustCount('token')).toBe(true);
    const none = createPendingCap(Number.POSITIVE_INFINITY);
    expect(none.mustCount('token')).toBe(false);
  });
});
