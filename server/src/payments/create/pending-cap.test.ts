import { randomUUID } from 'node:crypto';
import { multiplyRequest } from '@payassent/proof/database/many';
import { succeed } from '@payassent/proof/people/merchants';
import {
  type PaymentStage,
  paymentStage,
  pendingRequest,
  postRequest,
  report,
} from '@payassent/proof/people/payments';
import { connect } from '@payassent/proof/people/wallets';
import type { Received } from '@payassent/proof/service/client';
import { secondService } from '@payassent/proof/service/second-service';
import { startService, type TestService } from '@payassent/proof/service/service';
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
  it('is no more than its cap; a decision makes room for one, and replays continue', async () => {
    const own = await fresh();
    const idempotencyKey = randomUUID();
    const first = await succeed(postRequest(service, own, {}, { idempotencyKey }));
    const { request_id } = first.body.payment_request;
    // Not checked one by one: the process has counted before, and must count again in time.
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

  it('is passed by the creates of one moment, and by no more than 64', async () => {
    const own = await fresh();
    await multiplyRequest(service.db, await pendingRequest(service, own), CAP - 11);
    const answers = await Promise.all(Array.from({ length: 160 }, () => postRequest(service, own)));
    const stored = answers.filter(({ status }) => status === 201).length;
    expect(stored).toBeGreaterThanOrEqual(10);
    expect(stored).toBeLessThanOrEqual(10 + 64);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201, 409]));
    expect(outcomeOf(await postRequest(service, own))).toEqual([409, 'limit_reached']);
  });

  it('is not passed by a later create of a process that counted before another one filled it', async () => {
    const own = await fresh();
    const second = await secondService(service);
    await pendingRequest(service, own);
    await multiplyRequest(service.db, await pendingRequest(second, own), CAP - 2);
    // Within a second, not after all that its own count left free.
    const refused = () => postRequest(service, own).then(outcomeOf);
    await expect.poll(refused, { interval: 100, timeout: 4000 }).toEqual([409, 'limit_reached']);
  });
});

describe('a create that supersedes a pending request', () => {
  it('needs no free place', async () => {
    const own = await fresh();
    const first = await pendingRequest(service, own);
    for (let index = 1; index < CAP; index += 1) await pendingRequest(service, own);
    expect(outcomeOf(await postRequest(service, own))).toEqual([409, 'limit_reached']);
    const replaced = await postRequest(service, own, { supersedes: first.request_id });
    expect(replaced.status).toBe(201);
    expect(outcomeOf(await postRequest(service, own))).toEqual([409, 'limit_reached']);
    const decided = await postRequest(service, own, { supersedes: first.request_id });
    expect(outcomeOf(decided)).toEqual([409, 'invalid_status_transition']);
  });
});

describe('counting', () => {
  it('happens once for many creates, and for each one when little is free', () => {
    const cap = createPendingCap(10_000);
    let counts = 0;
    for (let index = 0; index < 6_400; index += 1) {
      const create = cap.begin('token');
      if (create.isCounted) counts += 1;
      create.end(create.isCounted ? 12 : null);
    }
    expect(counts).toBe(100);
    const nearly = createPendingCap(10_000);
    for (const isCounted of [true, true]) {
      const create = nearly.begin('token');
      expect(create.isCounted).toBe(isCounted);
      create.end(9_999);
    }
    expect(createPendingCap(Number.POSITIVE_INFINITY).begin('token').isCounted).toBe(false);
  });

  it.each([1, 24, 63, 64, 500])(
    'leaves %i free places no more than 64 creates that it has not seen',
    (free) => {
      const cap = createPendingCap(1000);
      const pending = 1000 - free;
      // Two concurrent shared statements count the same.
      const counted = Array.from({ length: 48 }, () => cap.begin('token'));
      let stored = counted.length;
      const follow = () => {
        for (let create = cap.begin('token'); !create.isCounted; create = cap.begin('token')) stored += 1;
      };
      for (const create of counted.slice(0, 24)) create.end(pending);
      follow();
      // The older count comes last.
      for (const create of counted.slice(24)) create.end(pending);
      follow();
      expect(stored).toBeLessThanOrEqual(Math.max(48, Math.min(free, 64)));
    },
  );
});
