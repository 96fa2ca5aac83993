import { OBSERVED, type Sent } from '../run/chain.ts';
import { type Action, type Actions, livingLink, need, ownDevice, type Scene } from './act.ts';
import { askFor } from './agents.ts';
import { at } from './known-world.ts';

/** The hash that a wallet reports: of what was agreed, of something else, or of nothing at all. */
export function reportedHash({ random, world }: Scene, facts: Sent & { network: string }): string {
  const { to, amount, network } = facts;
  if (network !== OBSERVED.network) return `hash-${world.nextName()}`;
  const agreed = { to, amount };
  const really = random.weighted<Sent | null>([
    [agreed, 6],
    [null, 4],
    [{ to, amount: '0.000001' }, 1],
    [{ to: `0x${'5'.repeat(40)}`, amount }, 1],
    [{ ...agreed, isFailed: true }, 1],
  ]);
  return world.stage.chain.pay(agreed, really);
}

/** A payment from the request to the wallet's report of its confirmation, in one go. */
const payOnChain: Action = async (scene) => {
  const { random, call } = scene;
  const link = livingLink(scene);
  const request = await askFor(scene, link, { recipientId: at(link.tenant.payees, 2).recipientId });
  const device = ownDevice(link.wallet);
  const path = `/v1/payment-requests/${request.request_id}/status`;
  const report = (body: object) =>
    need(call('POST', path, { device, body: { ...body, connection_id: link.connectionId } }));
  await report({ status: 'signed' });
  await report({ status: 'broadcasted', tx_hash: reportedHash(scene, request.payment) });
  if (random.chance(0.3)) await report({ status: random.pick(['confirmed', 'failed']) });
};

export const CHAIN_ACTIONS: Actions = [['wallet pays on chain', payOnChain, 6]];
