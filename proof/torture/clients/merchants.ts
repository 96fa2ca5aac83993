import { randomBytes } from 'node:crypto';
import { mailedToken } from '../../stage/people/merchants.ts';
import { replacePayee, type TestPayee } from '../../stage/people/payees.ts';
import { type Action, type Actions, need, race, type Scene, serviceOf } from './act.ts';
import { addEndpoint, at, type Endpoint, type Tenant } from './known-world.ts';

function anyTenant({ random, world }: Scene): Tenant {
  return at(world.tenants, random.int(world.tenants.length));
}

/** Other facts for a payee while requests are being made for it. */
const replaceVersion: Action = async (scene) => {
  const tenant = anyTenant(scene);
  await movePayee(scene, tenant, at(tenant.payees, scene.random.int(2)));
};

export async function movePayee(scene: Scene, tenant: Tenant, payee: TestPayee): Promise<void> {
  try {
    Object.assign(payee, await replacePayee(serviceOf(scene), tenant.merchant, payee));
  } catch {
    // Another party changed it, or the response was lost: read it again, and continue from there.
    const path = `/v1/recipients/${payee.recipientId}`;
    const { recipient } = await need(scene.call('GET', path, { session: tenant.merchant.session }));
    Object.assign(payee, { version: recipient.version, recipientVersionId: recipient.active_version_id });
  }
}

const renamePayee: Action = async (scene) => {
  const tenant = anyTenant(scene);
  const payee = at(tenant.payees, scene.random.int(2));
  const { session } = tenant.merchant;
  const path = `/v1/recipients/${payee.recipientId}`;
  const body = { name: `Shop ${scene.world.nextName()}`, version: payee.version };
  const renamed = await need(scene.call('PATCH', path, { session, body }));
  payee.version = renamed.recipient.version;
};

const EVENT_TYPES = [['*'], ['payment_request.*'], ['payment_request.signed', 'agent_payment.*']];

const changeEndpoint: Action = async (scene) => {
  const tenant = anyTenant(scene);
  const others = tenant.endpoints.filter((endpoint) => !endpoint.isStable);
  const endpoint = scene.random.pick(others);
  if (!endpoint || others.length < 3) {
    const event_types = scene.random.pick(EVENT_TYPES) ?? ['*'];
    return addEndpoint(scene.world, tenant, scene.call, { isStable: false, event_types });
  }
  return scene.random.weighted([
    [rotateSecret, 3],
    [disableAndBack, 3],
    [deleteEndpoint, 1],
  ])(scene, tenant, endpoint);
};

async function rotateSecret(scene: Scene, tenant: Tenant, endpoint: Endpoint): Promise<void> {
  const { session } = tenant.merchant;
  const path = `/v1/webhook-endpoints/${endpoint.endpointId}/rotate-secret`;
  const rotated = await need(scene.call('POST', path, { session }));
  endpoint.version = rotated.webhook_endpoint.version;
  scene.world.stage.receivers.learnSecret(endpoint.place, rotated.secret);
}

async function disableAndBack(scene: Scene, tenant: Tenant, endpoint: Endpoint): Promise<void> {
  const { session } = tenant.merchant;
  const path = `/v1/webhook-endpoints/${endpoint.endpointId}`;
  const current = await need(scene.call('GET', path, { session }));
  endpoint.version = current.webhook_endpoint.version;
  const status = current.webhook_endpoint.status === 'active' ? 'disabled' : 'active';
  const changed = await need(
    scene.call('PATCH', path, { session, body: { status, version: endpoint.version } }),
  );
  endpoint.version = changed.webhook_endpoint.version;
}

async function deleteEndpoint(scene: Scene, tenant: Tenant, endpoint: Endpoint): Promise<void> {
  const { session } = tenant.merchant;
  tenant.endpoints.splice(tenant.endpoints.indexOf(endpoint), 1);
  await scene.call('DELETE', `/v1/webhook-endpoints/${endpoint.endpointId}`, { session });
}

/** The stable endpoint's secret rotates too: the service must sign with what is in force. */
const rotateStable: Action = async (scene) => {
  const tenant = anyTenant(scene);
  const endpoint = tenant.endpoints.find((each) => each.isStable);
  if (endpoint) await rotateSecret(scene, tenant, endpoint);
};

/** Pending requests for a payee are recalled while agents create and wallets decide. */
const recall: Action = async (scene) => {
  const tenant = anyTenant(scene);
  const payee = scene.random.pick(tenant.payees);
  if (!payee) return;
  const { session } = tenant.merchant;
  await scene.call('POST', `/v1/recipients/${payee.recipientId}/reject-pending`, { session });
};

const look: Action = async (scene) => {
  const { session } = anyTenant(scene).merchant;
  const path = scene.random.pick([
    '/v1/payment-requests',
    '/v1/webhook-deliveries',
    '/v1/connections',
    '/v1/recipients',
    '/v1/audit-events',
    '/v1/webhook-endpoints',
  ]);
  await scene.call('GET', path ?? '/v1/recipients', { session });
};

const redeliver: Action = async (scene) => {
  const tenant = anyTenant(scene);
  const { session } = tenant.merchant;
  const query = { status: scene.random.pick(['delivered', 'failed']) ?? 'failed', limit: 10 };
  const page = await need(scene.call('GET', '/v1/webhook-deliveries', { session, query }));
  const row = scene.random.pick<{ delivery_id: string }>(page.webhook_deliveries);
  if (row) await scene.call('POST', `/v1/webhook-deliveries/${row.delivery_id}/redeliver`, { session });
};

/** A new organization from a new address; each one-time secret on the way is used several times concurrently. */
const signUp: Action = async (scene) => {
  const { call, world, random } = scene;
  const { smtp } = world.stage;
  const email = `operator-${randomBytes(6).toString('hex')}@new.example`;
  const token = await mailedToken({ call, smtp }, email);
  world.stage.secrets.tokens.add(token);
  const several = (path: string, body: object) =>
    race(Array.from({ length: random.between(1, 3) }, () => call('POST', path, { body })));
  const [verified] = await several('/v1/merchant-accounts/email-verifications', { token });
  if (!verified) return;
  const { session_grant } = verified.body;
  const [founded] = await several('/v1/merchants', { session_grant, name: `New ${world.nextName()}` });
  if (founded) await several('/v1/merchant-sessions', { next_grant: founded.body.next_grant });
};

export const MERCHANT_ACTIONS: Actions = [
  ['merchant moves a payee', replaceVersion, 3],
  ['merchant renames a payee', renamePayee, 1],
  ['merchant takes requests back', recall, 1],
  ['merchant changes an endpoint', changeEndpoint, 3],
  ['merchant rotates a webhook secret', rotateStable, 1],
  ['merchant reads', look, 3],
  ['merchant sends again', redeliver, 1],
  ['merchant signs up', signUp, 1],
];
