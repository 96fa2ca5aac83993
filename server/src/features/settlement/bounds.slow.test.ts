// Slow: waits for a rate limit of sources.
import { isDistributedRun } from '@payassent/proof/database/layout';
import { multiplyRequest } from '@payassent/proof/database/many';
import { activePayee, stellarAddress } from '@payassent/proof/people/payees';
import { paymentStage } from '@payassent/proof/people/payments';
import { broadcasted, newHash, settledAs, startHorizons } from '@payassent/proof/people/settlements';
import { until } from '@payassent/proof/people/webhooks';
import { startService } from '@payassent/proof/service/service';
import { afterEach, expect, it } from 'vitest';

const cleanups: Array<() => Promise<unknown>> = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const DUE = 64;
const CALLS_PER_SECOND = 20;
/** All parallel calls of one turn to a source before it is known to hang, and the probe. */
const AT_ONCE = 16 + 1;
const LONGEST_REST_MS = 30_000;

it('sources are called at a bounded rate however much is due, and a stuck one is left alone', async () => {
  const { horizons, options, close } = await startHorizons(2);
  const service = await startService(options);
  cleanups.push(close, () => service.close());
  const [healthy, stuck] = horizons;
  stuck?.behaves({ kind: 'never' });
  const stage = await paymentStage(service);
  const { db } = service;
  const begunMs = performance.now();
  const before = horizons.map(({ receiver }) => receiver.requests.length);
  const { request } = await broadcasted(service, stage);
  await multiplyRequest(db, request as never, DUE - 1);
  await db`
    insert into observations (merchant_id, connection_id, kind, record_id, network, changed_at, look_at)
    select merchant_id, connection_id, 'payment_request', request_id, network, updated_at, now() from payment_requests
    on conflict do nothing`;
  const looked = async () => {
    const [row] = await db`select count(*)::int as count from settlements where status = 'unseen'`;
    return row?.['count'];
  };
  await until(async () => (await looked()) === DUE, 300_000);

  const asked = horizons.map(({ receiver }, index) => receiver.requests.length - (before[index] ?? 0));
  // Slower machines take longer and call less; none may call more in its time.
  const passedMs = performance.now() - begunMs;
  expect(asked[0]).toBeGreaterThanOrEqual(2 * DUE);
  expect(asked[0]).toBeLessThanOrEqual(2 + Math.ceil((passedMs / 1000) * CALLS_PER_SECOND));
  // Its first pause is short: a turn may come after it, and then one after each long pause.
  expect(asked[1]).toBeLessThanOrEqual(AT_ONCE * (2 + Math.floor(passedMs / LONGEST_REST_MS)));
  expect(healthy?.receiver.openConnectionCount).toBeLessThanOrEqual(AT_ONCE);
}, 400_000);

// Queries one server for its lock waits.
it.skipIf(isDistributedRun)(
  'a network that is stuck holds up no other',
  async () => {
    const { horizons, options, close } = await startHorizons(2);
    const [ofTestnet, ofPublic] = horizons.map(({ receiver }) => receiver.url);
    const service = await startService({
      ...options,
      env: {
        SVC_ENABLED_NETWORKS: 'stellar_testnet,stellar_public',
        SVC_OBSERVE: `stellar_testnet=${ofTestnet},stellar_public=${ofPublic}`,
      },
    });
    cleanups.push(close, () => service.close());
    const stage = await paymentStage(service);
    const facts = { network: 'stellar_public', address: stellarAddress() };
    const other = { ...stage, payee: await activePayee(service, stage.merchant, facts) };
    const [testnet, pub] = horizons;
    const held = await broadcasted(service, stage);
    testnet?.has(held.txHash, held.request.payment);
    const isHeld = service.db`record_id = ${held.request.request_id}`;
    // A lookup cannot end while its record is locked, until it gives up.
    const isPassed = await service.db.begin(async (tx) => {
      await tx`select from payment_requests 
             where merchant_id = ${stage.merchant.merchantId} and request_id = ${held.request.request_id} for update`;
      const waiting = async () =>
        (
          await tx<{ name: string }[]>`
          select virtualtransaction as name from pg_locks
          where not granted and pg_backend_pid() = any(pg_blocking_pids(pid)) limit 1`
        )[0]?.name;
      for (let attempt = 0; attempt < 10; attempt += 1) {
        await service.db`update observations set look_at = now(), lease = null where ${isHeld}`;
        const stuck = await until(waiting, 120_000);
        const txHash = newHash();
        pub?.has(txHash, { to: other.payee.address, amount: '12.50' });
        const { request } = await broadcasted(service, other, txHash);
        const isFinal = await until(async () => {
          const rows = await service.db`
          select from settlements where record_id = ${request.request_id} and status = 'final'`;
          return rows.length > 0 ? 'yes' : (await waiting()) !== stuck && 'given up';
        }, 120_000);
        if (isFinal === 'yes' && (await waiting()) === stuck) return true;
      }
      return false;
    });
    expect(isPassed).toBe(true);
    await service.db`update observations set look_at = now(), lease = null where ${isHeld}`;
    await settledAs(service, stage, held.request.request_id, 'final');
  },
  600_000,
);
