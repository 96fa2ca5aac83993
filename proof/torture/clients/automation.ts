import { deviceOf } from '../../stage/people/wallets.ts';
import { type Action, type Actions, amount, livingLink, need, ownDevice, race, type Scene } from './act.ts';
import { at, type KnownPayment, type Link, remember } from './known-world.ts';
import { movePayee } from './merchants.ts';
import { reportedHash } from './transactions.ts';

/** Small, so that payments meet it all the time. */
const CUMULATIVE = ['20', '20', '30', '60.5'];
const SINGLE = ['9', '9.5', '15'];

function policyBody({ random }: Scene, link: Link) {
  const payee = at(link.tenant.payees, 0);
  return {
    connection_id: link.connectionId,
    network: 'stellar_testnet',
    asset: 'XLM',
    single_tx_limit: random.pick(SINGLE) ?? '5',
    cumulative_limit: random.pick(CUMULATIVE) ?? '20',
    validity_window: {
      from: new Date(Date.now() - 3_600_000).toISOString(),
      until: new Date(Date.now() + 86_400_000).toISOString(),
    },
    allowlist: [{ recipient_id: payee.recipientId }, { address: payee.address }],
  };
}

async function openPolicy(scene: Scene, link: Link): Promise<void> {
  const { call } = scene;
  const body = policyBody(scene, link);
  const { data } = await need(call('POST', '/v1/automation-policies', { apiKey: link.agent.apiKey, body }));
  const device = ownDevice(link.wallet);
  const path = `/v1/automation-policies/${data.id}/opt-in`;
  const opted = await need(call('POST', path, { device, body: { version: data.version } }));
  link.policy = { id: data.id, version: opted.data.version };
}

function newPayment(scene: Scene, link: Link, most: number): KnownPayment {
  const { random, world } = scene;
  return {
    key: `pay-${world.nextName()}`,
    body: {
      connection_id: link.connectionId,
      network: 'stellar_testnet',
      asset: 'XLM',
      amount: amount(random, most),
      recipient_id: at(link.tenant.payees, random.chance(0.9) ? 0 : 1).recipientId,
    },
  };
}

async function send(scene: Scene, link: Link, payment: KnownPayment) {
  const { key: idempotencyKey, body } = payment;
  const received = await scene.call('POST', '/v1/agent-payments', {
    apiKey: link.agent.apiKey,
    idempotencyKey,
    body,
  });
  if (received.status < 300) payment.id = received.body.data.id;
  return received;
}

/** One payment after another until the policy rejects one; then another policy takes its place. */
const pay: Action = async (scene) => {
  const link = livingLink(scene);
  if (!link.policy) await openPolicy(scene, link);
  const known = scene.random.chance(0.25) ? scene.random.pick(link.payments) : undefined;
  const payment = known ?? newPayment(scene, link, 8);
  if (!known) remember(link.payments, payment);
  await send(scene, link, payment);
};

/** Many concurrent payments under a fresh policy, over both processes, that exceed its cap together. */
const rush: Action = async (scene) => {
  const link = livingLink(scene);
  const { random } = scene;
  await endPolicy(scene, link);
  await openPolicy(scene, link);
  const payments = Array.from({ length: random.between(8, 16) }, () => newPayment(scene, link, 9));
  await race(payments.map((payment) => send(scene, link, payment)));
  for (const payment of payments) remember(link.payments, payment);
};

async function endPolicy(scene: Scene, link: Link): Promise<void> {
  const { policy } = link;
  if (!policy) return;
  const device = ownDevice(link.wallet);
  const ended = await scene.call('DELETE', `/v1/automation-policies/${policy.id}`, { device });
  if (ended.status < 500) link.policy = undefined;
}

const changePolicy: Action = async (scene) => {
  const link = livingLink(scene);
  const { random, call } = scene;
  const { policy } = link;
  if (!policy) return openPolicy(scene, link);
  const device = ownDevice(link.wallet);
  const path = `/v1/automation-policies/${policy.id}`;
  const act = random.weighted([
    ['pause', 3],
    ['raise', 2],
    ['lower', 2],
    ['evaluate', 3],
    ['end', 1],
  ]);
  if (act === 'end') return endPolicy(scene, link);
  if (act === 'evaluate') {
    const body = { amount: amount(random, 8), recipient_id: at(link.tenant.payees, 0).recipientId };
    await call('POST', `${path}/evaluate`, { apiKey: link.agent.apiKey, body });
    return;
  }
  const current = await need(call('GET', path, { device }));
  policy.version = current.data.version;
  if (act !== 'pause') {
    const cumulative_limit = act === 'raise' ? '150' : '3';
    const changed = await need(
      call('PATCH', path, { device, body: { cumulative_limit, version: policy.version } }),
    );
    policy.version = changed.data.version;
    return;
  }
  const paused = await need(call('POST', `${path}/pause`, { device }));
  const resumed = await need(
    call('POST', `${path}/resume`, { device, body: { version: paused.data.version } }),
  );
  policy.version = resumed.data.version;
};

/**
 * A user who takes time to read: in the midst of it the merchant moves the payee. What is refused is read again, and
 * only then accepted. The second payee, so that the caps of the others stay busy.
 */
const readAndOptIn: Action = async (scene) => {
  const link = livingLink(scene);
  const { random, call } = scene;
  const { tenant } = link;
  const payee = at(tenant.payees, 1);
  await endPolicy(scene, link);
  const body = { ...policyBody(scene, link), allowlist: [{ recipient_id: payee.recipientId }] };
  const drafted = await need(call('POST', '/v1/automation-policies', { apiKey: link.agent.apiKey, body }));
  const path = `/v1/automation-policies/${drafted.data.id}`;
  const device = ownDevice(link.wallet);
  for (let turn = 0; turn < 4; turn += 1) {
    const { data: seen } = await need(call('GET', path, { device }));
    if (random.chance(0.7)) await movePayee(scene, tenant, payee);
    const consent = random.chance(0.3) && seen.status === 'active';
    const sent = {
      version: seen.version,
      ...(consent ? { single_tx_limit: random.pick(SINGLE) ?? '9' } : {}),
    };
    const answered = consent
      ? await call('PATCH', path, { device, body: sent })
      : await call('POST', `${path}/opt-in`, { device, body: sent });
    if (answered.status >= 300) continue;
    link.policy = { id: seen.id, version: answered.body.data.version };
    const payment = newPayment(scene, link, 8);
    await send(scene, link, { ...payment, body: { ...payment.body, recipient_id: payee.recipientId } });
  }
};

const NEXT: Record<string, readonly string[]> = {
  intent_created: ['signed', 'signed', 'rejected', 'failed'],
  signed: ['broadcasted', 'failed'],
  broadcasted: ['confirmed', 'confirmed', 'failed'],
};

const decide: Action = async (scene) => {
  const { random, call } = scene;
  const link = livingLink(scene);
  const device = deviceOf(random.pick(link.wallet.devices) ?? at(link.wallet.devices, 0));
  const status = random.pick(['intent_created', 'signed', 'broadcasted']) ?? 'intent_created';
  const query = { status, connection_id: link.connectionId, limit: 20 };
  const page = await need(call('GET', '/v1/agent-payments', { device, query }));
  for (let turn = 0; turn < 2; turn += 1) {
    const chosen = random.pick<{ id: string } & Parameters<typeof reportedHash>[1]>(page.data.items);
    if (!chosen) return;
    const path = `/v1/agent-payments/${chosen.id}`;
    const takeover = random.chance(0.5) ? { takeover: true } : {};
    const report = () => {
      const next = random.pick(NEXT[status] ?? ['signed']);
      const withHash = next === 'broadcasted' ? { tx_hash: reportedHash(scene, chosen) } : {};
      return call('POST', `${path}/status`, { device, body: { status: next, ...withHash, ...takeover } });
    };
    const cancel = () => call('POST', `${path}/cancel`, { apiKey: link.agent.apiKey });
    await race([report(), ...(random.chance(0.3) ? [cancel(), report()] : [])]);
  }
};

/** A person pays on the observed chain: no policy is involved, the wallet still decides. */
const payAsHuman: Action = async (scene) => {
  const link = livingLink(scene);
  const payment = newPayment(scene, link, 400);
  const { recipientId, network, asset } = at(link.tenant.payees, 2);
  await scene.call('POST', '/v1/agent-payments', {
    device: ownDevice(link.wallet),
    idempotencyKey: payment.key,
    body: { ...payment.body, recipient_id: recipientId, network, asset, initiated_by: 'human' },
  });
};

export const AUTOMATION_ACTIONS: Actions = [
  ['agent pays under a policy', pay, 10],
  ['agent rushes a cap', rush, 5],
  ['user changes a policy', changePolicy, 4],
  ['user reads a policy while its payee moves', readAndOptIn, 3],
  ['wallet decides an agent payment', decide, 6],
  ['human pays', payAsHuman, 3],
];
