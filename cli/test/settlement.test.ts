import { type World, wholeWorld } from '@payassent/proof/people/sdk';
import { newHash, startHorizons } from '@payassent/proof/people/settlements';
import { type PayAssent, payassent } from '@payassent/proof/service/command';
import { startService, type TestService } from '@payassent/proof/service/service';
import type { StandInHorizon } from '@payassent/proof/surroundings/stand-in-horizon';
import { afterAll, beforeAll, expect, it } from 'vitest';

let service: TestService;
let world: World;
let horizons: StandInHorizon[];
let close: () => Promise<void>;
let cli: PayAssent;
beforeAll(async () => {
  const started = await startHorizons(1);
  ({ horizons, close } = started);
  service = await startService(started.options);
  world = await wholeWorld(service);
  cli = await payassent(service.url);
});
afterAll(async () => {
  await cli.remove();
  await service.close();
  await close();
});

const ask = async () =>
  (
    await world.connection.paymentRequests.create({
      recipient_id: world.payee.recipientId,
      payment: { amount: '3' },
    })
  ).payment_request;
const tell = (id: string, status: 'signed' | 'broadcasted' | 'rejected', tx_hash?: string) =>
  world.wallet.paymentRequests.reportStatus(id, { status, ...(tx_hash === undefined ? {} : { tx_hash }) });

it('a watch until settled ends with the state on the chain, not the wallet’s report, and with its exit code', async () => {
  const env = { PAYASSENT_CONNECTION_TOKEN: world.connectionToken };
  const watch = (id: string) =>
    cli.start(['request', 'watch', id, '--until', 'settled', '--json'], { env }).ended;
  for (const [amount, state, code] of [
    ['3', 'final', 0],
    ['2', 'mismatch', 4],
  ] as const) {
    const { request_id: id, payment } = await ask();
    const txHash = newHash();
    const watching = watch(id);
    await tell(id, 'signed');
    await tell(id, 'broadcasted', txHash);
    for (const horizon of horizons) horizon.has(txHash, { ...payment, amount });
    const ended = await watching;
    expect(ended.code).toBe(code);
    expect(ended.lines.at(-1)).toMatchObject({
      type: 'payment_request.settlement_updated',
      status: 'broadcasted',
      actor: 'observer',
      settlement_state: state,
    });
    // Also when the settlement is closed before the watch begins.
    expect(await watch(id)).toMatchObject({ code, stdout: ended.stdout });
  }
  const { request_id: id } = await ask();
  const watching = watch(id);
  await tell(id, 'rejected');
  const ended = await watching;
  expect(ended.lines.map(({ status }) => status)).toEqual(['rejected']);
  expect(ended.code).toBe(4);
}, 240_000);
