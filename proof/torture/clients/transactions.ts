import { deviceOf } from '../../stage/people/wallets.ts';
import { OBSERVED, type Sent } from '../run/chain.ts';
import { type Action, amount, livingLink, need, type Scene } from './act.ts';
import { withToken } from './agents.ts';
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

/** A payment from the request to what the wallet says about the chain, in one go. */
const payOnChain: Action = async (scene) => {
  const { world, random, call } = scene;
  const link = livingLink(scene);
  const body = {
    recipient_id: at(link.tenant.payees, 2).recipientId,
    payment: { amount: amount(random) },
    policy: { requires_user_approval: true },
  };
  const idempotencyKey = `key-${world.nextName()}`;
  const { payment_request: request } = await need(
    withToken(scene, link, (bearer) =>
      call('POST', '/v1/payment-requests', { bearer, idempotencyKey, body }),
    ),
  );
  const device = deviceOf(at(link.wallet.devices, 0));
  const path = `/v1/payment-requests/${request.request_id}/status`;
  const report = (body: object) =>
    need(call('POST', path, { device, body: { ...body, connection_id: link.connectionId } }));
  await report({ status: 'signed' });
  await report({ status: 'broadcasted', tx_hash: reportedHash(scene, request.payment) });
  if (random.chance(0.3)) await report({ status: random.pick(['confirmed', 'failed']) });
};

export const CHAIN_ACTIONS: readonly (readonly [string, Action, number])[] = [
  ['wallet pays on chain', payOnChain, 6],
];
