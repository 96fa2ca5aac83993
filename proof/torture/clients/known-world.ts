import { randomBytes } from 'node:crypto';
import { type TestAgent, usableAgent } from '../../stage/people/agents.ts';
import { createKey } from '../../stage/people/autonomy.ts';
import { newDecisionKey, putKey, type TestDecisionKey } from '../../stage/people/decision-keys.ts';
import {
  signIn,
  succeed,
  type TestMerchant,
  type TestSession,
  verifiedMerchant,
} from '../../stage/people/merchants.ts';
import { activePayee, type TestPayee } from '../../stage/people/payees.ts';
import { connect, deviceOf, enrolDevice, type TestDevice } from '../../stage/people/wallets.ts';
import type { Body, Caller } from '../../stage/service/client.ts';
import { OBSERVED } from '../run/chain.ts';
import type { Random } from '../run/random.ts';
import type { Stage } from '../run/stage.ts';

/** The shared knowledge of the clients. It comes from responses, so it may be outdated. */
export interface World {
  stage: Stage;
  tenants: Tenant[];
  wallets: Wallet[];
  links: Link[];
  /** Wallets that sign what they decide. Their device tokens are stolen. */
  keyedWallets: KeyedWallet[];
  /** Undefined where the service does not guard changed payees. */
  mailbox: RobbedMailbox | undefined;
  /** Names that no one else uses. */
  nextName(): string;
}

export interface Tenant {
  index: number;
  merchant: TestMerchant;
  payees: TestPayee[];
  agents: ProjectAgent[];
  endpoints: Endpoint[];
}

export interface ProjectAgent extends TestAgent {
  apiKey: string;
}

export interface Endpoint {
  endpointId: string;
  /** Path of its URL: what the receiver knows it by. */
  place: string;
  version: number;
  isStable: boolean;
}

export interface Wallet {
  index: number;
  /** The first one stays as it is; others come, rotate and go. */
  devices: TestDevice[];
}

/** What the checks know the calls of a wallet's owner by. */
export const OWNER = 'owner';

/** A separate wallet, so that nothing else happens to it. */
export interface KeyedWallet {
  link: Link;
  owner: TestDevice;
  key: TestDecisionKey;
  /** Linked, and without a key. */
  sibling: TestDevice;
}

/** A merchant whose owner has no passkey, and someone else who reads the owner's mail. */
interface RobbedMailbox {
  /** The process that guards changed payees. */
  door: string;
  merchant: TestMerchant;
  payee: TestPayee;
  thief: TestSession;
}

export interface Link {
  connectionId: string;
  token: string;
  tenant: Tenant;
  agent: ProjectAgent;
  wallet: Wallet;
  isRevoked: boolean;
  requests: KnownRequest[];
  transactions: string[];
  cursor: number;
  policy?: KnownPolicy | undefined;
  payments: KnownPayment[];
}

export interface KnownRequest {
  requestId?: string;
  key: string;
  body: Body;
}

interface KnownPolicy {
  id: string;
  version: number;
}

export interface KnownPayment {
  id?: string;
  key: string;
  body: Body;
}

/** A service as the helpers of the tests want it. */
export interface Surroundings {
  call: Caller;
  url: string;
  smtp: Stage['smtp'];
  dns: Stage['dns'];
}

export function surroundings(stage: Stage, call: Caller): Surroundings {
  return { call, url: stage.url, smtp: stage.smtp, dns: stage.dns };
}

/** Everybody who was ever known, in a quiet time: tenants, wallets, and connections across them. */
export async function peopleWorld(
  stage: Stage,
  random: Random,
  size: { tenants: number; wallets: number; links: number },
): Promise<World> {
  let names = 0;
  const nextName = () => {
    names += 1;
    return String(names);
  };
  const world: World = {
    stage,
    tenants: [],
    wallets: [],
    links: [],
    keyedWallets: [],
    mailbox: undefined,
    nextName,
  };
  const { guardedDoor } = stage;
  const open = stage.members.map(({ process }) => process.name).find((name) => name !== guardedDoor);
  const call = stage.recorder.as('setup', random, guardedDoor && open ? { door: open } : {});
  const service = surroundings(stage, call);
  for (let index = 0; index < size.tenants; index += 1)
    world.tenants.push(await makeTenant(world, service, index));
  for (let index = 0; index < size.wallets; index += 1) world.wallets.push(await makeWallet(service, index));
  for (let index = 0; index < size.links; index += 1) {
    const tenant = at(world.tenants, index);
    const agent = at(tenant.agents, Math.floor(index / size.tenants));
    const wallet = at(world.wallets, index);
    const made = await connect(service, agent, at(wallet.devices, 0));
    world.links.push(newLink(made, tenant, agent, wallet));
  }
  for (const tenant of world.tenants)
    world.keyedWallets.push(await makeKeyedWallet(stage, random, service, tenant));
  if (guardedDoor !== undefined) world.mailbox = await robMailbox(service, guardedDoor);
  return world;
}

async function makeKeyedWallet(
  stage: Stage,
  random: Random,
  service: Surroundings,
  tenant: Tenant,
): Promise<KeyedWallet> {
  const { devices, index } = await makeWallet(service, -1);
  const [owner, sibling] = [at(devices, 0), at(devices, 1)];
  const key = newDecisionKey();
  const asOwner = surroundings(stage, stage.recorder.as('setup', random, { note: OWNER }));
  await succeed(putKey(asOwner, owner, key));
  const agent = at(tenant.agents, 0);
  const link = newLink(await connect(service, agent, owner), tenant, agent, { index, devices });
  return { link, owner, key, sibling };
}

async function robMailbox(service: Surroundings, door: string): Promise<RobbedMailbox> {
  const merchant = await verifiedMerchant(service, { name: 'Robbed' });
  const payee = await activePayee(service, merchant, { name: 'Robbed payee' });
  return { door, merchant, payee, thief: await signIn(service, merchant.email) };
}

async function makeTenant(world: World, service: Surroundings, index: number): Promise<Tenant> {
  const domain = `tenant-${index}-${randomBytes(4).toString('hex')}.example`;
  const merchant = await verifiedMerchant(service, { name: `Tenant ${index}`, domain });
  // The last one is paid on the observed chain, and stays as it is.
  const observed = { ...OBSERVED, address: `0x${randomBytes(20).toString('hex')}` };
  const payees: TestPayee[] = [];
  for (const facts of [{}, {}, observed]) payees.push(await activePayee(service, merchant, facts));
  const agents: ProjectAgent[] = [];
  for (let each = 0; each < 2; each += 1) {
    const agent = await usableAgent(service, merchant);
    const { apiKey } = await createKey(service, merchant.session, agent.agentId);
    agents.push({ ...agent, apiKey });
  }
  const tenant: Tenant = { index, merchant, payees, agents, endpoints: [] };
  await addEndpoint(world, tenant, service.call, { isStable: true });
  return tenant;
}

export async function addEndpoint(
  world: World,
  tenant: Tenant,
  call: Caller,
  options: { isStable: boolean; event_types?: string[] },
): Promise<void> {
  const place = `/tenant-${tenant.index}/${options.isStable ? 'stable' : `other-${world.nextName()}`}`;
  const { session } = tenant.merchant;
  const body = {
    url: `${world.stage.receivers.url}${place}`,
    event_types: options.event_types ?? ['*'],
  };
  const made = await succeed(call('POST', '/v1/webhook-endpoints', { session, body }));
  world.stage.receivers.learnSecret(place, made.body.secret);
  const { webhook_endpoint_id: endpointId } = made.body.webhook_endpoint;
  const verified = await succeed(call('POST', `/v1/webhook-endpoints/${endpointId}/verify`, { session }));
  const { version } = verified.body.webhook_endpoint;
  tenant.endpoints.push({ endpointId, place, version, isStable: options.isStable });
}

async function makeWallet(service: Surroundings, index: number): Promise<Wallet> {
  const first = await enrolDevice(service);
  const device = deviceOf(first);
  const link = await succeed(service.call('POST', '/v1/wallet-devices/link-codes', { device }));
  return { index, devices: [first, await enrolDevice(service, { link_code: link.body.link_code })] };
}

export function newLink(
  made: { connectionId: string; connectionToken: string },
  tenant: Tenant,
  agent: ProjectAgent,
  wallet: Wallet,
): Link {
  return {
    connectionId: made.connectionId,
    token: made.connectionToken,
    tenant,
    agent,
    wallet,
    isRevoked: false,
    requests: [],
    transactions: [],
    cursor: 0,
    payments: [],
  };
}

/** Wraps around. */
export function at<T>(items: readonly T[], index: number): T {
  const item = items[index % items.length];
  if (item === undefined) throw new Error('an empty list');
  return item;
}

/** Keeps the younger ones: clients come back to what they did lately. */
export function remember<T>(list: T[], item: T, most = 60): void {
  list.push(item);
  if (list.length > most) list.shift();
}
