import { createHash } from 'node:crypto';
import { type TestMerchant, verifiedMerchant } from '@payassent/proof/people/merchants';
import {
  activePayee,
  createPayee,
  payeeFacts,
  replacePayee,
  verifyPayee,
} from '@payassent/proof/people/payees';
import type { Received } from '@payassent/proof/service/client';
import { serviceForTest, startService, type TestService } from '@payassent/proof/service/service';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { activatePath, makeVerifiedPayee, proofOf } from '../../../test/payee-steps.ts';
import { DAY_MS } from '../../lib/clock.ts';

let service: TestService;
let merchant: TestMerchant;
beforeAll(async () => {
  service = await startService();
  merchant = await verifiedMerchant(service);
});
afterAll(() => service.close());

const call = (method: string, path: string, body?: unknown): Promise<Received> =>
  service.call(method, path, { session: merchant.session, ...(body === undefined ? {} : { body }) });

const verifiedPayee = (on = service, owner = merchant, overrides: Record<string, unknown> = {}) =>
  makeVerifiedPayee(on, owner, overrides);

describe('evidence', () => {
  it('has a digest that anyone can recompute from the response', async () => {
    const { evidence, recipient, recipient_version } = await verifiedPayee(service, merchant, {
      memo: 'INV-7',
    });
    expect(recipient.version).toBe(1);
    expect(recipient_version.status).toBe('verified');
    expect(recipient_version.verified_at).toBe(evidence.created_at);
    expect(Date.parse(evidence.expires_at) - Date.parse(evidence.created_at)).toBe(DAY_MS);
    // Keys sorted, no white space, absent members left out: RFC 8785 for members like these.
    const canonical = JSON.stringify({
      address: recipient_version.address,
      asset: 'XLM',
      decimals: 7,
      domain: merchant.domain,
      memo: 'INV-7',
      method: 'dns',
      name: 'Shop',
      network: 'stellar_testnet',
      rail: 'stellar_xlm',
      type: 'domain_proof',
      verified_at: evidence.created_at,
    });
    const digest = createHash('sha256').update(canonical, 'utf8').digest('hex');
    expect(evidence.evidence_digest).toBe(`sha256:${digest}`);
    expect(evidence).toMatchObject({ domain: merchant.domain, method: 'dns', source_id: merchant.domainId });
  });

  it('needs the proof to be published at this very moment', async () => {
    const payee = (await createPayee(service, merchant)).body;
    const place = {
      recipientId: payee.recipient.recipient_id,
      recipientVersionId: payee.recipient_version.recipient_version_id,
      version: 1,
    };
    const name = `_svc-challenge.${merchant.domain}`;
    service.dns.remove(name);
    const refused = await verifyPayee(service, merchant, place);
    service.dns.set(name, 'TXT', [merchant.challenge]);
    expect(refused.status).toBe(409);
    expect(refused.body.error).toMatchObject({
      code: 'domain_proof_failed',
      details: { expected: merchant.challenge },
    });
    const read = await call('GET', `/v1/recipients/${place.recipientId}`);
    expect(read.body.recipient_versions[0].status).toBe('created');
    expect((await verifyPayee(service, merchant, place)).status).toBe(200);
  });

  it('needs a verified domain of this organization', async () => {
    const payee = (await createPayee(service, merchant)).body;
    const place = {
      recipientId: payee.recipient.recipient_id,
      recipientVersionId: payee.recipient_version.recipient_version_id,
      version: 1,
    };
    const pending = await call('POST', '/v1/merchant-domains', { domain: 'pending.example' });
    const domainId = pending.body.domain.domain_id;
    const refused = await verifyPayee(service, { ...merchant, domainId }, place);
    expect(refused.body.error.code).toBe('domain_not_verified');
    const other = await verifiedMerchant(service);
    const foreign = await verifyPayee(service, { ...merchant, domainId: other.domainId }, place);
    const absent = await verifyPayee(
      service,
      { ...merchant, domainId: 'dom_01ARYZ6S410000000000000000' },
      place,
    );
    expect([foreign.status, absent.status]).toEqual([404, 404]);
    // Lookups come before the version, the state of what was found after it.
    const stale = { ...place, version: 7 };
    const staleForeign = await verifyPayee(service, { ...merchant, domainId: other.domainId }, stale);
    const stalePending = await verifyPayee(service, { ...merchant, domainId }, stale);
    expect([staleForeign.status, stalePending.body.error.code]).toEqual([404, 'version_conflict']);
  });

  it('can be made again for a verified version; the version keeps its first time', async () => {
    const first = await verifiedPayee();
    const second = (await verifyPayee(service, merchant, first)).body;
    expect(second.evidence.evidence_id).not.toBe(first.evidence.evidence_id);
    expect(second.recipient_version).toEqual(first.recipient_version);
    const activated = await call('POST', activatePath(first), proofOf(first));
    expect(activated.status).toBe(200);
  });

  it('cannot be changed in the database', async () => {
    const { evidence } = await verifiedPayee();
    const change = service.db`
      update recipient_evidence set domain = 'evil.example' where evidence_id = ${evidence.evidence_id}`;
    await expect(change).rejects.toThrow('cannot be changed');
  });
});

describe('activation', () => {
  it('makes exactly one version active and supersedes the previous one', async () => {
    const payee = await activePayee(service, merchant);
    expect(payee.version).toBe(2);
    const moved = await replacePayee(service, merchant, payee);
    expect(moved.version).toBe(4);
    const { recipient, recipient_versions } = (await call('GET', `/v1/recipients/${payee.recipientId}`)).body;
    expect(recipient).toMatchObject({
      status: 'active',
      active_version_id: moved.recipientVersionId,
      version: 4,
    });
    expect(
      recipient_versions.map((version: { number: number; status: string }) => [
        version.number,
        version.status,
      ]),
    ).toEqual([
      [2, 'active'],
      [1, 'superseded'],
    ]);
  });

  it('keeps the previous version active until the new one is activated', async () => {
    const payee = await activePayee(service, merchant);
    const added = await call('POST', `/v1/recipients/${payee.recipientId}/versions`, {
      ...payeeFacts(),
      version: payee.version,
    });
    expect(added.status).toBe(201);
    expect(added.body.recipient).toMatchObject({ active_version_id: payee.recipientVersionId, version: 3 });
    expect(added.body.recipient_version).toMatchObject({ number: 2, status: 'created', name: 'Shop' });
  });

  it('needs the digest, and evidence of this version', async () => {
    const payee = await verifiedPayee();
    const other = await verifiedPayee();
    const digest = `sha256:${'0'.repeat(64)}`;
    const wrongDigest = await call('POST', activatePath(payee), {
      ...proofOf(payee),
      evidence_digest: digest,
    });
    const wrongEvidence = await call('POST', activatePath(payee), proofOf(other));
    expect([wrongDigest.body.error.code, wrongEvidence.body.error.code]).toEqual([
      'evidence_mismatch',
      'evidence_mismatch',
    ]);
    const absent = { ...proofOf(payee), evidence_id: 'evd_01ARYZ6S410000000000000000' };
    expect((await call('POST', activatePath(payee), absent)).status).toBe(404);
    const stale = await call('POST', activatePath(payee), { ...proofOf(payee), version: 9 });
    expect(stale.body.error).toMatchObject({ code: 'version_conflict', details: { current_version: 1 } });
    expect((await call('POST', activatePath(payee), proofOf(payee))).status).toBe(200);
  });

  it('works with evidence of 23:59:59 and of 24:00:00, and not a millisecond later', async () => {
    const own = await serviceForTest();
    const operator = await verifiedMerchant(own);
    own.clock.freeze();
    const start = own.clock.now().getTime();
    // A session ends long before evidence does; a later one replaces it.
    const later = new Date(start + DAY_MS);
    await own.db`update merchant_sessions set last_seen_at = ${later}, expires_at = ${new Date(start + 2 * DAY_MS)}`;
    const outcomes: unknown[] = [];
    const payees = [
      await verifiedPayee(own, operator),
      await verifiedPayee(own, operator),
      await verifiedPayee(own, operator),
    ];
    for (const [index, ageMs] of [DAY_MS - 1000, DAY_MS, DAY_MS + 1].entries()) {
      const payee = payees[index] ?? payees[0];
      own.clock.set(new Date(start + ageMs));
      const received = await own.call('POST', activatePath(payee), {
        session: operator.session,
        body: proofOf(payee),
      });
      outcomes.push(received.body.error?.code ?? received.status);
    }
    expect(outcomes).toEqual([200, 200, 'evidence_expired']);
  });

  it('works on enabled networks only', async () => {
    const payee = await verifiedPayee(service, merchant, {
      network: 'ethereum_mainnet',
      asset: 'ETH',
      address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    });
    const received = await call('POST', activatePath(payee), proofOf(payee));
    expect(received.status).toBe(409);
    expect(received.body.error).toMatchObject({
      code: 'network_not_enabled',
      details: { network: 'ethereum_mainnet', enabled_networks: ['stellar_testnet'] },
    });
  });

  it('of an active or superseded version is no move at all', async () => {
    const payee = await verifiedPayee();
    await call('POST', activatePath(payee), proofOf(payee));
    const again = await call('POST', activatePath(payee), { ...proofOf(payee), version: 2 });
    expect(again.body.error).toMatchObject({
      code: 'invalid_status_transition',
      details: { from: 'active', to: 'active', allowed: ['superseded'] },
    });
    await replacePayee(service, merchant, { ...payee, version: 2, address: '', network: '', asset: '' });
    const back = await call('POST', activatePath(payee), { ...proofOf(payee), version: 4 });
    expect(back.body.error).toMatchObject({
      code: 'invalid_status_transition',
      details: { from: 'superseded', allowed: [] },
    });
    const verify = await verifyPayee(service, merchant, { ...payee, version: 4 });
    expect(verify.body.error.code).toBe('invalid_status_transition');
  });

  it('is on record, queued for webhooks and mailed to the team members', async () => {
    const own = await verifiedMerchant(service);
    const { webhook_endpoint_id } = await endpointRow(own);
    const payee = await activePayee(service, own, { name: 'Mailed shop' });
    const read = (path: string) => service.call('GET', path, { session: own.session });
    const events = await read(`/v1/audit-events?target_id=${payee.recipientId}`);
    expect(events.body.audit_events.map((event: { type: string }) => event.type)).toEqual([
      'recipient.version_activated',
      'recipient.version_verified',
      'recipient.created',
    ]);
    const [message] = await service.db<{ type: string; body: string }[]>`
      select m.type, m.body from webhook_messages m join webhook_deliveries d using (merchant_id, event_id)
      where d.webhook_endpoint_id = ${webhook_endpoint_id} and m.body like ${`%${payee.recipientId}%`}`;
    expect(message?.type).toBe('recipient.version_activated');
    const { recipient, recipient_versions } = (await read(`/v1/recipients/${payee.recipientId}`)).body;
    expect(JSON.parse(message?.body ?? '').data).toEqual({
      recipient,
      recipient_version: recipient_versions[0],
    });
    const mail = await service.smtp.waitForMail(own.email);
    expect(mail.text).toContain(payee.address);
    expect(mail.text).toContain('Mailed shop');
    expect(mail.text).toContain(own.domain);
  });
});

/** An active endpoint, inserted directly: its creation is not the subject here. */
async function endpointRow(owner: TestMerchant): Promise<{ webhook_endpoint_id: string }> {
  const webhook_endpoint_id = 'whe_01ARYZ6S410000000000000000';
  await service.db`
    insert into webhook_endpoints
      (webhook_endpoint_id, merchant_id, url, event_types, status, secret_key_id, secret_box, created_at, updated_at)
    values (${webhook_endpoint_id}, ${owner.merchantId}, 'http://127.0.0.1:9/', ${['*']}::text[], 'active', 'k', ${Buffer.alloc(1)},
            ${service.clock.now()}, ${service.clock.now()})`;
  return { webhook_endpoint_id };
}
