import type { Scope } from '@payassent/protocol';
import type { Sender } from '../../../server/src/http/kernel.ts';
import type { Caller } from '../service/client.ts';
import { exchangeAssertion, type TestAgent } from './agents.ts';
import { succeed } from './merchants.ts';

/** What these helpers need of a service; a service in this process and one in its own both fit. */
export interface WalletSurroundings {
  call: Caller;
  url: string;
  clock?: { now(): Date };
}

/** `device_id` and `token` as a wallet sends them, so that it can be handed to `call` as `device`. */
export interface TestDevice {
  device_id: string;
  token: string;
  walletId: string;
  recoveryCode: string;
}

export interface TestConnection {
  connectionId: string;
  connectionToken: string;
}

/** A device with a new wallet, or one that joins a wallet by a code. */
export async function enrolDevice(
  service: Pick<WalletSurroundings, 'call'>,
  overrides: { name?: string; platform?: string; link_code?: string; recovery_code?: string } = {},
): Promise<TestDevice> {
  const body = { name: 'Phone', platform: 'ios', ...overrides };
  const { device, token, recovery_code } = (
    await succeed(service.call('POST', '/v1/wallet-devices', { body }))
  ).body;
  return { device_id: device.device_id, token, walletId: device.wallet_id, recoveryCode: recovery_code };
}

/** What goes over the wire for a device, without the test's own knowledge about it. */
export function deviceOf(device: { device_id: string; token: string }): { device_id: string; token: string } {
  return { device_id: device.device_id, token: device.token };
}

/** A fresh agent token, through a signed assertion. */
export async function agentToken(service: WalletSurroundings, agent: TestAgent): Promise<string> {
  return exchangeAssertion(service, agent);
}

interface Claimed {
  invitationId: string;
  claimToken: string;
}

/** The user's wallet makes a Connect Key, the agent claims it. */
export async function claim(
  service: WalletSurroundings,
  agent: TestAgent,
  device: TestDevice,
  scopes: readonly Scope[] = agent.allowedScopes,
): Promise<Claimed> {
  const key = await succeed(service.call('POST', '/v1/connect-keys', { device: deviceOf(device) }));
  const claimed = await succeed(
    service.call('POST', '/v1/connect-invitations/claim', {
      bearer: await agentToken(service, agent),
      body: { connect_key: key.body.connect_key, requested_scopes: scopes },
    }),
  );
  return {
    invitationId: claimed.body.connect_invitation.connect_invitation_id,
    claimToken: claimed.body.claim_token,
  };
}

/** The whole way of Connect: key, claim, approval, exchange. The token has not been used yet. */
export async function connect(
  service: WalletSurroundings,
  agent: TestAgent,
  device: TestDevice,
  scopes?: readonly Scope[],
): Promise<TestConnection> {
  const { invitationId, claimToken } = await claim(service, agent, device, scopes);
  const path = `/v1/connect-invitations/${invitationId}`;
  await succeed(service.call('POST', `${path}/approve`, { device: deviceOf(device) }));
  const { connection, connection_token } = (
    await succeed(service.call('POST', `${path}/exchange`, { bearer: claimToken }))
  ).body;
  return { connectionId: connection.connection_id, connectionToken: connection_token };
}

/** For the check of a token whose agent requires no proof: its sender brings none. */
export const ANY_SENDER = { request: { rawHeaders: [] as string[] } } as unknown as Sender;

/** Uses a connection token on a read that changes nothing: `200 ok`, or how it was refused. Needs the read scope. */
export async function useConnection(
  service: Pick<WalletSurroundings, 'call'>,
  connectionToken: string,
): Promise<string> {
  const { status, body } = await service.call('GET', '/v1/payment-requests/events', {
    bearer: connectionToken,
  });
  return `${status} ${body.error?.code ?? 'ok'}`;
}
