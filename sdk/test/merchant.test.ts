import { tokenIn, uniqueDomain } from '@payassent/proof/people/merchants';
import { stellarAddress } from '@payassent/proof/people/payees';
import { activeMerchant, activePayee, registeredAgent, signUp } from '@payassent/proof/people/sdk';
import { startService, type TestService } from '@payassent/proof/service/service';
import {
  generateAgentKey,
  isApiError,
  MerchantClient,
  SCOPES,
  signCredentialChallenge,
} from '@payassent/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

describe('a team member', () => {
  it('signs up, proves a domain, returns, resumes in another process and signs out', async () => {
    const { merchant, email } = await signUp(service);
    expect((await merchant.organization.get()).merchant.status).toBe('pending');
    const { domain, challenge } = await merchant.domains.create({ domain: uniqueDomain() });
    const failed = await merchant.domains.verify(domain.domain_id).catch((error: unknown) => error);
    expect(isApiError(failed, 'domain_proof_failed')).toBe(true);
    service.dns.set(challenge.dns.name, 'TXT', [challenge.dns.value]);
    const verified = await merchant.domains.verify(domain.domain_id);
    expect([verified.domain.status, verified.merchant.status]).toEqual(['verified', 'active']);
    expect((await merchant.domains.get(domain.domain_id)).challenge.dns).toEqual(challenge.dns);

    const sessionCookie = merchant.sessions.cookie();
    const later = new MerchantClient({ baseUrl: service.url, ...(sessionCookie ? { sessionCookie } : {}) });
    const resumed = await later.sessions.resume();
    const renamed = await later.organization.update({ name: 'Renamed', version: resumed.merchant.version });
    expect(renamed.merchant.name).toBe('Renamed');

    const returning = new MerchantClient({ baseUrl: service.url });
    await returning.sessions.requestLink({ email });
    const token = tokenIn((await service.smtp.waitForMail(email)).text);
    const { session_grant, merchants } = await returning.sessions.verifyEmail({ token });
    const choice_id = merchants[0]?.choice_id ?? '';
    expect((await returning.sessions.open({ session_grant, choice_id })).merchant.name).toBe('Renamed');

    await returning.sessions.signOutEverywhere();
    expect(returning.sessions.cookie()).toBeUndefined();
    expect(isApiError(await later.organization.get().catch((e: unknown) => e))).toBe(true);
  });

  it('signs out of one session alone', async () => {
    const { merchant } = await signUp(service);
    const cookie = merchant.sessions.cookie() ?? '';
    await merchant.sessions.signOut();
    const again = new MerchantClient({ baseUrl: service.url, sessionCookie: cookie });
    const refused = await again.sessions.resume().catch((error: unknown) => error);
    expect(isApiError(refused) && refused.httpStatus).toBe(401);
  });
});

describe('payees', () => {
  it('are created, verified, activated, replaced, listed page by page and archived', async () => {
    const { merchant, domainId } = await activeMerchant(service);
    const payee = await activePayee(merchant, domainId);
    const facts = { network: 'stellar_testnet', asset: 'XLM', address: stellarAddress() } as const;
    const added = await merchant.recipients.addVersion(payee.recipientId, {
      ...facts,
      version: payee.version,
    });
    expect(added.recipient_version.number).toBe(2);
    await merchant.recipients.create({ name: 'Second', ...facts, address: stellarAddress() });
    await merchant.recipients.create({ name: 'Third', ...facts, address: stellarAddress() });
    const names = (await collect(merchant.recipients.each({ limit: 1 }))).map(({ name }) => name);
    expect(names).toEqual(['Third', 'Second', 'Till']);
    const { recipient, recipient_versions } = await merchant.recipients.get(payee.recipientId);
    expect(recipient_versions).toHaveLength(2);
    const change = { status: 'archived', version: recipient.version } as const;
    expect((await merchant.recipients.update(payee.recipientId, change)).recipient.status).toBe('archived');
  });

  it('report every problem together, and a stale version with the current one', async () => {
    const { merchant, domainId } = await activeMerchant(service);
    const wrong = { name: '', network: 'stellar_testnet', asset: 'XLM', address: 'nowhere' } as const;
    const invalid = await merchant.recipients.create(wrong).catch((error: unknown) => error);
    if (!isApiError(invalid, 'validation_failed')) throw invalid;
    expect(invalid.issues.map(({ field }) => field).toSorted()).toEqual(['address', 'name']);
    expect(invalid.requestId).toBeTruthy();
    expect(invalid.recovery).toContain('issues');

    const { recipientId } = await activePayee(merchant, domainId);
    const stale = await merchant.recipients
      .update(recipientId, { name: 'Late', version: 1 })
      .catch((error: unknown) => error);
    if (!isApiError(stale) || stale.code !== 'version_conflict') throw stale;
    // The type of details follows from the code: this line would not compile otherwise.
    const current: number = stale.details.current_version;
    expect(current).toBeGreaterThan(1);
    expect(stale.attempts).toBe(1);
  });
});

describe('agents', () => {
  it('get a key whose private half never leaves, and lose it again', async () => {
    const { merchant } = await activeMerchant(service);
    const { agentId, credentialId, kid } = await registeredAgent(merchant);
    expect((await merchant.agents.get(agentId)).agent.status).toBe('active');
    const listed = await collect(merchant.agents.credentials.each(agentId));
    expect(listed.map((entry) => [entry.kid, entry.status])).toEqual([[kid, 'active']]);
    const { credential } = await merchant.agents.credentials.revoke(agentId, credentialId);
    expect(credential.status).toBe('revoked');
    expect((await collect(merchant.agents.each())).map((agent) => agent.agent_id)).toEqual([agentId]);
  });

  it('can be proved by two parties: the team member registers, the holder of the key signs', async () => {
    const { merchant } = await activeMerchant(service);
    const input = { name: 'Bot', runtime: 'node', environment: 'test', allowed_scopes: SCOPES };
    const { agent_id: agentId } = (await merchant.agents.create(input)).agent;
    const key = generateAgentKey();
    const { credential, proof_challenge } = await merchant.agents.credentials.register(agentId, {
      kid: 'k1',
      public_key: key.publicKey,
    });
    const expected = { baseUrl: service.url, agentId, kid: 'k1' };
    const signature = await signCredentialChallenge(proof_challenge, key, expected);
    const proof = { challenge: proof_challenge, signature };
    const proved = await merchant.agents.credentials.activate(agentId, credential.credential_id, proof);
    expect(proved.credential.status).toBe('active');
    for (const other of [
      { ...expected, baseUrl: 'https://elsewhere.example' },
      { ...expected, agentId: 'agt_other' },
      { ...expected, kid: 'k2' },
      { ...expected, credentialId: 'crd_other' },
    ])
      await expect(signCredentialChallenge(proof_challenge, key, other)).rejects.toThrow(TypeError);
    await expect(signCredentialChallenge(proof_challenge, generateAgentKey(), expected)).rejects.toThrow(
      'another key',
    );
    await expect(signCredentialChallenge('pay me', key, expected)).rejects.toThrow(TypeError);
  });
});

describe('access and audit', () => {
  it('makes and revokes API keys, opens admin sessions, and shows who did it', async () => {
    const { merchant } = await activeMerchant(service);
    const { agentId } = await registeredAgent(merchant);
    const made = await merchant.access.createApiKey({ name: 'ci', agent_id: agentId });
    expect(made.api_key).toMatch(/^svc_key_test_/);
    expect((await collect(merchant.access.eachApiKey())).map((key) => key.api_key_id)).toEqual([
      made.api_key_id,
    ]);
    await merchant.access.revokeApiKey(made.api_key_id);
    expect((await merchant.access.createAdminSession()).session_token).toMatch(/^svc_st_/);
    const acts = await collect(merchant.audit.each({ target_id: made.api_key_id }));
    expect(acts.map(({ type }) => type)).toEqual(['api_key.revoked', 'api_key.created']);
  });
});
