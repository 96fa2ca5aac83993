import { randomUUID } from 'node:crypto';
import {
  AgentClient,
  type AgentClientOptions,
  type ConnectionClient,
  type ConnectionWithToken,
  type GeneratedAgentKey,
  generateAgentKey,
  MerchantClient,
  memoryStore,
  SCOPES,
  WalletClient,
} from '@payassent/sdk';
import type { TestService } from '../service/service.ts';
import { tokenIn, uniqueDomain, uniqueEmail } from './merchants.ts';
import { stellarAddress } from './payees.ts';

/** From nothing to a signed-in operator of a new, pending organization. */
export async function signUp(
  service: TestService,
  email = uniqueEmail(),
): Promise<{ merchant: MerchantClient; email: string }> {
  const merchant = new MerchantClient({ baseUrl: service.url });
  await merchant.sessions.requestLink({ email });
  const token = tokenIn((await service.smtp.waitForMail(email)).text);
  const { session_grant } = await merchant.sessions.verifyEmail({ token });
  const { next_grant } = await merchant.sessions.createOrganization({ session_grant, name: 'Example Shop' });
  await merchant.sessions.open({ next_grant });
  return { merchant, email };
}

/** An active organization, its domain proved through the real DNS server. */
export async function activeMerchant(
  service: TestService,
): Promise<{ merchant: MerchantClient; domainId: string; email: string }> {
  const { merchant, email } = await signUp(service);
  const { domain, challenge } = await merchant.domains.create({ domain: uniqueDomain() });
  service.dns.set(challenge.dns.name, 'TXT', [challenge.dns.value]);
  await merchant.domains.verify(domain.domain_id);
  return { merchant, domainId: domain.domain_id, email };
}

/** A payee whose first version is verified and active. */
export async function activePayee(
  merchant: MerchantClient,
  domainId: string,
  name = 'Till',
): Promise<{ recipientId: string; recipientVersionId: string; address: string; version: number }> {
  const address = stellarAddress();
  const facts = { network: 'stellar_testnet', asset: 'XLM', address } as const;
  const created = await merchant.recipients.create({ name, ...facts });
  const { version } = await activateVersion(merchant, domainId, created);
  const { recipient_id: recipientId } = created.recipient;
  const { recipient_version_id: recipientVersionId } = created.recipient_version;
  return { recipientId, recipientVersionId, address, version };
}

/** Verified and activated by its owner; the Recipient as it is then. */
export async function activateVersion(
  merchant: MerchantClient,
  domainId: string,
  { recipient, recipient_version }: Awaited<ReturnType<MerchantClient['recipients']['create']>>,
): Promise<{ version: number }> {
  const { version, recipient_id: recipientId } = recipient;
  const { recipient_version_id: recipientVersionId } = recipient_version;
  const { evidence } = await merchant.recipients.verify(recipientId, {
    recipient_version_id: recipientVersionId,
    type: 'domain_proof',
    source_id: domainId,
    version,
  });
  const { evidence_id, evidence_digest } = evidence;
  const proof = { evidence_id, evidence_digest, version };
  return (await merchant.recipients.activate(recipientId, recipientVersionId, proof)).recipient;
}

interface Registered {
  agentId: string;
  credentialId: string;
  kid: string;
  key: GeneratedAgentKey;
  version: number;
}

/** An active agent with a proved key. */
export async function registeredAgent(merchant: MerchantClient): Promise<Registered> {
  const kid = `key-${randomUUID()}`;
  const key = generateAgentKey();
  const input = { name: 'Shopping agent', runtime: 'node', environment: 'test', allowed_scopes: SCOPES };
  const { agent } = await merchant.agents.create(input);
  const { credential } = await merchant.agents.credentials.add(agent.agent_id, { kid, key });
  const change = { status: 'active', version: agent.version } as const;
  const { version } = (await merchant.agents.update(agent.agent_id, change)).agent;
  return { agentId: agent.agent_id, credentialId: credential.credential_id, kid, key, version };
}

/** Key, claim, approval by the wallet, exchange. */
export async function connect(
  agent: AgentClient,
  wallet: WalletClient,
): Promise<ConnectionWithToken & { client: ConnectionClient }> {
  const { connect_key } = await wallet.connectKeys.create();
  const claimed = await agent.invitations.claim({ connect_key, requested_scopes: SCOPES });
  const id = claimed.connect_invitation.connect_invitation_id;
  await wallet.invitations.approve(id);
  const exchanged = await agent.invitations.exchange(id, claimed.claim_token);
  const { connection, connection_token } = exchanged;
  const grant = { connectionId: connection.connection_id, connectionToken: connection_token };
  return { connection, connection_token, client: agent.connection(grant) };
}

export interface World {
  merchant: MerchantClient;
  domainId: string;
  payee: Awaited<ReturnType<typeof activePayee>>;
  registered: Registered;
  agent: AgentClient;
  wallet: WalletClient;
  deviceToken: string;
  connection: ConnectionClient;
  connectionId: string;
  connectionToken: string;
}

/** Everyone the product has, made with the SDK through the front door. */
export async function wholeWorld(
  service: TestService,
  agentOptions: Partial<AgentClientOptions> = {},
): Promise<World> {
  const { merchant, domainId } = await activeMerchant(service);
  const payee = await activePayee(merchant, domainId);
  const registered = await registeredAgent(merchant);
  const agent = agentOf(service, registered, agentOptions);
  const enrolled = await WalletClient.enrol({ baseUrl: service.url }, { name: 'Phone', platform: 'ios' });
  const { client, connection, connection_token } = await connect(agent, enrolled.client);
  return {
    merchant,
    domainId,
    payee,
    registered,
    agent,
    wallet: enrolled.client,
    deviceToken: enrolled.token,
    connection: client,
    connectionId: connection.connection_id,
    connectionToken: connection_token,
  };
}

export function agentOf(
  service: Pick<TestService, 'url'>,
  { agentId, kid, key }: Pick<Registered, 'agentId' | 'kid' | 'key'>,
  options: Partial<AgentClientOptions> = {},
): AgentClient {
  return new AgentClient({ baseUrl: service.url, agentId, kid, key, store: memoryStore(), ...options });
}
