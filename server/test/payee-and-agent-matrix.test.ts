import { generateKeyPairSync } from 'node:crypto';
import { rawPublicKey, signText, type TestAgent, usableAgent } from '@payassent/proof/people/agents';
import {
  outcome,
  type SignedUp,
  signUp,
  type TestMerchant,
  verifiedMerchant,
} from '@payassent/proof/people/merchants';
import { createPayee, payeeFacts, verifyPayee } from '@payassent/proof/people/payees';
import type { Received, Sent } from '@payassent/proof/service/client';
import { startService, type TestService } from '@payassent/proof/service/service';
import { isMutation } from '@payassent/protocol/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { agentsFeature } from '../src/features/agents/index.ts';
import { recipientsFeature } from '../src/features/recipients/index.ts';

/** Everything a call needs to succeed; the tests below spoil one thing at a time. */
interface Records {
  recipientId: string;
  versionId: string;
  evidence: { evidence_id: string; evidence_digest: string };
  agent: TestAgent;
  credentialId: string;
  proof: { challenge: string; signature: string };
}

interface Entry {
  route: string;
  path(records: Records): string;
  body?(records: Records): Record<string, unknown>;
  /** The body carries the version of a record. */
  hasVersion?: true;
  /** The path names a record, so that it can be absent or foreign. */
  namesRecord?: true;
}

let service: TestService;
let merchant: TestMerchant;
let stranger: TestMerchant;
let pending: SignedUp;
let records: Records;
beforeAll(async () => {
  service = await startService();
  [merchant, stranger, pending] = [
    await verifiedMerchant(service),
    await verifiedMerchant(service),
    await signUp(service),
  ];
  records = await prepare();
});
afterAll(() => service.close());

async function prepare(): Promise<Records> {
  const { recipient, recipient_version } = (await createPayee(service, merchant)).body;
  const recipientId = recipient.recipient_id;
  const versionId = recipient_version.recipient_version_id;
  const place = { recipientId, recipientVersionId: versionId, version: 1 };
  const { evidence } = (await verifyPayee(service, merchant, place)).body;
  const agent = await usableAgent(service, merchant);
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const made = await service.call('POST', `/v1/agents/${agent.agentId}/credentials`, {
    session: merchant.session,
    body: { kid: 'unproved', alg: 'Ed25519', public_key: rawPublicKey(publicKey) },
  });
  const challenge: string = made.body.proof_challenge;
  const proof = { challenge, signature: signText(challenge, privateKey) };
  return { recipientId, versionId, evidence, agent, credentialId: made.body.credential.credential_id, proof };
}

const agentInput = () => ({
  name: 'A',
  runtime: 'node',
  environment: 'test',
  allowed_scopes: ['payment.requests.read'],
});

const ENTRIES: Entry[] = [
  {
    route: 'POST /v1/recipients',
    path: () => '/v1/recipients',
    body: () => ({ name: 'Shop', ...payeeFacts() }),
  },
  { route: 'GET /v1/recipients', path: () => '/v1/recipients' },
  { route: 'GET /v1/recipients/{id}', path: (r) => `/v1/recipients/${r.recipientId}`, namesRecord: true },
  {
    route: 'PATCH /v1/recipients/{id}',
    path: (r) => `/v1/recipients/${r.recipientId}`,
    body: () => ({ name: 'Renamed', version: 1 }),
    hasVersion: true,
    namesRecord: true,
  },
  {
    route: 'POST /v1/recipients/{id}/reject-pending',
    path: (r) => `/v1/recipients/${r.recipientId}/reject-pending`,
    namesRecord: true,
  },
  {
    route: 'POST /v1/recipients/{id}/versions',
    path: (r) => `/v1/recipients/${r.recipientId}/versions`,
    body: () => ({ ...payeeFacts(), version: 1 }),
    hasVersion: true,
    namesRecord: true,
  },
  {
    route: 'POST /v1/recipients/{id}/verify',
    path: (r) => `/v1/recipients/${r.recipientId}/verify`,
    body: (r) => ({
      recipient_version_id: r.versionId,
      type: 'domain_proof',
      source_id: merchant.domainId,
      version: 1,
    }),
    hasVersion: true,
    namesRecord: true,
  },
  {
    route: 'POST /v1/recipients/{id}/versions/{recipient_version_id}/activate',
    path: (r) => `/v1/recipients/${r.recipientId}/versions/${r.versionId}/activate`,
    body: (r) => ({
      evidence_id: r.evidence.evidence_id,
      evidence_digest: r.evidence.evidence_digest,
      version: 1,
    }),
    hasVersion: true,
    namesRecord: true,
  },
  { route: 'POST /v1/agents', path: () => '/v1/agents', body: agentInput },
  { route: 'GET /v1/agents', path: () => '/v1/agents' },
  { route: 'GET /v1/agents/{agentId}', path: (r) => `/v1/agents/${r.agent.agentId}`, namesRecord: true },
  {
    route: 'PATCH /v1/agents/{agentId}',
    path: (r) => `/v1/agents/${r.agent.agentId}`,
    body: (r) => ({ name: 'Renamed', version: r.agent.version }),
    hasVersion: true,
    namesRecord: true,
  },
  {
    route: 'POST /v1/agents/{agentId}/credentials',
    path: (r) => `/v1/agents/${r.agent.agentId}/credentials`,
    body: () => ({
      kid: 'fresh',
      alg: 'Ed25519',
      public_key: rawPublicKey(generateKeyPairSync('ed25519').publicKey),
    }),
    namesRecord: true,
  },
  {
    route: 'GET /v1/agents/{agentId}/credentials',
    path: (r) => `/v1/agents/${r.agent.agentId}/credentials`,
    namesRecord: true,
  },
  {
    route: 'POST /v1/agents/{agentId}/credentials/{credentialId}/activate',
    path: (r) => `/v1/agents/${r.agent.agentId}/credentials/${r.credentialId}/activate`,
    body: (r) => r.proof,
    namesRecord: true,
  },
  {
    route: 'DELETE /v1/agents/{agentId}/credentials/{credentialId}',
    path: (r) => `/v1/agents/${r.agent.agentId}/credentials/${r.credentialId}`,
    namesRecord: true,
  },
];

const methodOf = (entry: Entry) => entry.route.split(' ')[0] ?? '';
const mutations = ENTRIES.filter((entry) => isMutation(methodOf(entry)));

function send(entry: Entry, sent: Sent = {}, extra: Record<string, unknown> = {}): Promise<Received> {
  const body =
    entry.body || Object.keys(extra).length > 0 ? { ...entry.body?.(records), ...extra } : undefined;
  return service.call(methodOf(entry), entry.path(records), {
    session: merchant.session,
    ...(body === undefined ? {} : { body }),
    ...sent,
  });
}

/** Everything these routes could have written, as text. */
async function snapshot(): Promise<string> {
  const { db } = service;
  const rows = await db`
    select (select json_agg(r order by r.recipient_id) from recipients r) as recipients,
           (select json_agg(v order by v.recipient_version_id) from recipient_versions v) as versions,
           (select count(*) from recipient_evidence) as evidence,
           (select json_agg(a order by a.agent_id) from agents a) as agents,
           (select json_agg(c order by c.credential_id) from agent_credentials c) as credentials,
           (select count(*) from audit_events) as audit`;
  return JSON.stringify(rows);
}

async function expectRefusals(
  calls: readonly [string, () => Promise<Received>][],
  expected: string,
): Promise<void> {
  const before = await snapshot();
  const outcomes: Record<string, string> = {};
  for (const [label, run] of calls) outcomes[label] = outcome(await run());
  expect(outcomes).toEqual(Object.fromEntries(calls.map(([label]) => [label, expected])));
  expect(await snapshot()).toBe(before);
}

const each = (entries: readonly Entry[], run: (entry: Entry) => Promise<Received>) =>
  entries.map((entry): [string, () => Promise<Received>] => [entry.route, () => run(entry)]);

describe('every route of payees and agents', () => {
  it('is in this matrix', () => {
    const declared = [...(recipientsFeature().routes ?? []), ...(agentsFeature().routes ?? [])]
      .filter((route) => route.credential.length > 0)
      .map((route) => `${route.method} ${route.path}`);
    expect(ENTRIES.map((entry) => entry.route).toSorted()).toEqual(declared.toSorted());
  });

  it('without a session is 401', async () => {
    const withoutSession = (entry: Entry) =>
      service.call(methodOf(entry), entry.path(records), entry.body ? { body: entry.body(records) } : {});
    await expectRefusals(each(ENTRIES, withoutSession), '401 unauthenticated');
  });

  it('with a broken or forged cookie is 401', async () => {
    const session = { cookie: `${merchant.session.cookie}x`, csrf: merchant.session.csrf };
    await expectRefusals(
      each(ENTRIES, (entry) => send(entry, { session })),
      '401 unauthenticated',
    );
  });

  it('with a session of another tenant is the same 404 as for what does not exist', async () => {
    const named = ENTRIES.filter((entry) => entry.namesRecord);
    const session = stranger.session;
    await expectRefusals(
      each(named, (entry) => send(entry, { session })),
      '404 resource_not_found',
    );
    for (const entry of named) {
      const headers = { 'x-request-id': 'same' };
      const foreign = await send(entry, { session, headers });
      const absent = await service.call(methodOf(entry), entry.path(nobody()), {
        session,
        headers,
        ...(entry.body ? { body: entry.body(records) } : {}),
      });
      expect([entry.route, absent.text]).toEqual([entry.route, foreign.text]);
    }
    for (const [path, name] of [
      ['/v1/recipients', 'recipients'],
      ['/v1/agents', 'agents'],
    ] as const) {
      const list = await service.call('GET', path, { session });
      expect(list.body[name]).toEqual([]);
    }
  });

  it('without the CSRF proof, or with that of another session, is 403', async () => {
    const { cookie } = merchant.session;
    const bare = each(mutations, (entry) => {
      const body = entry.body?.(records);
      return service.call(methodOf(entry), entry.path(records), {
        headers: { cookie },
        ...(body ? { body } : {}),
      });
    });
    await expectRefusals(bare, '403 csrf_invalid');
    const session = { cookie, csrf: stranger.session.csrf };
    await expectRefusals(
      each(mutations, (entry) => send(entry, { session })),
      '403 csrf_invalid',
    );
  });

  it('from a foreign origin is 403 although the CSRF proof is right', async () => {
    const origin = { origin: 'https://evil.example' };
    await expectRefusals(
      each(mutations, (entry) => send(entry, { headers: origin })),
      '403 csrf_invalid',
    );
    const crossSite = { 'sec-fetch-site': 'cross-site' };
    await expectRefusals(
      each(mutations, (entry) => send(entry, { headers: crossSite })),
      '403 csrf_invalid',
    );
  });

  it('while the organization is pending: mutations are 403, lists are read', async () => {
    const { session } = pending;
    await expectRefusals(
      each(mutations, (entry) => send(entry, { session })),
      '403 merchant_not_active',
    );
    expect((await service.call('GET', '/v1/agents', { session })).status).toBe(200);
    expect((await service.call('GET', '/v1/recipients', { session })).status).toBe(200);
  });

  it('with a stale or future version is 409, without one 400', async () => {
    const versioned = ENTRIES.filter((entry) => entry.hasVersion);
    for (const version of [0, 77])
      await expectRefusals(
        each(versioned, (entry) => send(entry, {}, { version })),
        '409 version_conflict',
      );
    for (const entry of versioned) {
      const received = await send(entry, {}, { version: undefined });
      expect([entry.route, received.body.error?.issues]).toMatchObject([
        entry.route,
        [{ field: 'version', code: 'required' }],
      ]);
    }
  });

  it('with an unknown field is 400', async () => {
    const before = await snapshot();
    for (const entry of mutations) {
      const received = await send(entry, {}, { colour: 'red' });
      expect([entry.route, received.status, received.body.error.issues]).toMatchObject([
        entry.route,
        400,
        [{ field: 'colour', code: 'unknown_field' }],
      ]);
    }
    expect(await snapshot()).toBe(before);
  });

  it.each(['merchant_id', 'tenant_id', 'organization_id', 'agent_id'])(
    'with %s in body or query is 400',
    async (field) => {
      const expected = [{ field, code: 'identity_field_forbidden' }];
      const before = await snapshot();
      for (const entry of ENTRIES) {
        const inQuery = await send(entry, { query: { [field]: merchant.merchantId } });
        expect([entry.route, inQuery.status, inQuery.body.error?.issues]).toMatchObject([
          entry.route,
          400,
          expected,
        ]);
        if (!isMutation(methodOf(entry))) continue;
        const inBody = await send(entry, {}, { [field]: merchant.merchantId });
        expect([entry.route, inBody.status, inBody.body.error?.issues]).toMatchObject([
          entry.route,
          400,
          expected,
        ]);
      }
      expect(await snapshot()).toBe(before);
    },
  );

  it('succeeds when nothing is spoiled', async () => {
    // Each on fresh records, because some of these calls end or move them.
    for (const entry of ENTRIES) {
      records = await prepare();
      const received = await send(entry);
      expect([entry.route, received.status]).toEqual([
        entry.route,
        received.body.ok ? received.status : 'a success',
      ]);
    }
  });
});

function nobody(): Records {
  const body = '01ARYZ6S410000000000000000';
  return {
    ...records,
    recipientId: `rcp_${body}`,
    versionId: `rcv_${body}`,
    agent: { ...records.agent, agentId: `agt_${body}` },
    credentialId: `crd_${body}`,
  };
}
