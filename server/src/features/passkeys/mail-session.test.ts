import { generateKeyPairSync } from 'node:crypto';
import { rawPublicKey, signText, usableAgent } from '@payassent/proof/people/agents';
import { registeredPasskey, stepUp } from '@payassent/proof/people/authenticator';
import { outcome, succeed, type TestMerchant, verifiedMerchant } from '@payassent/proof/people/merchants';
import { decideApproval, joinedOperator, mailWith, twoOwners } from '@payassent/proof/people/operators';
import type { Received } from '@payassent/proof/service/client';
import { startService, type TestService } from '@payassent/proof/service/service';
import { afterAll, beforeAll, expect, it } from 'vitest';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

interface Guarded {
  run(): Promise<Received>;
  /** In the mail to every owner. */
  mail: string;
}

/** Acts that replace the agent, the receiver or the domain by another party's. */
async function acts(merchant: TestMerchant): Promise<Record<string, Guarded>> {
  const { session, domainId } = merchant;
  const agent = await usableAgent(service, merchant);
  const keys = generateKeyPairSync('ed25519');
  const credentials = `/v1/agents/${agent.agentId}/credentials`;
  const body = { kid: 'second', alg: 'Ed25519', public_key: rawPublicKey(keys.publicKey) };
  const pending = (
    await succeed(service.call('POST', credentials, { session, body: { ...body, kid: 'first' } }))
  ).body;
  const endpoint = (
    await succeed(
      service.call('POST', '/v1/webhook-endpoints', { session, body: { url: 'http://127.0.0.1:9/hook' } }),
    )
  ).body.webhook_endpoint;
  const proof = {
    challenge: pending.proof_challenge,
    signature: signText(pending.proof_challenge, keys.privateKey),
  };
  const id = pending.credential.credential_id;
  const agentPath = `/v1/agents/${agent.agentId}`;
  const required = await succeed(
    service.call('PATCH', agentPath, {
      session,
      body: {
        require_proof: true,
        version: (await succeed(service.call('GET', agentPath, { session }))).body.agent.version,
      },
    }),
  );
  return {
    'a key is added to an agent': {
      run: () => service.call('POST', credentials, { session, body }),
      mail: 'A key was added to an agent',
    },
    'a key of an agent is activated': {
      run: () => service.call('POST', `${credentials}/${id}/activate`, { session, body: proof }),
      mail: 'A key of an agent was activated',
    },
    'the proof of an agent is switched off': {
      run: () =>
        service.call('PATCH', agentPath, {
          session,
          body: { require_proof: false, version: required.body.agent.version },
        }),
      mail: 'An agent no longer proves its key',
    },
    'a webhook goes elsewhere': {
      run: () =>
        service.call('PATCH', `/v1/webhook-endpoints/${endpoint.webhook_endpoint_id}`, {
          session,
          body: { url: 'http://127.0.0.1:9/other', version: endpoint.version },
        }),
      mail: 'The address of a webhook was changed',
    },
    'a domain is deleted': {
      run: () => service.call('DELETE', `/v1/merchant-domains/${domainId}`, { session }),
      mail: 'A domain was deleted',
    },
  };
}

it('without the use of the passkey a session cannot replace the key of an agent, the receiver of webhooks or the domain, and every owner gets a mail', async () => {
  const merchant = await verifiedMerchant(service);
  const other = await joinedOperator(service, merchant, 'owner');
  const guarded = await acts(merchant);
  const passkey = await registeredPasskey(service, merchant.session);
  for (const [name, { run }] of Object.entries(guarded))
    expect(`${name}: ${outcome(await run())}`).toBe(`${name}: 403 step_up_required`);
  await stepUp(service, merchant.session, passkey);
  for (const [name, { run, mail }] of Object.entries(guarded)) {
    expect(`${name}: ${outcome(await run())}`).toMatch(/: 20[01] ok$/);
    const words = await mailWith(service, other.email, mail);
    expect(words).toContain(merchant.email);
    if (/agent/.test(name)) expect(words).toMatch(/Agent: "[^"]+" \(agt_/);
  }
});

it('what the same calls change besides needs no passkey', async () => {
  const merchant = await verifiedMerchant(service);
  const { session } = merchant;
  const agent = await usableAgent(service, merchant);
  const path = `/v1/agents/${agent.agentId}`;
  await registeredPasskey(service, session);
  const { version } = (await succeed(service.call('GET', path, { session }))).body.agent;
  const body = { name: 'Renamed', require_proof: true, version };
  expect(outcome(await service.call('PATCH', path, { session, body }))).toBe('200 ok');
});

it('under four eyes one owner alone does not delete a domain', async () => {
  const { first, second } = await twoOwners(service);
  const { session, domainId, domain } = first;
  const path = `/v1/merchant-domains/${domainId}`;
  const asked = await service.call('DELETE', path, { session });
  expect(asked.status).toBe(202);
  expect(asked.body.approval).toMatchObject({
    act: 'domain.delete',
    target: { type: 'domain', id: domainId },
    details: { domain, payees: 0 },
  });
  expect(outcome(await service.call('GET', path, { session }))).toBe('200 ok');
  const id = asked.body.approval.approval_id;
  expect(outcome(await decideApproval(service, second.session, id, 'approve'))).toBe('200 ok');
  expect(outcome(await service.call('GET', path, { session }))).toBe('404 resource_not_found');
});
