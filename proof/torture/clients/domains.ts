import { randomBytes } from 'node:crypto';
import { proveDomain } from '../../stage/people/merchants.ts';
import { activePayee } from '../../stage/people/payees.ts';
import { type Action, amount, livingLink, race, type Scene } from './act.ts';
import { withToken } from './agents.ts';
import { at, type Link, surroundings, type Tenant } from './known-world.ts';

/** A domain that vouches for one payee of its own, so that the others can be paid meanwhile. */
interface Held {
  link: Link;
  domain: string;
  domainId: string;
  recipientId: string;
}

async function holdDomain(scene: Scene): Promise<Held> {
  const link = livingLink(scene);
  const { session } = link.tenant.merchant;
  const domain = `lost-${scene.world.nextName()}-${randomBytes(4).toString('hex')}.example`;
  const service = surroundings(scene.world.stage, scene.call);
  const { domainId } = await proveDomain(service, session, domain);
  const { recipientId } = await activePayee(service, { session, domainId });
  return { link, domain, domainId, recipientId };
}

const ask = (scene: Scene, { link, recipientId }: Held) =>
  withToken(scene, link, (bearer) =>
    scene.call('POST', '/v1/payment-requests', {
      bearer,
      idempotencyKey: `key-${scene.world.nextName()}`,
      body: {
        recipient_id: recipientId,
        payment: { amount: amount(scene.random) },
        policy: { requires_user_approval: true },
      },
    }),
  );

const release = (scene: Scene, { merchant }: Tenant, domainId: string) =>
  scene.call('DELETE', `/v1/merchant-domains/${domainId}`, { session: merchant.session });

/** The owner's challenge gives way to another merchant's, who proves the domain. */
async function takeOver(scene: Scene, { link, domain }: Held): Promise<void> {
  const { world } = scene;
  const winner = at(world.tenants, link.tenant.index + 1);
  if (winner === link.tenant) return;
  const service = surroundings(world.stage, scene.call);
  const { domainId } = await proveDomain(service, winner.merchant.session, domain);
  await release(scene, winner, domainId);
}

async function readOpen(scene: Scene, { link }: Held): Promise<void> {
  const { device_id, token } = at(link.wallet.devices, 0);
  const query = { status: 'pending', limit: 100 };
  await withToken(scene, link, (bearer) => scene.call('GET', '/v1/payment-requests', { bearer, query }));
  await scene.call('GET', '/v1/payment-requests', { device: { device_id, token }, query });
}

/** Requests are made and read while the domain goes, and afterwards. */
const loseDomain: Action = async (scene) => {
  const held = await holdDomain(scene);
  await ask(scene, held);
  const isDeleted = scene.random.chance(0.5);
  const end = isDeleted ? release(scene, held.link.tenant, held.domainId) : takeOver(scene, held);
  await Promise.allSettled([end, race([ask(scene, held), ask(scene, held)]), readOpen(scene, held)]);
  await readOpen(scene, held);
  await ask(scene, held);
  if (!isDeleted) await release(scene, held.link.tenant, held.domainId);
};

export const DOMAIN_ACTIONS: readonly (readonly [string, Action, number])[] = [
  ['merchant loses a domain', loseDomain, 2],
];
