import { provedCredential, type TestAgent, usableAgent } from '@payassent/proof/people/agents';
import { signIn, type TestMerchant, verifiedMerchant } from '@payassent/proof/people/merchants';
import {
  agentToken,
  claim,
  connect,
  deviceOf,
  enrolDevice,
  type TestDevice,
} from '@payassent/proof/people/wallets';
import { startService, type TestService } from '@payassent/proof/service/service';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { MINUTE_MS } from '../../lib/clock.ts';

let service: TestService;
let merchant: TestMerchant;
let agent: TestAgent;
let device: TestDevice;
beforeAll(async () => {
  service = await startService();
  merchant = await verifiedMerchant(service, { name: 'Blue Bottle' });
  agent = await usableAgent(service, merchant, { name: 'Buyer', runtime: 'python' });
  device = await enrolDevice(service);
});
afterEach(() => service.clock.release());
afterAll(() => service.close());

const outcome = ({ status, body }: { status: number; body: { error?: { code: string } } }) =>
  `${status} ${body.error?.code ?? 'ok'}`;
const newKey = async (by = device) =>
  (await service.call('POST', '/v1/connect-keys', { device: deviceOf(by) })).body;
const readKey = async (id: string) =>
  (await service.call('GET', '/v1/connect-keys', { device: deviceOf(device) })).body.connect_keys.find(
    (key: { connect_key_id: string }) => key.connect_key_id === id,
  );
const claimKey = async (connect_key: unknown, options: { scopes?: unknown; by?: TestAgent } = {}) =>
  service.call('POST', '/v1/connect-invitations/claim', {
    bearer: await agentToken(service, options.by ?? agent),
    body: { connect_key, requested_scopes: options.scopes ?? ['payment.requests.create'] },
  });
const decide = (id: string, decision: 'approve' | 'reject', body: object = {}, by = device) =>
  service.call('POST', `/v1/connect-invitations/${id}/${decision}`, { device: deviceOf(by), body });
const exchange = (id: string, bearer: string) =>
  service.call('POST', `/v1/connect-invitations/${id}/exchange`, { bearer });
const read = (id: string, bearer: string) => service.call('GET', `/v1/connect-invitations/${id}`, { bearer });
/** Alphabetical: entries of the same millisecond have no other order. */
const auditOf = async (id: string): Promise<string[]> =>
  (await service.db`select type from audit_events where target_id = ${id} order by type`).map(
    (row) => row['type'] as string,
  );

describe('a Connect Key', () => {
  it('is shown once; the list never shows it', async () => {
    const made = await newKey();
    expect(made.connect_key).toMatch(/^svc_ck_/);
    expect(await readKey(made.connect_key_id)).toEqual({
      connect_key_id: made.connect_key_id,
      status: 'issued',
      created_at: made.created_at,
      expires_at: made.expires_at,
    });
    expect(JSON.stringify(await service.db`select * from connect_keys`)).not.toContain('svc_ck_');
  });

  it('lives ten minutes, the last moment included, and reads expired right after', async () => {
    service.clock.freeze();
    const [onTime, late] = [await newKey(), await newKey()];
    service.clock.advance(10 * MINUTE_MS);
    expect(outcome(await claimKey(onTime.connect_key))).toBe('201 ok');
    expect((await readKey(late.connect_key_id)).status).toBe('issued');
    service.clock.advance(1);
    expect((await readKey(late.connect_key_id)).status).toBe('expired');
    expect(outcome(await claimKey(late.connect_key))).toBe('409 connect_key_expired');
  });

  it('can be withdrawn until it is claimed', async () => {
    const made = await newKey();
    const path = `/v1/connect-keys/${made.connect_key_id}`;
    const withdrawn = await service.call('DELETE', path, { device: deviceOf(device) });
    expect(withdrawn.body.connect_key).toMatchObject({
      connect_key_id: made.connect_key_id,
      status: 'withdrawn',
    });
    expect(outcome(await service.call('DELETE', path, { device: deviceOf(device) }))).toBe('200 ok');
    expect(outcome(await claimKey(made.connect_key))).toBe('409 connect_key_used');
    expect(await auditOf(made.connect_key_id)).toEqual(['connect_key.created', 'connect_key.withdrawn']);

    const claimed = await newKey();
    await claimKey(claimed.connect_key);
    const late = await service.call('DELETE', `/v1/connect-keys/${claimed.connect_key_id}`, {
      device: deviceOf(device),
    });
    expect(outcome(late)).toBe('409 connect_key_used');
  });

  it('of another wallet is 404', async () => {
    const made = await newKey();
    const stranger = await enrolDevice(service);
    const path = `/v1/connect-keys/${made.connect_key_id}`;
    expect(outcome(await service.call('DELETE', path, { device: deviceOf(stranger) }))).toBe(
      '404 resource_not_found',
    );
    expect(outcome(await claimKey(made.connect_key))).toBe('201 ok');
  });
});

describe('claiming', () => {
  it('returns what the wallet will see, and consumes the key', async () => {
    const made = await newKey();
    const scopes = ['payment.requests.create', 'payment.requests.read'];
    const { status, body } = await claimKey(made.connect_key, { scopes });
    expect(status).toBe(201);
    expect(body.claim_token).toMatch(/^svc_cl_/);
    expect(body.connect_invitation).toMatchObject({
      status: 'pending_approval',
      requested_scopes: scopes,
      approved_scopes: null,
      agent: { agent_id: agent.agentId, name: 'Buyer', runtime: 'python' },
      merchant: { name: 'Blue Bottle', verified_domain: merchant.domain },
      connection_id: null,
    });
    const path = `/v1/connect-invitations/${body.connect_invitation.connect_invitation_id}`;
    const seen = await service.call('GET', path, { device: deviceOf(device) });
    expect(seen.body.connect_invitation).toEqual(body.connect_invitation);
    expect(outcome(await claimKey(made.connect_key))).toBe('409 connect_key_used');
    expect((await readKey(made.connect_key_id)).status).toBe('used');
  });

  it('is refused for scopes beyond the agent before the key is checked, and consumes nothing', async () => {
    const modest = await usableAgent(service, merchant, { allowed_scopes: ['payment.requests.read'] });
    const made = await newKey();
    for (const key of [made.connect_key, 'svc_ck_unknown'])
      expect(outcome(await claimKey(key, { by: modest }))).toBe('403 insufficient_scope');
    expect(outcome(await claimKey(made.connect_key, { by: modest, scopes: ['payment.requests.read'] }))).toBe(
      '201 ok',
    );
  });

  it('lists what is wrong with the body and consumes nothing', async () => {
    const made = await newKey();
    const { status, body } = await claimKey(7, { scopes: ['payment.requests.create', 'payments.all'] });
    expect(status).toBe(400);
    expect(body.error.issues).toMatchObject([
      { field: 'connect_key', code: 'invalid_type' },
      { field: 'requested_scopes[1]', code: 'scope_unknown' },
    ]);
    expect(outcome(await claimKey(made.connect_key, { scopes: [] }))).toBe('400 validation_failed');
    expect(outcome(await claimKey('svc_ck_unknown'))).toBe('404 resource_not_found');
    expect(outcome(await claimKey(made.connect_key))).toBe('201 ok');
  });
});

describe('the decision', () => {
  it('belongs to the wallet that minted the key, whichever of its devices', async () => {
    const { invitationId, claimToken } = await claim(service, agent, device);
    const stranger = await enrolDevice(service);
    expect(outcome(await decide(invitationId, 'approve', {}, stranger))).toBe('404 resource_not_found');
    const { body } = await service.call('POST', '/v1/wallet-devices/link-codes', {
      device: deviceOf(device),
    });
    const second = await enrolDevice(service, { link_code: body.link_code });
    const approved = await decide(invitationId, 'approve', {}, second);
    expect(approved.body.connect_invitation).toMatchObject({
      status: 'approved',
      approved_scopes: agent.allowedScopes,
    });
    expect(outcome(await exchange(invitationId, claimToken))).toBe('200 ok');
  });

  it('approves no more than was requested, and not nothing', async () => {
    const asked = ['payment.requests.create', 'payment.requests.read'] as const;
    const { invitationId, claimToken } = await claim(service, agent, device, asked);
    for (const [scopes, field, code] of [
      [[], 'scopes', 'too_short'],
      [['transaction_contexts.read'], 'scopes[0]', 'scope_not_allowed'],
      [['payment.requests.read', 'everything'], 'scopes[1]', 'scope_unknown'],
    ] as const) {
      const refused = await decide(invitationId, 'approve', { scopes });
      expect(refused.status).toBe(400);
      expect(refused.body.error.issues).toMatchObject([{ field, code }]);
    }
    await decide(invitationId, 'approve', { scopes: ['payment.requests.read'] });
    const { body } = await exchange(invitationId, claimToken);
    expect(body.connection.scopes).toEqual(['payment.requests.read']);
  });

  it('is made once; a rejection may follow an approval until the exchange', async () => {
    const first = await claim(service, agent, device);
    await decide(first.invitationId, 'approve');
    expect(outcome(await decide(first.invitationId, 'approve'))).toBe('409 invitation_closed');
    const rejected = await decide(first.invitationId, 'reject');
    expect(rejected.body.connect_invitation).toMatchObject({ status: 'rejected', approved_scopes: null });
    expect(outcome(await decide(first.invitationId, 'reject'))).toBe('409 invitation_closed');
    expect(outcome(await decide(first.invitationId, 'approve'))).toBe('409 invitation_closed');
    expect(outcome(await exchange(first.invitationId, first.claimToken))).toBe('409 invitation_closed');
    const detail = await read(first.invitationId, first.claimToken);
    expect(detail.body.connect_invitation.status).toBe('rejected');
    expect(await auditOf(first.invitationId)).toEqual([
      'connect_invitation.approved',
      'connect_invitation.claimed',
      'connect_invitation.rejected',
    ]);

    const second = await claim(service, agent, device);
    await decide(second.invitationId, 'approve');
    await exchange(second.invitationId, second.claimToken);
    expect(outcome(await decide(second.invitationId, 'reject'))).toBe('409 invitation_closed');
  });

  it('has fifteen minutes, the last moment included; an approval not exchanged by then is over too', async () => {
    service.clock.freeze();
    const pending = await claim(service, agent, device);
    const approved = await claim(service, agent, device);
    const late = await claim(service, agent, device);
    await decide(approved.invitationId, 'approve');
    service.clock.advance(15 * MINUTE_MS);
    expect(outcome(await decide(pending.invitationId, 'approve'))).toBe('200 ok');
    expect(outcome(await exchange(pending.invitationId, pending.claimToken))).toBe('200 ok');
    service.clock.advance(1);
    expect(outcome(await decide(late.invitationId, 'approve'))).toBe('409 invitation_closed');
    expect(outcome(await decide(late.invitationId, 'reject'))).toBe('409 invitation_closed');
    expect(outcome(await exchange(approved.invitationId, approved.claimToken))).toBe('409 invitation_closed');
    for (const { invitationId, claimToken } of [approved, late])
      expect((await read(invitationId, claimToken)).body.connect_invitation.status).toBe('expired');
  });

  it('can be listed and filtered by what it reads now', async () => {
    const user = await enrolDevice(service);
    const list = async (query: Record<string, string | number> = {}) =>
      service.call('GET', '/v1/connect-invitations', { device: deviceOf(user), query });
    service.clock.freeze();
    const open = await claim(service, agent, user);
    service.clock.advance(MINUTE_MS);
    const done = await claim(service, agent, user);
    await decide(done.invitationId, 'reject', {}, user);
    service.clock.advance(14 * MINUTE_MS + 1);
    const ids = async (query: Record<string, string | number>) =>
      (await list(query)).body.connect_invitations.map(
        (row: { connect_invitation_id: string }) => row.connect_invitation_id,
      );
    expect(await ids({})).toEqual([done.invitationId, open.invitationId]);
    expect(await ids({ status: 'expired' })).toEqual([open.invitationId]);
    expect(await ids({ status: 'pending_approval' })).toEqual([]);
    expect(outcome(await list({ status: 'nonsense' }))).toBe('400 validation_failed');
    const first = await list({ limit: 1 });
    expect(await ids({ limit: 1, cursor: first.body.next_cursor })).toEqual([open.invitationId]);
  });
});

describe('the exchange', () => {
  it('is no approval: before the wallet decided nothing is consumed', async () => {
    const { invitationId, claimToken } = await claim(service, agent, device);
    expect(outcome(await exchange(invitationId, claimToken))).toBe('409 wallet_approval_required');
    await decide(invitationId, 'approve');
    const { status, body } = await exchange(invitationId, claimToken);
    expect(status).toBe(200);
    expect(body.connection_token).toMatch(/^svc_ct_/);
    expect(body.connection).toMatchObject({
      status: 'active',
      scopes: agent.allowedScopes,
      agent: { agent_id: agent.agentId, name: 'Buyer' },
      merchant: { name: 'Blue Bottle', verified_domain: merchant.domain },
    });
    expect(await auditOf(body.connection.connection_id)).toEqual(['connection.created']);
    expect(outcome(await exchange(invitationId, claimToken))).toBe('401 token_revoked');
    expect(outcome(await read(invitationId, claimToken))).toBe('401 token_revoked');
    const seen = await service.call('GET', `/v1/connect-invitations/${invitationId}`, {
      device: deviceOf(device),
    });
    expect(seen.body.connect_invitation).toMatchObject({
      status: 'exchanged',
      connection_id: body.connection.connection_id,
    });
  });

  it("a claim token opens its own invitation, not another of the same agent's", async () => {
    const [mine, other] = [await claim(service, agent, device), await claim(service, agent, device)];
    await decide(other.invitationId, 'approve');
    expect(outcome(await read(other.invitationId, mine.claimToken))).toBe('404 resource_not_found');
    expect(outcome(await exchange(other.invitationId, mine.claimToken))).toBe('404 resource_not_found');
    expect(outcome(await exchange(other.invitationId, other.claimToken))).toBe('200 ok');
  });

  it('is closed to an agent that is suspended or revoked, and opens when it is active again', async () => {
    const session = await signIn(service, merchant.email);
    const sleeper = await usableAgent(service, { session });
    const path = `/v1/agents/${sleeper.agentId}`;
    const patch = async (body: object) =>
      (await service.call('PATCH', path, { session, body })).body.agent.version;
    const first = await claim(service, sleeper, device);
    const second = await claim(service, sleeper, device);
    await decide(first.invitationId, 'approve');

    const slept = await patch({ status: 'suspended', version: sleeper.version });
    expect(outcome(await exchange(first.invitationId, first.claimToken))).toBe('403 agent_not_active');
    const woken = await patch({ status: 'active', version: slept });
    await service.call('DELETE', `${path}/credentials/${sleeper.credentialId}`, { session });
    expect(outcome(await exchange(first.invitationId, first.claimToken))).toBe('403 agent_not_active');
    await provedCredential(service, session, sleeper.agentId, 'second');
    expect(outcome(await exchange(first.invitationId, first.claimToken))).toBe('200 ok');

    await patch({ status: 'revoked', version: woken });
    expect(outcome(await exchange(second.invitationId, second.claimToken))).toBe('401 token_revoked');
    expect(outcome(await decide(second.invitationId, 'approve'))).toBe('409 invitation_closed');
    const seen = await service.call('GET', `/v1/connect-invitations/${second.invitationId}`, {
      device: deviceOf(device),
    });
    expect(seen.body.connect_invitation.status).toBe('rejected');
  });

  it('shows the wallet no domain when none is proved any more', async () => {
    const other = await verifiedMerchant(service);
    const theirs = await usableAgent(service, other);
    await service.call('DELETE', `/v1/merchant-domains/${other.domainId}`, { session: other.session });
    const { invitationId } = await claim(service, theirs, device);
    const seen = await service.call('GET', `/v1/connect-invitations/${invitationId}`, {
      device: deviceOf(device),
    });
    expect(seen.body.connect_invitation.merchant.verified_domain).toBeNull();
  });
});

describe('what is over', () => {
  it('is deleted a day later; connections stay', async () => {
    const { connectionRetention } = await import('./index.ts');
    const made = await connect(service, agent, device);
    service.clock.advance(24 * 60 * MINUTE_MS + 16 * MINUTE_MS);
    for (const rule of connectionRetention) await rule.purge(service.db, service.clock.now(), 500);
    const [left] = await service.db`
      select (select count(*)::int from connect_keys) as keys, (select count(*)::int from connect_invitations) as invitations`;
    expect(left).toEqual({ keys: 0, invitations: 0 });
    const { body } = await service.call('GET', '/v1/connections', { device: deviceOf(device) });
    expect(body.connections[0].connection_id).toBe(made.connectionId);
  });
});
