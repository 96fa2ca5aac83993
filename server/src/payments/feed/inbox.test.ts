import { setTimeout as pause } from 'node:timers/promises';
import { isDistributedRun } from '@payassent/proof/database/layout';
import { succeed } from '@payassent/proof/people/merchants';
import {
  type PaymentStage,
  paymentStage,
  pendingRequest,
  report,
  withoutLinks,
} from '@payassent/proof/people/payments';
import { connect, deviceOf, enrolDevice } from '@payassent/proof/people/wallets';
import { timed } from '@payassent/proof/service/client';
import { serviceAhead } from '@payassent/proof/service/second-service';
import { startService, type TestService } from '@payassent/proof/service/service';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Tx, transaction } from '../../db/open.ts';

let service: TestService;
let stage: PaymentStage;
beforeAll(async () => {
  service = await startService();
  stage = await paymentStage(service);
});
afterAll(() => service.close());

const freshConnection = async (): Promise<PaymentStage> => ({
  ...stage,
  ...(await connect(service, stage.agent, stage.device)),
});

/** Pending requests like this one, each created so much later than the one before it. */
async function copyRequest(
  tx: Tx,
  { merchant: { merchantId } }: PaymentStage,
  requestId: string,
  {
    prefix,
    count,
    apartMs,
    isOld = false,
  }: { prefix: string; count: number; apartMs: number; isOld?: boolean },
): Promise<void> {
  // On a distributed database 0 is replaced by a number of the node.
  const number = isDistributedRun ? tx`'0'` : tx`pg_current_xact_id()::text`;
  const writer = isOld ? tx`null` : number;
  await tx`
    insert into payment_requests
    select (jsonb_populate_record(r, jsonb_build_object(
      'written_by', ${writer}, 'request_id', ${prefix}::text || '-' || n,
      'idempotency_key', ${prefix}::text || '-' || n,
      'created_at', r.created_at + n * ${apartMs}::int * interval '1 millisecond'))).*
    from payment_requests r cross join generate_series(1, ${count}::int) n
    where r.request_id = ${requestId} and r.merchant_id = ${merchantId}`;
  await tx`
    insert into pending_requests (
      merchant_id, connection_id, expires_at, request_id, created_at, recipient_id, recall_generation, written_by)
    select merchant_id, connection_id, expires_at, request_id, created_at, recipient_id, recall_generation, written_by
    from payment_requests
    where merchant_id = ${merchantId} and starts_with(request_id, ${`${prefix}-`}) and status = 'pending'
    on conflict do nothing`;
}

function signal() {
  let give = () => {};
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { given, give: () => give() };
}

describe("the wallet's inbox", () => {
  const inbox = (own: PaymentStage, query: Record<string, string | number> = {}) =>
    service.call('GET', '/v1/payment-requests', {
      device: deviceOf(own.device),
      query: { connection_id: own.connectionId, ...query },
    });

  it('a request that was created earlier and committed later is not skipped, and none is shown twice', async () => {
    const own = await freshConnection();
    service.clock.freeze();
    const first = await pendingRequest(service, own);
    const shown = (await inbox(own, { wait: 0 })).body;
    expect(shown.payment_requests.map((one: { request_id: string }) => one.request_id)).toEqual([
      first.request_id,
    ]);
    service.clock.advance(-3_000);
    const late = await pendingRequest(service, own);
    const next = (await inbox(own, { wait: 5, cursor: shown.next_cursor })).body;
    expect(next.payment_requests.map((one: { request_id: string }) => one.request_id)).toEqual([
      late.request_id,
    ]);
    expect((await inbox(own, { wait: 1, cursor: next.next_cursor })).body.payment_requests).toEqual([]);
    service.clock.advance(3_000);
    service.clock.release();
  });

  it('misses nothing where the clocks of two processes are a minute apart and one create commits long after it began', async () => {
    const own = await freshConnection();
    const other = await serviceAhead(service, -60_000);
    const follow = async (cursor: string, shown: readonly string[], wait = 5) => {
      const page = (await inbox(own, { wait, cursor, status: 'pending' })).body;
      expect(page.payment_requests.map((one: { request_id: string }) => one.request_id)).toEqual(shown);
      return page.next_cursor;
    };
    const first = await pendingRequest(service, own);
    let cursor = (await inbox(own, { wait: 0, status: 'pending' })).body.next_cursor;
    const slow = await pendingRequest(other, own);
    expect(Date.parse(slow.created_at)).toBeLessThan(Date.parse(first.created_at) - 50_000);
    cursor = await follow(cursor, [slow.request_id]);
    const [release, written] = [signal(), signal()];
    const late = transaction(service.db, async (tx) => {
      await copyRequest(tx, own, slow.request_id, { prefix: 'late', count: 1, apartMs: -30_000 });
      written.give();
      await release.given;
    });
    await written.given;
    const [a, b] = [await pendingRequest(service, own), await pendingRequest(other, own)];
    cursor = await follow(
      cursor,
      [a, b].map((one) => one.request_id),
    );
    cursor = await follow(cursor, [], 0);
    release.give();
    await late;
    cursor = await follow(cursor, ['late-1']);
    await follow(cursor, [], 0);
  });

  it('starts again where numbers of transactions mean others than before: after a failover, a restore, a moved shard', async () => {
    const own = await freshConnection();
    const ids = [await pendingRequest(service, own), await pendingRequest(service, own)].map(
      (one) => one.request_id,
    );
    const shownFor = async (cursor: string) => {
      const page = (await inbox(own, { wait: 0, cursor, status: 'pending' })).body;
      const shown = page.payment_requests.map((one: { request_id: string }) => one.request_id).toSorted();
      return { shown, next: page.next_cursor };
    };
    const { next_cursor } = (await inbox(own, { wait: 0, status: 'pending' })).body;
    const place = JSON.parse(Buffer.from(next_cursor.slice(2), 'base64url').toString());
    expect(place[2]).toEqual([
      [expect.stringMatching(/^([0-9a-f]{32}\/)?\d+\/[0-9A-F]{8}$/), expect.any(String)],
    ]);
    const elsewhere = [place[0], place[1], [[`${place[2][0][0]}0`, '900000000000']], []];
    const cursor = `w.${Buffer.from(JSON.stringify(elsewhere)).toString('base64url')}`;
    const again = await shownFor(cursor);
    expect(again.shown).toEqual(ids.toSorted());
    expect((await shownFor(again.next)).shown).toEqual([]);
    // A cursor of a previous version.
    expect((await shownFor('w.1760000000000..')).shown).toEqual(ids.toSorted());
  });

  it.each([
    ['after a failover', false],
    ['of requests from before their writers were kept', true],
  ])('shows everything, page by page, where more is pending than fits: %s', async (_when, isOld) => {
    const own = await freshConnection();
    const seed = await pendingRequest(service, own);
    const prefix = isOld ? 'old' : 'many';
    await transaction(service.db, (tx) =>
      copyRequest(tx, own, seed.request_id, { prefix, count: 5, apartMs: -7, isOld }),
    );
    const page = async (query: Record<string, string | number>) =>
      (await inbox(own, { wait: 0, status: 'pending', limit: 2, ...query })).body;
    let { next_cursor: cursor, payment_requests: shown } = await page({});
    const seen = new Set<string>(shown.map((one: { request_id: string }) => one.request_id));
    if (!isOld) {
      const [time, id, [[node, xid]]] = JSON.parse(Buffer.from(cursor.slice(2), 'base64url').toString());
      const elsewhere = [time, id, [[`${node}0`, xid]], []];
      cursor = `w.${Buffer.from(JSON.stringify(elsewhere)).toString('base64url')}`;
    }
    for (let turn = 0; turn < 4; turn += 1) {
      ({ next_cursor: cursor, payment_requests: shown } = await page({ cursor }));
      for (const one of shown) seen.add(one.request_id);
    }
    expect(seen.size).toBe(6);
    expect((await page({ cursor })).payment_requests).toEqual([]);
  });

  it.each([0, 7])('a burst of more than fits any cursor is shown whole, %i ms apart', async (apartMs) => {
    const own = await freshConnection();
    const seed = await pendingRequest(service, own);
    const shown = (await inbox(own, { wait: 0 })).body;
    await transaction(service.db, (tx) =>
      copyRequest(tx, own, seed.request_id, { prefix: 'burst', count: 350, apartMs: -apartMs }),
    );
    const seen: string[] = [];
    let cursor = shown.next_cursor;
    for (let page = 0; page < 5; page += 1) {
      const { payment_requests, next_cursor } = (await inbox(own, { wait: 0, cursor, limit: 100 })).body;
      seen.push(...payment_requests.map((record: { request_id: string }) => record.request_id));
      cursor = next_cursor;
    }
    // Never missed; one exactly where the marks ran out may come twice.
    expect(new Set(seen.filter((id) => id.startsWith('burst'))).size).toBe(350);
    expect(seen.length).toBeLessThanOrEqual(352);
    const later = await pendingRequest(service, own);
    const last = (await inbox(own, { wait: 0, cursor })).body.payment_requests;
    expect(last.map((record: { request_id: string }) => record.request_id)).toEqual([later.request_id]);
  });

  it('waits while there is nothing, and returns immediately when there is', async () => {
    const own = await freshConnection();
    const waiting = timed(inbox(own, { wait: 20, status: 'pending' }));
    await pause(300);
    const made = await pendingRequest(service, own);
    const received = await waiting;
    expect(received.ms).toBeLessThan(10_000);
    const { idempotency_key: _, ...rest } = withoutLinks(made);
    const payment_uri = expect.stringMatching(/^web\+stellar:pay\?/);
    const shown = { ...rest, created_with: 'own_token', payment_uri };
    expect(received.body.payment_requests).toEqual([shown]);
    const again = await timed(inbox(own, { wait: 20 }));
    expect(again.body.payment_requests).toEqual([shown]);
    expect(again.ms).toBeLessThan(10_000);
  });

  it('with a cursor waits for what is newer, and following it skips nothing', async () => {
    const own = await freshConnection();
    await pendingRequest(service, own);
    const { next_cursor } = (await inbox(own, { wait: 1 })).body;
    const quiet = await timed(inbox(own, { wait: 1, cursor: next_cursor }));
    expect(quiet.body).toMatchObject({ payment_requests: [], next_cursor });
    expect(quiet.ms).toBeGreaterThan(900);
    const waiting = inbox(own, { wait: 20, cursor: next_cursor });
    await pause(200);
    const made = [await pendingRequest(service, own)];
    const woken = (await waiting).body;
    expect(woken.payment_requests).toMatchObject([{ request_id: made[0].request_id }]);
    for (let index = 0; index < 4; index += 1) made.push(await pendingRequest(service, own));
    let cursor = woken.next_cursor;
    const seen: string[] = [];
    for (const size of [2, 2]) {
      const page = (await inbox(own, { wait: 5, cursor, limit: 2 })).body;
      expect(page.payment_requests).toHaveLength(size);
      seen.push(
        ...page.payment_requests.map((record: { request_id: string }) => record.request_id).reverse(),
      );
      cursor = page.next_cursor;
    }
    expect(seen).toEqual(made.slice(1).map((record) => record.request_id));
  });

  it('without waiting pages back from the newest, filtered by status', async () => {
    const own = await freshConnection();
    const ids: string[] = [];
    for (let index = 0; index < 5; index += 1) ids.push((await pendingRequest(service, own)).request_id);
    await succeed(report(service, own, ids[2] ?? '', { status: 'signed' }));
    const first = (await inbox(own, { limit: 3 })).body;
    const second = (await inbox(own, { limit: 3, cursor: first.next_cursor })).body;
    const listed = [...first.payment_requests, ...second.payment_requests];
    expect(listed.map((record) => record.request_id)).toEqual(ids.toReversed());
    expect(second.next_cursor).toBeNull();
    const signed = (await inbox(own, { status: 'signed' })).body.payment_requests;
    expect(signed.map((record: { request_id: string }) => record.request_id)).toEqual([ids[2]]);
    expect((await inbox(own, { status: 'paid' })).body.error.field).toBe('status');
    expect((await inbox(own, { cursor: 'nonsense!' })).body.error.code).toBe('invalid_cursor');
  });

  it('shows both of two merchants that request with one id in one millisecond, page by page and while waiting', async () => {
    const device = await enrolDevice(service);
    const stages = [await paymentStage(service, { device }), await paymentStage(service, { device })];
    const credential = deviceOf(device);
    const list = async (query: Record<string, string | number>) =>
      (await service.call('GET', '/v1/payment-requests', { device: credential, query })).body;
    service.clock.freeze();
    for (const stage of stages) await pendingRequest(service, stage, { request_id: '1001' });
    service.clock.release();
    for (const mode of [{}, { wait: 0 }]) {
      const seen: string[] = [];
      for (let cursor: string | undefined, page = 0; page < 3; page += 1) {
        const { payment_requests, next_cursor } = await list({
          ...mode,
          limit: 1,
          ...(cursor ? { cursor } : {}),
        });
        seen.push(...payment_requests.map((one: { connection_id: string }) => one.connection_id));
        if (next_cursor === null) break;
        cursor = next_cursor;
      }
      expect(seen.toSorted()).toEqual(stages.map((stage) => stage.connectionId).toSorted());
    }
  });

  it('takes the cursor of a wait without waiting too', async () => {
    const own = await freshConnection();
    await pendingRequest(service, own);
    const { next_cursor: cursor } = (await inbox(own, { wait: 0 })).body;
    const later = await pendingRequest(service, own);
    const found = (await inbox(own, { cursor })).body.payment_requests;
    expect(found.map((one: { request_id: string }) => one.request_id)).toEqual([later.request_id]);
  });

  it.each(['w.', 'w.W10', 'w.WzI1MzQwMjMwMDgwMDAwMCwiIixbXSxbXV0'])('%s is no cursor', async (cursor) => {
    const own = await freshConnection();
    expect((await inbox(own, { wait: 0, cursor })).body.error.code).toBe('invalid_cursor');
  });

  it('a wait ends immediately when its device is deleted', async () => {
    const first = await enrolDevice(service);
    const endsAfterMs = async () => {
      const code = await succeed(
        service.call('POST', '/v1/wallet-devices/link-codes', { device: deviceOf(first) }),
      );
      const second = await enrolDevice(service, { link_code: code.body.link_code });
      const waiting = service.call('GET', '/v1/payment-requests', {
        device: deviceOf(second),
        query: { wait: 20 },
      });
      await pause(300);
      const path = `/v1/wallet-devices/${second.device_id}`;
      const deletedAt = performance.now();
      await succeed(service.call('DELETE', path, { device: deviceOf(first) }));
      const received = await waiting;
      expect([received.status, received.body.error.code]).toEqual([401, 'token_revoked']);
      return performance.now() - deletedAt;
    };
    // The heartbeat would notice it too, after five seconds; a busy machine may be late now and then.
    let bestMs = Infinity;
    for (let turn = 0; turn < 3 && bestMs >= 4_000; turn += 1) bestMs = Math.min(bestMs, await endsAfterMs());
    expect(bestMs).toBeLessThan(4_000);
  });
});
