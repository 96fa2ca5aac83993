import {
  AgentClient,
  type ConnectionClient,
  type GeneratedAgentKey,
  generateAgentKey,
  type MerchantClient,
  memoryStore,
  SCOPES,
  signCredentialChallenge,
  WalletClient,
} from '@payassent/sdk';
import { type DemoStage, ensure } from './demo-stage.ts';

export interface DemoConnection {
  agentId: string;
  kid: string;
  key: GeneratedAgentKey;
  wallet: WalletClient;
  device: { deviceId: string; deviceToken: string };
  connectionToken: string;
  connectionId: string;
  connection: ConnectionClient;
}

/** An agent with a key that never leaves this process, and a user who lets it in. */
export async function connectAgent(stage: DemoStage, merchant: MerchantClient): Promise<DemoConnection> {
  const { client, ...agent } = await registerAgent(stage, merchant);
  const enrolled = await enrolWallet(stage);
  return { ...agent, ...enrolled, ...(await connect(stage, client, enrolled.wallet)) };
}

async function registerAgent(stage: DemoStage, merchant: MerchantClient) {
  await stage.step(
    'The merchant registers an agent',
    'The key pair is made here. Only the public half is sent; a signed challenge proves that the other half exists.',
  );
  const { agent } = await merchant.agents.create({
    name: 'Errand runner',
    runtime: 'node',
    environment: 'test',
    allowed_scopes: SCOPES,
  });
  const { agent_id: agentId } = agent;
  const key = generateAgentKey();
  const kid = 'errand-runner-1';
  const { credentials } = merchant.agents;
  const registered = await credentials.register(agentId, { kid, public_key: key.publicKey });
  const challenge = registered.proof_challenge;
  const credentialId = registered.credential.credential_id;
  const options = stage.client('agent');
  const expected = { baseUrl: options.baseUrl, agentId, credentialId, kid };
  const signature = await signCredentialChallenge(challenge, key, expected);
  const proved = await credentials.activate(agentId, credentialId, { challenge, signature });
  ensure(proved.credential.status === 'active', 'a proved key');
  await merchant.agents.update(agentId, { status: 'active', version: agent.version });

  await stage.step(
    'The agent signs in',
    'With an assertion that it signs again each time, good for minutes and accepted once. The token dies with its key.',
  );
  const client = new AgentClient({ ...options, agentId, kid, key, store: memoryStore() });
  await client.token(stage.signal);
  return { agentId, kid, key, client };
}

async function enrolWallet(stage: DemoStage) {
  await stage.step(
    'A user sets up a wallet',
    'A wallet is a user, its devices are the phones. The keys that sign payments stay in the wallet app; the service never sees them.',
  );
  const enrolled = await WalletClient.enrol(stage.client('wallet'), {
    name: "Grace's phone",
    platform: 'ios',
  });
  const device = { deviceId: enrolled.device.device_id, deviceToken: enrolled.token };
  return { wallet: enrolled.client, device };
}

async function connect(stage: DemoStage, agent: AgentClient, wallet: WalletClient) {
  await stage.step(
    'The user connects the agent',
    'The user mints a Connect Key and hands it to the agent. Claiming it is not yet permission: the wallet first shows who asks, for whom and for what.',
  );
  const { connect_key } = await wallet.connectKeys.create();
  const { connect_invitation, claim_token } = await agent.invitations.claim({
    connect_key,
    requested_scopes: SCOPES,
  });
  const invitationId = connect_invitation.connect_invitation_id;
  const shown = (await wallet.invitations.get(invitationId)).connect_invitation;
  stage.note(
    `The wallet asks: let “${shown.agent.name}” of ${shown.merchant.name} (${shown.merchant.verified_domain}) ask you for payments?`,
  );
  await wallet.invitations.approve(invitationId);
  const { connection, connection_token } = await agent.invitations.exchange(invitationId, claim_token);
  ensure(connection.status === 'active', 'an active connection');
  await stage.webhook('connection.created');
  const { connection_id: connectionId } = connection;
  const grant = { connectionId, connectionToken: connection_token };
  return { ...grant, connection: agent.connection(grant) };
}
