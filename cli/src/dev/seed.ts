import { setTimeout as sleep } from 'node:timers/promises';
import {
  AgentClient,
  type ClientOptions,
  generateAgentKey,
  MerchantClient,
  memoryStore,
  SCOPES,
  signCredentialChallenge,
  WalletClient,
} from '@payassent/sdk';
import { LocalError } from '../command.ts';
import type { Actor, Narration } from './narration.ts';
import type { Surroundings } from './surroundings.ts';

const MERCHANT = { name: 'Blue Door Coffee', email: 'ada@bluedoor.example', domain: 'bluedoor.example' };
const PAYEES = [
  { name: 'Blue Door Coffee, counter', memo: 'order 1042' },
  { name: 'Blue Door Coffee, beans by post', memo: 'subscription 7' },
];
/** An account from the examples of SEP-23: valid on every Stellar network, and used by no one on this one. */
const ADDRESS = 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ';
const MAIL_PATIENCE_MS = 30_000;
const LOOK_MS = 50;

interface Stage extends Pick<Narration, 'tell'> {
  around: Surroundings;
  signal: AbortSignal;
  client(actor: Actor): ClientOptions;
}

export type Seeded = Awaited<ReturnType<typeof seed>>;

/** Creates everything that a first payment needs by the public API, and narrates each step. */
export async function seed(around: Surroundings, signal: AbortSignal, { fetchAs, tell }: Narration) {
  const client = (actor: Actor): ClientOptions => ({
    baseUrl: around.service.url,
    // Failures are reported where they happen: a silent retry would hide them.
    maxRetries: 0,
    fetch: (url, init) =>
      fetchAs(actor)(url, { ...init, signal: init.signal ? AbortSignal.any([init.signal, signal]) : signal }),
  });
  const stage: Stage = { around, signal, client, tell };
  const merchant = new MerchantClient(client('merchant'));
  await signUp(stage, merchant);
  const domainId = await proveDomain(stage, merchant);
  await receiveWebhooks(stage, merchant);
  const payees = await fixPayees(stage, merchant, domainId);
  const { agent, ...identity } = await registerAgent(stage, merchant);
  const { wallet, connection, ...granted } = await connect(stage, agent);
  return { merchant, persona: MERCHANT, payees, wallet, connection, ...identity, ...granted };
}

async function signUp({ around, signal, tell }: Stage, client: MerchantClient): Promise<void> {
  const { email, name } = MERCHANT;
  await client.sessions.requestLink({ email });
  const token = await mailedToken(around, email, signal);
  const { session_grant } = await client.sessions.verifyEmail({ token });
  const { next_grant } = await client.sessions.createOrganization({ session_grant, name });
  const { merchant } = await client.sessions.open({ next_grant });
  tell(
    'merchant',
    { merchant_id: merchant.merchant_id },
    `The merchant signs up with a link from its mailbox. ${name} is ${merchant.status}: it can do nothing yet.`,
  );
}

/** A new session of the owner, by a link from the mailbox. Returns its cookie. */
export async function signIn(around: Surroundings, signal: AbortSignal): Promise<string> {
  const { email } = MERCHANT;
  const { sessions } = new MerchantClient({ baseUrl: around.service.url });
  const earlier = around.mails.length;
  await sessions.requestLink({ email }, { signal });
  const token = await mailedToken(around, email, signal, earlier);
  const { session_grant, merchants } = await sessions.verifyEmail({ token }, { signal });
  await sessions.open({ session_grant, choice_id: merchants[0]?.choice_id ?? '' }, { signal });
  return sessions.cookie() ?? '';
}

/** Of the first such mail after so many. */
async function mailedToken(
  { mails }: Surroundings,
  email: string,
  signal: AbortSignal,
  earlier = 0,
): Promise<string> {
  for (const deadline = Date.now() + MAIL_PATIENCE_MS; Date.now() < deadline; ) {
    const texts = mails.slice(earlier).flatMap(({ to, text }) => (to.includes(email) ? [text] : []));
    const token = /\/portal\/verify#token=(\S+)/.exec(texts.join('\n'))?.[1];
    if (token !== undefined) return token;
    await sleep(LOOK_MS, undefined, { signal });
  }
  throw new LocalError('no_mail', `No mail with a link came to ${email}.`);
}

async function proveDomain({ around, tell }: Stage, client: MerchantClient): Promise<string> {
  const { domain, challenge } = await client.domains.create({ domain: MERCHANT.domain });
  around.names.set(challenge.dns.name, challenge.dns.value);
  const proved = await client.domains.verify(domain.domain_id);
  tell(
    'domain',
    { domain_id: domain.domain_id, status: proved.domain.status },
    `It publishes a TXT record, the service checks it: ${MERCHANT.domain} is ${proved.domain.status}.`,
  );
  return domain.domain_id;
}

async function receiveWebhooks({ around, tell }: Stage, client: MerchantClient): Promise<void> {
  const { webhooks } = around;
  const { webhook_endpoint, secret } = await client.webhooks.create({ url: `${webhooks.url}/payassent` });
  webhooks.secrets.push(secret);
  const { webhook_endpoint_id: id } = webhook_endpoint;
  const { status } = (await client.webhooks.verify(id)).webhook_endpoint;
  tell(
    'webhooks',
    { webhook_endpoint_id: id, status },
    `It opens a webhook endpoint, whose receiver responds to a signed challenge: ${status}.`,
  );
}

async function fixPayees({ tell }: Stage, client: MerchantClient, domainId: string) {
  const made: { recipient_id: string; name: string }[] = [];
  for (const payee of PAYEES) {
    const facts = { network: 'stellar_testnet', asset: 'XLM', address: ADDRESS } as const;
    const { recipient, recipient_version } = await client.recipients.create({ ...payee, ...facts });
    const { recipient_id, version } = recipient;
    const { recipient_version_id } = recipient_version;
    const proof = { recipient_version_id, type: 'domain_proof', source_id: domainId, version } as const;
    const { evidence_id, evidence_digest } = (await client.recipients.verify(recipient_id, proof)).evidence;
    const chosen = { evidence_id, evidence_digest, version };
    await client.recipients.activate(recipient_id, recipient_version_id, chosen);
    made.push({ recipient_id, name: payee.name });
  }
  tell(
    'payees',
    { payees: made },
    'It fixes where it is paid, in versions that never change, active with its domain as proof.',
  );
  return made;
}

/** The key is made here, and only its public half is sent. */
async function registerAgent({ client, tell }: Stage, merchant: MerchantClient) {
  const { agent } = await merchant.agents.create({
    name: 'Errand runner',
    runtime: 'node',
    environment: 'test',
    allowed_scopes: SCOPES,
  });
  const { agent_id: agentId, version } = agent;
  const [key, kid] = [generateAgentKey(), 'errand-runner-1'];
  const { credentials } = merchant.agents;
  const registered = await credentials.register(agentId, { kid, public_key: key.publicKey });
  const challenge = registered.proof_challenge;
  const credentialId = registered.credential.credential_id;
  const options = client('agent');
  const expected = { baseUrl: options.baseUrl, agentId, credentialId, kid };
  const signature = await signCredentialChallenge(challenge, key, expected);
  await credentials.activate(agentId, credentialId, { challenge, signature });
  await merchant.agents.update(agentId, { status: 'active', version });
  tell(
    'agent',
    { agent_id: agentId },
    'It registers an agent by a public key; a signed challenge proves that the agent has the other half.',
  );
  return {
    agentId,
    kid,
    key,
    agent: new AgentClient({ ...options, agentId, kid, key, store: memoryStore() }),
  };
}

async function connect({ client, tell }: Stage, agent: AgentClient) {
  const phone = { name: "Grace's phone", platform: 'ios' };
  const enrolled = await WalletClient.enrol(client('wallet'), phone);
  const { client: wallet, token: deviceToken } = enrolled;
  tell(
    'wallet',
    { device_id: enrolled.device.device_id },
    'A customer sets up a wallet. The keys that sign payments stay on its device.',
  );
  const { connect_key } = await wallet.connectKeys.create();
  const claim = { connect_key, requested_scopes: SCOPES };
  const { connect_invitation, claim_token } = await agent.invitations.claim(claim);
  const { connect_invitation_id: id, merchant } = connect_invitation;
  await wallet.invitations.approve(id);
  const exchanged = await agent.invitations.exchange(id, claim_token);
  const { connection_id: connectionId, status } = exchanged.connection;
  tell(
    'connected',
    { connection_id: connectionId, status },
    `The customer hands the agent a one-time key, sees that it works for ${merchant.name}, and approves: ${status}.`,
  );
  const connectionToken = exchanged.connection_token;
  return {
    wallet,
    connection: agent.connection({ connectionId, connectionToken }),
    ...{ connectionId, connectionToken, deviceToken, deviceId: enrolled.device.device_id },
  };
}
