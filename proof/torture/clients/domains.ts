import { randomBytes } from 'node:crypto';
import { proveDomain } from '../../stage/people/merchants.ts';
import { activePayee } from '../../stage/people/payees.ts';
import { type Action, type Actions, livingLink, Refused, type Scene, serviceOf } from './act.ts';
import { askFor, withToken } from './agents.ts';
import { at, type Link, type Tenant } from './known-world.ts';

/** A domain that proves one dedicated payee, so that the others can be paid meanwhile. */
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
  const service = serviceOf(scene);
  const { domainId } = await proveDomain(service, session, domain);
  const { recipientId } = await activePayee(service, { session, domainId });
  return { link, domain, domainId, recipientId };
}

/** Rejected or not: both are right, as long as the response matches. */
const ask = (scene: Scene, { link, recipientId }: Held) =>
  askFor(scene, link, { recipientId }).catch((error: unknown) => {
    if (!(error instanceof Refused)) throw error;
  });

const release = (scene: Scene, { merchant }: Tenant, domainId: string) =>
  scene.call('DELETE', `/v1/merchant-domains/${domainId}`, { session: merchant.session });

/** The owner's challenge gives way to another merchant's, who proves the domain. */
async function takeOver(scene: Scene, { link, domain }: Held): Promise<void> {
  const { world } = scene;
  const winner = at(world.tenants, link.tenant.index + 1);
  if (winner === link.tenant) return;
  const service = serviceOf(scene);
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
  await Promise.allSettled([end, ask(scene, held), ask(scene, held), readOpen(scene, held)]);
  await readOpen(scene, held);
  await ask(scene, held);
  if (!isDeleted) await release(scene, held.link.tenant, held.domainId);
};

export const DOMAIN_ACTIONS: Actions = [['merchant loses a domain', loseDomain, 2]];
