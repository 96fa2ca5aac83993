import { deviceOf, enrolDevice, type TestDevice } from '../../stage/people/wallets.ts';
import {
  type Action,
  type Actions,
  livingLink,
  need,
  ownDevice,
  race,
  type Scene,
  serviceOf,
} from './act.ts';
import { agentToken, createSome } from './agents.ts';
import { at, type Link, newLink, type Wallet } from './known-world.ts';
import { reportedHash } from './transactions.ts';

const NEXT: Record<string, readonly string[]> = {
  pending: ['signed', 'signed', 'signed', 'rejected', 'failed', 'expired'],
  signed: ['broadcasted', 'broadcasted', 'failed', 'rejected'],
  broadcasted: ['confirmed', 'confirmed', 'failed'],
};

function anyDevice(scene: Scene, wallet: Wallet): TestDevice {
  return scene.random.pick(wallet.devices) ?? at(wallet.devices, 0);
}

/** A device that turns out to be deleted is dropped from the list; the first one never is. */
async function asDevice<T extends { status: number; body: unknown }>(
  wallet: Wallet,
  device: TestDevice,
  pending: Promise<T>,
): Promise<T> {
  const received = await pending;
  const place = wallet.devices.indexOf(device);
  if (received.status === 401 && place > 0) wallet.devices.splice(place, 1);
  return received;
}

const decide: Action = async (scene) => {
  const { random, call, world } = scene;
  const wallet = at(world.wallets, random.int(world.wallets.length));
  const device = anyDevice(scene, wallet);
  const status = random.pick(['pending', 'pending', 'signed', 'broadcasted']) ?? 'pending';
  const inbox = await need(
    asDevice(
      wallet,
      device,
      call('GET', '/v1/payment-requests', { device: deviceOf(device), query: { status, limit: 20 } }),
    ),
  );
  const chosen = Array.from({ length: random.between(1, 4) }, () =>
    random.pick<Inbound>(inbox.payment_requests),
  );
  // Concurrently: events of one connection then compete for the same number.
  await Promise.all(chosen.map((each) => each && reportSome(scene, wallet, each, status)));
};

interface Inbound {
  request_id: string;
  connection_id: string;
  payment: Parameters<typeof reportedHash>[1];
}

/** One report, or two devices that disagree at the same moment. */
async function reportSome(scene: Scene, wallet: Wallet, chosen: Inbound, from: string): Promise<void> {
  const { random, call } = scene;
  const path = `/v1/payment-requests/${encodeURIComponent(chosen.request_id)}/status`;
  const one = () => {
    const status = random.pick(NEXT[from] ?? ['signed']) ?? 'signed';
    const withHash =
      status === 'broadcasted' && random.chance(0.8) ? { tx_hash: reportedHash(scene, chosen.payment) } : {};
    // A device that did not sign has to declare the takeover.
    const takeover = random.chance(0.5) ? { takeover: true } : {};
    const body = { status, connection_id: chosen.connection_id, ...withHash, ...takeover };
    return call('POST', path, { device: deviceOf(anyDevice(scene, wallet)), body });
  };
  await race(Array.from({ length: random.chance(0.3) ? random.between(2, 4) : 1 }, one));
}

const watchInbox: Action = async (scene) => {
  const wallet = at(scene.world.wallets, scene.random.int(scene.world.wallets.length));
  const device = anyDevice(scene, wallet);
  const query = { wait: 1, limit: 20 };
  await asDevice(
    wallet,
    device,
    scene.call('GET', '/v1/payment-requests', { device: deviceOf(device), query }),
  );
};

/** One link code, and several devices that want in with it. */
const linkDevice: Action = async (scene) => {
  const { random, call, world } = scene;
  const wallet = at(world.wallets, random.int(world.wallets.length));
  const device = ownDevice(wallet);
  const { link_code } = await need(call('POST', '/v1/wallet-devices/link-codes', { device }));
  const join = () =>
    call('POST', '/v1/wallet-devices', { body: { name: 'Tablet', platform: 'ios', link_code } });
  const joined = await race(Array.from({ length: random.between(2, 4) }, join));
  for (const { body } of joined) {
    wallet.devices.push({
      device_id: body.device.device_id,
      token: body.token,
      walletId: body.device.wallet_id,
      recoveryCode: body.recovery_code,
    });
  }
  const old = wallet.devices.length > 4 ? wallet.devices[1] : undefined;
  if (!old) return;
  wallet.devices.splice(1, 1);
  await call('DELETE', `/v1/wallet-devices/${old.device_id}`, { device });
};

const rotateDevice: Action = async (scene) => {
  const wallet = at(scene.world.wallets, scene.random.int(scene.world.wallets.length));
  const device = anyDevice(scene, wallet);
  if (device === wallet.devices[0]) return;
  const path = `/v1/wallet-devices/${device.device_id}/rotate-token`;
  const { token } = await need(
    asDevice(wallet, device, scene.call('POST', path, { device: deviceOf(device) })),
  );
  device.token = token;
};

/** A recovery code lets one device in, however many try. */
const recover: Action = async (scene) => {
  const { call, world, random } = scene;
  const fresh = await enrolDevice(serviceOf({ world, call }));
  const body = { name: 'Found again', platform: 'android', recovery_code: fresh.recoveryCode };
  await race(
    Array.from({ length: random.between(2, 3) }, () => call('POST', '/v1/wallet-devices', { body })),
  );
};

const pauseConnection: Action = async (scene) => {
  const link = livingLink(scene);
  const device = deviceOf(anyDevice(scene, link.wallet));
  const path = `/v1/connections/${link.connectionId}`;
  await scene.call('PATCH', path, { device, body: { status: 'paused' } });
  for (let turn = 0; turn < 5; turn += 1) {
    const back = await scene.call('PATCH', path, {
      device: ownDevice(link.wallet),
      body: { status: 'active' },
    });
    if (back.status < 500) return;
  }
};

const rotateConnection: Action = async (scene) => {
  const link = livingLink(scene);
  const device = ownDevice(link.wallet);
  const made = await scene.call('POST', `/v1/connections/${link.connectionId}/rotate-token`, { device });
  if (made.status === 200 && scene.random.chance(0.5)) link.token = made.body.connection_token;
};

/** Ends a connection while others use it, then makes a new one in its place. */
const reconnect: Action = async (scene) => {
  const { random, world } = scene;
  const old = random.pick(world.links);
  if (!old) return;
  const { tenant, agent, wallet } = old;
  const device = at(wallet.devices, 0);
  if (!old.isRevoked) {
    const ended = random.chance(0.5)
      ? scene.call('DELETE', `/v1/connections/${old.connectionId}`, { device: deviceOf(device) })
      : scene.call('DELETE', `/v1/connections/${old.connectionId}`, { session: tenant.merchant.session });
    await Promise.all([ended, createSome(scene, old, random.between(2, 8))]);
    if ((await ended).status === 200) old.isRevoked = true;
  }
  const made = random.chance(0.6)
    ? await connectByKey(scene, old, device)
    : await connectByPairing(scene, old, device);
  if (made) world.links[world.links.indexOf(old)] = newLink(made, tenant, agent, wallet);
};

/** Several callers try every step of Connect concurrently: one of them succeeds. */
async function connectByKey(scene: Scene, { agent }: Link, owner: TestDevice) {
  const { random, call } = scene;
  const device = deviceOf(owner);
  const { connect_key } = await need(call('POST', '/v1/connect-keys', { device }));
  const bearer = await agentToken(scene, agent);
  const several = (act: () => ReturnType<typeof call>) =>
    race(Array.from({ length: random.between(1, 3) }, act));
  const body = { connect_key, requested_scopes: agent.allowedScopes };
  const [claimed] = await several(() => call('POST', '/v1/connect-invitations/claim', { bearer, body }));
  if (!claimed) return undefined;
  const path = `/v1/connect-invitations/${claimed.body.connect_invitation.connect_invitation_id}`;
  const approved = await several(() => call('POST', `${path}/approve`, { device }));
  if (approved.length === 0) return undefined;
  const claimToken: string = claimed.body.claim_token;
  const [exchanged] = await several(() => call('POST', `${path}/exchange`, { bearer: claimToken }));
  return exchanged && connectionIn(exchanged.body);
}

async function connectByPairing(scene: Scene, { agent, wallet }: Link, owner: TestDevice) {
  const { random, call, world } = scene;
  const bearer = await agentToken(scene, agent);
  const body = { requested_scopes: agent.allowedScopes };
  const { pairing_session } = await need(call('POST', '/v1/pairing/sessions', { bearer, body }));
  const path = `/v1/pairing/sessions/${pairing_session.pairing_session_id}/approve`;
  const rival = at(at(world.wallets, wallet.index + 1).devices, 0);
  const devices = [owner, ...(random.chance(0.4) ? [owner, rival] : [])];
  const approvals = await race(
    devices.map((device) =>
      call('POST', path, { device: deviceOf(device), body: { code: pairing_session.code } }),
    ),
  );
  // The rival may have been faster; then this wallet goes without.
  const own = approvals.find(({ body: made }) => made?.connection !== undefined);
  if (!own) return undefined;
  const mine = await call('GET', '/v1/connections', { device: deviceOf(owner) });
  const { connectionId } = connectionIn(own.body);
  const isMine = JSON.stringify(mine.body).includes(connectionId);
  return isMine ? connectionIn(own.body) : undefined;
}

function connectionIn(body: { connection: { connection_id: string }; connection_token: string }) {
  return { connectionId: body.connection.connection_id, connectionToken: body.connection_token };
}

export const WALLET_ACTIONS: Actions = [
  ['wallet decides', decide, 22],
  ['wallet watches its inbox', watchInbox, 2],
  ['wallet links a device', linkDevice, 2],
  ['wallet rotates a device token', rotateDevice, 2],
  ['wallet is recovered', recover, 1],
  ['wallet pauses a connection', pauseConnection, 2],
  ['wallet rotates a connection token', rotateConnection, 2],
  ['wallet ends a connection and makes another', reconnect, 3],
];
