import { randomBytes } from 'node:crypto';
import { authorization, decide, newDecisionKey, putKey } from '../../stage/people/decision-keys.ts';
import { proveDomain } from '../../stage/people/merchants.ts';
import { activePayee, replacePayee, stellarAddress } from '../../stage/people/payees.ts';
import { deviceOf, type TestDevice } from '../../stage/people/wallets.ts';
import {
  type Action,
  type Actions,
  amount,
  livingLink,
  need,
  ownDevice,
  race,
  type Scene,
  serviceOf,
} from './act.ts';
import { askFor } from './agents.ts';
import { at, type KeyedWallet, OWNER, surroundings } from './known-world.ts';

/** What the checks know the calls of each of them by. */
const DEVICE_THIEF = 'device thief';
export const MAILBOX_THIEF = 'mailbox thief';

const anyKeyed = ({ world, random }: Scene): KeyedWallet =>
  at(world.keyedWallets, random.int(world.keyedWallets.length));

const statusPath = (requestId: string) => `/v1/payment-requests/${encodeURIComponent(requestId)}/status`;

/** The thief has the token of the device that signs, or of its sibling. */
function stolenDevice(scene: Scene, { owner, sibling }: KeyedWallet): TestDevice {
  return scene.random.chance(0.5) ? owner : sibling;
}

/** Everything that a token can request on the way to a wallet that signs with another key, or with none. */
const changeKeys: Action = async (scene) => {
  const { random, world } = scene;
  const wallet = anyKeyed(scene);
  const thief = stolenDevice(scene, wallet);
  const key = newDecisionKey();
  const call = scene.callAs({ note: DEVICE_THIEF });
  const service = serviceOf({ world, call });
  const device = deviceOf(thief);
  const path = `/v1/wallet-devices/${thief.device_id}`;
  const forged = authorization(
    service,
    { device: wallet.owner, key },
    { act: 'set_key', deviceId: thief.device_id, thumbprint: key.thumbprint },
    new Date(),
  );
  const tries = [
    () => putKey(service, thief, key),
    () => putKey(service, thief, key, { authorization: forged }),
    () => call('DELETE', `${path}/decision-key`, { device, body: {} }),
    () => call('DELETE', `/v1/wallet-devices/${wallet.owner.device_id}`, { device, body: {} }),
    () => call('POST', '/v1/wallet-devices/recovery-code', { device, body: {} }),
  ];
  const chosen = Array.from({ length: random.between(1, 3) }, () => random.pick(tries));
  const [first] = await race(chosen.flatMap((attempt) => (attempt ? [attempt()] : [])));
  if (first) await approveWith(scene, wallet, thief, key);
};

/** The thief approves with a key that the wallet does not have, and without one. */
async function approveWith(
  scene: Scene,
  { link, owner }: KeyedWallet,
  thief: TestDevice,
  key: ReturnType<typeof newDecisionKey>,
): Promise<void> {
  const request = await askFor(scene, link, at(link.tenant.payees, 0));
  const call = scene.callAs({ note: DEVICE_THIEF });
  const report = (by: TestDevice, more: object) =>
    call('POST', statusPath(request.request_id), {
      device: deviceOf(by),
      body: { status: 'signed', connection_id: link.connectionId, ...more },
    });
  await race([
    report(thief, {}),
    report(thief, { decision: decide(request, thief, key, 'approve', new Date()) }),
    report(owner, { decision: decide(request, owner, key, 'approve', new Date()) }),
  ]);
}

/** The owner decides with the key, while the thief of the token decides without. */
const decideBoth: Action = async (scene) => {
  const wallet = anyKeyed(scene);
  const { link, owner, key } = wallet;
  const request = await askFor(scene, link, at(link.tenant.payees, 1));
  const path = statusPath(request.request_id);
  const said = { status: 'signed', connection_id: link.connectionId };
  const byThief = () =>
    scene.callAs({ note: DEVICE_THIEF })('POST', path, {
      device: deviceOf(stolenDevice(scene, wallet)),
      body: said,
    });
  const decision = decide(request, owner, key, 'approve', new Date());
  await race([
    byThief(),
    scene.callAs({ note: OWNER })('POST', path, { device: deviceOf(owner), body: { ...said, decision } }),
    byThief(),
  ]);
};

/** The customer takes the agent's token, by rotation, and orders with it; the agent collects its own afterwards. */
const orderAsAgent: Action = async (scene) => {
  const { random, world, call } = scene;
  const link = livingLink(scene);
  const device = ownDevice(link.wallet);
  const rotated = await need(call('POST', `/v1/connections/${link.connectionId}/rotate-token`, { device }));
  const bearer: string = rotated.connection_token;
  const order = () =>
    call('POST', '/v1/payment-requests', {
      bearer,
      idempotencyKey: `key-${world.nextName()}`,
      body: {
        recipient_id: at(link.tenant.payees, random.int(2)).recipientId,
        payment: { amount: '0.0000001' },
        policy: { requires_user_approval: true },
        metadata: { paid_in_full: true },
      },
    });
  await race([order(), call('GET', '/v1/payees', { bearer }), order()]);
  await call('GET', `/v1/payees/${at(link.tenant.payees, 0).recipientId}`, { bearer });
};

/** One transaction, named by two customers of one merchant at the same time, each in a different spelling. */
const nameOneTransaction: Action = async (scene) => {
  const { random, world } = scene;
  const first = livingLink(scene);
  const others = world.links.filter(
    (link) => !link.isRevoked && link.tenant === first.tenant && link.wallet !== first.wallet,
  );
  const second = random.pick(others);
  if (!second) return;
  const of = { recipientId: at(first.tenant.payees, 2).recipientId, amount: amount(random) };
  const asked = await Promise.all([first, second].map((link) => askFor(scene, link, of)));
  const [{ payment }] = asked as [{ payment: { to: string; amount: string } }];
  const sent = { to: payment.to, amount: payment.amount };
  const hash = world.stage.chain.pay(sent, sent);
  const spellings = [hash, hash.slice(2), hash.toUpperCase().replace('X', 'x'), hash.slice(2).toUpperCase()];
  await Promise.all(
    [first, second].map(async ({ wallet, connectionId: connection_id }, place) => {
      const device = ownDevice(wallet);
      const report = (body: object) =>
        need(
          scene.call('POST', statusPath(asked[place].request_id), {
            device,
            body: { ...body, connection_id },
          }),
        );
      await report({ status: 'signed' });
      await report({ status: 'broadcasted', tx_hash: random.pick(spellings) ?? hash });
    }),
  );
};

/** With a session that the mailbox gave, and nothing else of the owner's. */
const movePayeeByMail: Action = async (scene) => {
  const { mailbox } = scene.world;
  if (!mailbox) return;
  const { door, merchant, thief } = mailbox;
  const call = scene.callAs({ note: MAILBOX_THIEF, door });
  const service = surroundings(scene.world.stage, call);
  const robbed = { ...merchant, session: thief };
  const path = `/v1/recipients/${mailbox.payee.recipientId}`;
  const { recipient } = await need(call('GET', path, { session: thief }));
  const payee = { ...mailbox.payee, version: recipient.version };
  const address = stellarAddress();
  if (scene.random.chance(0.7)) await replacePayee(service, robbed, payee, { address });
  else await activePayee(service, robbed, { name: recipient.name, address });
};

/** The same domain in another spelling, from the front door to the log. */
const respellDomain: Action = async (scene) => {
  const { world, random } = scene;
  const { tenant } = livingLink(scene);
  const domain = `i-${world.nextName()}-${randomBytes(4).toString('hex')}.example`;
  const [, spelling = domain] = random.pick(world.stage.host.misspell(domain)) ?? [];
  const service = serviceOf(scene);
  const { session } = tenant.merchant;
  const { domainId } = await proveDomain(service, session, spelling);
  await activePayee(service, { session, domainId }, { name: `Respelt ${world.nextName()}` });
};

/** A host that writes arbitrary entries into a private log, and readers who watch it. */
const showSpellings: Action = async (scene) => {
  const { host } = scene.world.stage;
  const { domain } = livingLink(scene).tenant.merchant;
  for (const [, spelling] of [['as it is', domain] as const, ...host.misspell(domain)])
    await host.show(domain, spelling);
};

export const ATTACKER_ACTIONS: Actions = [
  ['device thief changes keys', changeKeys, 4],
  ['owner and device thief decide', decideBoth, 5],
  ['customer orders as the agent', orderAsAgent, 3],
  ['two customers name one transaction', nameOneTransaction, 5],
  ['mailbox thief moves a payee', movePayeeByMail, 2],
  ['merchant respells a domain', respellDomain, 1],
  ['host shows seven spellings', showSpellings, 1],
];
