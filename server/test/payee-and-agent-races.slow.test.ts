// Slow: sends a hundred calls at a time to two processes.
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import {
  provedCredential,
  rawPublicKey,
  signAssertion,
  signText,
  type TestAgent,
  usableAgent,
} from '@payassent/proof/people/agents';
import { outcome, succeed, type TestMerchant, verifiedMerchant } from '@payassent/proof/people/merchants';
import { activePayee, createPayee, payeeFacts, verifyPayee } from '@payassent/proof/people/payees';
import { type Caller, createCaller, type Received, type Sent } from '@payassent/proof/service/client';
import { type ServiceProcess, startProcess } from '@payassent/proof/service/process';
import { freePort, startService, type TestService } from '@payassent/proof/service/service';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

const CALLERS = 100;

let service: TestService;
let other: ServiceProcess;
let otherCall: Caller;
let merchant: TestMerchant;
beforeAll(async () => {
  service = await startService();
  const port = await freePort();
  // One public address for both, as behind a load balancer: an assertion is meant for the service, not for a process.
  other = await startProcess({ ...service.env, SVC_PORT: String(port), SVC_BASE_URL: service.url });
  otherCall = createCaller(`http://127.0.0.1:${port}`);
  const ready = async () => {
    if ((await otherCall('GET', '/health')).status !== 200) throw new Error('not ready');
  };
  await vi.waitFor(ready, { timeout: 20_000, interval: 100 });
  merchant = await verifiedMerchant(service);
});
afterAll(async () => {
  await other.end();
  await service.close();
});

const call = (method: string, path: string, body?: unknown): Promise<Received> =>
  service.call(method, path, { session: merchant.session, ...(body === undefined ? {} : { body }) });

/** The same call a hundred times concurrently, half of them to each process. */
async function race(method: string, path: string, sent: (index: number) => Sent): Promise<Received[]> {
  return Promise.all(
    Array.from({ length: CALLERS }, (_, index) =>
      (index % 2 === 0 ? service.call : otherCall)(method, path, {
        session: merchant.session,
        ...sent(index),
      }),
    ),
  );
}

function tally(received: readonly Received[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const one of received) counts[outcome(one)] = (counts[outcome(one)] ?? 0) + 1;
  return counts;
}

async function unprovedKey(agentId: string) {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const body = { kid: randomUUID(), alg: 'Ed25519', public_key: rawPublicKey(publicKey) };
  const made = await succeed(call('POST', `/v1/agents/${agentId}/credentials`, body));
  const challenge: string = made.body.proof_challenge;
  const path = `/v1/agents/${agentId}/credentials/${made.body.credential.credential_id}/activate`;
  return { path, proof: { challenge, signature: signText(challenge, privateKey) } };
}

async function verifiedVersion() {
  const created = (await createPayee(service, merchant)).body;
  const recipientId: string = created.recipient.recipient_id;
  const recipientVersionId: string = created.recipient_version.recipient_version_id;
  const { evidence } = (await verifyPayee(service, merchant, { recipientId, recipientVersionId, version: 1 }))
    .body;
  return {
    recipientId,
    path: `/v1/recipients/${recipientId}/versions/${recipientVersionId}/activate`,
    proof: { evidence_id: evidence.evidence_id, evidence_digest: evidence.evidence_digest, version: 1 },
  };
}

describe('a hundred concurrent calls, against two processes', () => {
  it('burn one proof challenge once', async () => {
    const agent = await usableAgent(service, merchant);
    const { path, proof } = await unprovedKey(agent.agentId);
    const all = await race('POST', path, () => ({ body: proof }));
    expect(tally(all)).toEqual({ '200 ok': 1, '409 challenge_used': CALLERS - 1 });
  });

  it('take one kid for one key', async () => {
    const { agentId } = await usableAgent(service, merchant);
    const all = await race('POST', `/v1/agents/${agentId}/credentials`, () => ({
      body: {
        kid: 'wanted',
        alg: 'Ed25519',
        public_key: rawPublicKey(generateKeyPairSync('ed25519').publicKey),
      },
    }));
    expect(tally(all)).toEqual({ '201 ok': 1, '409 kid_conflict': CALLERS - 1 });
  });

  it('activate one version once: one mail, one record, one active version', async () => {
    const { path, proof, recipientId } = await verifiedVersion();
    const all = await race('POST', path, () => ({ body: proof }));
    expect(tally(all)).toEqual({ '200 ok': 1, '409 version_conflict': CALLERS - 1 });
    const events = await call(
      'GET',
      `/v1/audit-events?target_id=${recipientId}&type=recipient.version_activated`,
    );
    expect(events.body.audit_events).toHaveLength(1);
    await service.smtp.waitForMail(merchant.email);
    const mails = service.smtp.mails.filter((mail) => mail.text.includes(recipientId));
    expect(mails).toHaveLength(1);
  });

  it('never leave a Recipient with two active versions or none', async () => {
    const payee = await activePayee(service, merchant);
    const path = `/v1/recipients/${payee.recipientId}`;
    const candidates: { path: string; body: Record<string, unknown> }[] = [];
    let { version } = payee;
    for (let turn = 0; turn < 4; turn += 1) {
      const added = await succeed(call('POST', `${path}/versions`, { ...payeeFacts(), version }));
      version = added.body.recipient.version;
      const { recipient_version_id } = added.body.recipient_version;
      candidates.push({
        path: `${path}/versions/${recipient_version_id}/activate`,
        body: { recipient_version_id },
      });
    }
    for (const candidate of candidates) {
      const recipientVersionId = String(candidate.body['recipient_version_id']);
      const { evidence } = (await verifyPayee(service, merchant, { ...payee, recipientVersionId, version }))
        .body;
      candidate.body = {
        evidence_id: evidence.evidence_id,
        evidence_digest: evidence.evidence_digest,
        version,
      };
    }
    const all = await Promise.all(
      Array.from({ length: CALLERS }, (_, index) => {
        const candidate = candidates[index % candidates.length];
        const send = index % 2 === 0 ? service.call : otherCall;
        return send('POST', candidate?.path ?? '', { session: merchant.session, body: candidate?.body });
      }),
    );
    expect(tally(all)).toEqual({ '200 ok': 1, '409 version_conflict': CALLERS - 1 });
    const { recipient, recipient_versions } = (await call('GET', path)).body;
    const active = recipient_versions.filter((entry: { status: string }) => entry.status === 'active');
    expect(active).toMatchObject([{ recipient_version_id: recipient.active_version_id }]);
  });

  it.each([
    [
      'an agent',
      '200 ok',
      async () => {
        const { agentId, version } = await usableAgent(service, merchant);
        return { method: 'PATCH', path: `/v1/agents/${agentId}`, body: { name: 'Renamed', version } };
      },
    ],
    [
      'a Recipient',
      '200 ok',
      async () => {
        const { recipient } = (await createPayee(service, merchant)).body;
        return {
          method: 'PATCH',
          path: `/v1/recipients/${recipient.recipient_id}`,
          body: { name: 'Renamed', version: 1 },
        };
      },
    ],
    [
      'the versions of a Recipient',
      '201 ok',
      async () => {
        const { recipient } = (await createPayee(service, merchant)).body;
        return {
          method: 'POST',
          path: `/v1/recipients/${recipient.recipient_id}/versions`,
          body: { ...payeeFacts(), version: 1 },
        };
      },
    ],
  ] as const)('change one version of %s once', async (_, success, prepare) => {
    const { method, path, body } = await prepare();
    const all = await race(method, path, () => ({ body }));
    expect(tally(all)).toEqual({ [success]: 1, '409 version_conflict': CALLERS - 1 });
  });

  it('get one token for one jti', async () => {
    const agent = await usableAgent(service, merchant);
    const assertion = signAssertion(service, agent);
    const all = await race('POST', '/v1/agent-auth/token', () => ({ body: { assertion } }));
    expect(tally(all)).toEqual({ '200 ok': 1, '401 assertion_replayed': CALLERS - 1 });
    expect(await service.db`select from agent_tokens where agent_id = ${agent.agentId}`).toHaveLength(1);
  });

  it('get no token that outlives the response to a revocation', async () => {
    const agent = await usableAgent(service, merchant);
    const spare = await provedCredential(service, merchant.session, agent.agentId, 'spare');
    expect(spare.credentialId).not.toBe(agent.credentialId);
    const [all, revoked] = await Promise.all([
      race('POST', '/v1/agent-auth/token', () => ({ body: { assertion: signAssertion(service, agent) } })),
      otherCall('DELETE', `/v1/agents/${agent.agentId}/credentials/${agent.credentialId}`, {
        session: merchant.session,
      }),
    ]);
    expect(revoked.status).toBe(200);
    const tokens = all.filter((one) => one.status === 200).map((one) => one.body.agent_token as string);
    const uses = await Promise.all(
      tokens.map((bearer) => service.call('GET', '/v1/connections', { bearer })),
    );
    expect(tokens.length + (tally(all)['401 credential_not_active'] ?? 0)).toBe(CALLERS);
    expect(new Set(uses.map(outcome))).toEqual(new Set(tokens.length > 0 ? ['401 token_revoked'] : []));
    const late = await otherCall('POST', '/v1/agent-auth/token', {
      body: { assertion: signAssertion(service, agent) },
    });
    expect(outcome(late)).toBe('401 credential_not_active');
  });

  it('find a suspended agent suspended on both processes with the very next call', async () => {
    const agent: TestAgent = await usableAgent(service, merchant);
    const body = { assertion: signAssertion(service, agent) };
    const bearer = (await succeed(otherCall('POST', '/v1/agent-auth/token', { body }))).body.agent_token;
    expect((await otherCall('GET', '/v1/connections', { bearer })).status).toBe(200);
    await succeed(
      call('PATCH', `/v1/agents/${agent.agentId}`, { status: 'suspended', version: agent.version }),
    );
    const after = await Promise.all([
      service.call('GET', '/v1/connections', { bearer }),
      otherCall('GET', '/v1/connections', { bearer }),
    ]);
    expect(after.map(outcome)).toEqual(['403 agent_not_active', '403 agent_not_active']);
  });
});

describe('after a restart in the middle', () => {
  it('a challenge, evidence and an agent token are still good', async () => {
    const agent = await usableAgent(service, merchant);
    const key = await unprovedKey(agent.agentId);
    const payee = await verifiedVersion();
    const bearer = (
      await succeed(call('POST', '/v1/agent-auth/token', { assertion: signAssertion(service, agent) }))
    ).body.agent_token;
    await service.restart();
    expect((await call('POST', key.path, key.proof)).body.credential.status).toBe('active');
    expect((await call('POST', payee.path, payee.proof)).body.recipient_version.status).toBe('active');
    expect((await service.call('GET', '/v1/connections', { bearer })).status).toBe(200);
  });
});
