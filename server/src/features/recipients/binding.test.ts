import { createHash } from 'node:crypto';
import { connect } from 'node:net';
import {
  outcome,
  signIn,
  succeed,
  type TestMerchant,
  verifiedMerchant,
} from '@payassent/proof/people/merchants';
import { activePayee, createPayee, payeeFacts, verifyPayee } from '@payassent/proof/people/payees';
import { paymentStage, pendingRequest } from '@payassent/proof/people/payments';
import type { Body, Received } from '@payassent/proof/service/client';
import { serviceForTest, startService, type TestService } from '@payassent/proof/service/service';
import { createAuthority } from '@payassent/proof/surroundings/certificates';
import { startHttpsReceiver, type TestReceiver } from '@payassent/proof/surroundings/http-receiver';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDns } from '../../lib/dns.ts';
import { createOutbound } from '../../lib/outbound/index.ts';

const HTTPS_DOMAIN = 'lists.shop.example';

let service: TestService;
let receiver: TestReceiver;
beforeAll(async () => {
  const authority = await createAuthority();
  receiver = await startHttpsReceiver(await authority.issue([HTTPS_DOMAIN]), HTTPS_DOMAIN);
  service = await startService({
    overrides: ({ dns }) => ({
      outbound: createOutbound({
        dns: createDns([dns.address]),
        allowLoopback: true,
        extraCa: authority.cert,
        openSocket: (host, port) => connect({ host, port: port === 443 ? receiver.port : port }),
      }),
    }),
  });
});
afterAll(async () => {
  await service.close();
  await receiver.close();
});

interface Drafted {
  recipientId: string;
  recipientVersionId: string;
  version: number;
  payeeRecord: string;
  recipientVersion: Body;
}

async function drafted(merchant: TestMerchant, on = service): Promise<Drafted> {
  const { recipient, recipient_version } = (await createPayee(on, merchant)).body;
  return {
    recipientId: recipient.recipient_id,
    recipientVersionId: recipient_version.recipient_version_id,
    version: recipient.version,
    payeeRecord: recipient_version.payee_record,
    recipientVersion: recipient_version,
  };
}

const activate = (merchant: TestMerchant, place: Drafted, verified: Received, on = service) =>
  on.call('POST', `/v1/recipients/${place.recipientId}/versions/${place.recipientVersionId}/activate`, {
    session: merchant.session,
    body: {
      evidence_id: verified.body.evidence.evidence_id,
      evidence_digest: verified.body.evidence.evidence_digest,
      version: place.version,
    },
  });

const publish = (merchant: TestMerchant, ...records: string[]) =>
  service.dns.set(`_svc-payee.${merchant.domain}`, 'TXT', records);

const readMerchant = async ({ session }: TestMerchant): Promise<Body> =>
  (await succeed(service.call('GET', '/v1/merchants/current', { session }))).body.merchant;

const patchMerchant = ({ session }: TestMerchant, body: Body) =>
  service.call('PATCH', '/v1/merchants/current', { session, body });

describe('the payee record', () => {
  it('is a digest of exactly the details of its version, which anyone can recompute', async () => {
    const { payeeRecord, recipientVersion } = await drafted(await verifiedMerchant(service));
    const canonical = JSON.stringify({
      address: recipientVersion.address,
      asset: 'XLM',
      decimals: 7,
      name: 'Shop',
      network: 'stellar_testnet',
      rail: 'stellar_xlm',
    });
    const hash = createHash('sha256').update(canonical, 'utf8').digest('hex');
    expect(payeeRecord).toBe(`svc-payee=sha256:${hash}`);
  });

  it('binds the evidence when the domain publishes it, and the binding is part of the digest', async () => {
    const merchant = await verifiedMerchant(service);
    const payee = await drafted(merchant);
    publish(merchant, 'svc-payee=sha256:of-another-payee', payee.payeeRecord);
    const { evidence, recipient_version } = (await succeed(verifyPayee(service, merchant, payee))).body;
    expect([evidence.binding, recipient_version.binding]).toEqual(['payee', 'payee']);
    const canonical = JSON.stringify({
      address: recipient_version.address,
      asset: 'XLM',
      binding: 'payee',
      decimals: 7,
      domain: merchant.domain,
      method: 'dns',
      name: 'Shop',
      network: 'stellar_testnet',
      rail: 'stellar_xlm',
      type: 'domain_proof',
      verified_at: evidence.created_at,
    });
    const digest = createHash('sha256').update(canonical, 'utf8').digest('hex');
    expect(evidence.evidence_digest).toBe(`sha256:${digest}`);
  });

  it.each<[string, (merchant: TestMerchant, record: string) => void]>([
    ['is not published', () => {}],
    ['is that of another payee', (merchant) => publish(merchant, `svc-payee=sha256:${'0'.repeat(64)}`)],
    ['has something behind it', (merchant, record) => publish(merchant, `${record} `)],
    ['stands at the domain itself', (merchant, record) => service.dns.set(merchant.domain, 'TXT', [record])],
    ['cannot be looked up', (merchant) => service.dns.fail(`_svc-payee.${merchant.domain}`, 'SERVFAIL')],
  ])('that %s leaves a proof of the domain alone', async (_what, arrange) => {
    const merchant = await verifiedMerchant(service);
    const payee = await drafted(merchant);
    arrange(merchant, payee.payeeRecord);
    const { evidence, recipient_version } = (await succeed(verifyPayee(service, merchant, payee))).body;
    expect([evidence.binding, recipient_version.binding]).toEqual(['domain', 'domain']);
  });

  it('is a line of a file where the domain was proved over HTTPS', async () => {
    service.dns.set(HTTPS_DOMAIN, 'A', ['127.0.0.1']);
    const first = await verifiedMerchant(service);
    const { session } = first;
    const body = { domain: HTTPS_DOMAIN, method: 'https' };
    const registered = (await succeed(service.call('POST', '/v1/merchant-domains', { session, body }))).body;
    const domainId = registered.domain.domain_id;
    const serve = (list: string | undefined) =>
      receiver.script(({ path }) =>
        path === '/.well-known/svc-challenge.txt'
          ? { kind: 'answer', body: registered.challenge.https.body }
          : path === '/.well-known/svc-payees.txt' && list !== undefined
            ? { kind: 'answer', body: list }
            : { kind: 'answer', status: 404 },
      );
    serve(undefined);
    await succeed(service.call('POST', `/v1/merchant-domains/${domainId}/verify`, { session }));
    const merchant = { ...first, domain: HTTPS_DOMAIN, domainId };
    const payee = await drafted(merchant);
    const bindingOf = async () =>
      (await succeed(verifyPayee(service, merchant, payee))).body.evidence.binding;
    expect(await bindingOf()).toBe('domain');
    // A record in DNS does not count for a domain that was proved over HTTPS.
    service.dns.set(`_svc-payee.${HTTPS_DOMAIN}`, 'TXT', [payee.payeeRecord]);
    serve(`# our payees\r\n ${payee.payeeRecord}\r\n`);
    expect(await bindingOf()).toBe('domain');
    serve(`# our payees\r\nsvc-payee=sha256:other\r\n${payee.payeeRecord}\r\nlast`);
    expect(await bindingOf()).toBe('payee');
  });
});

describe('the payee in a record', () => {
  it('names the binding, the moment of activation, and whether the version is still the current one', async () => {
    const stage = await paymentStage(service);
    const { merchant } = stage;
    const before = await pendingRequest(service, stage);
    const place = await drafted(merchant);
    publish(merchant, place.payeeRecord);
    const verified = await succeed(verifyPayee(service, merchant, place));
    const activated = await succeed(activate(merchant, place, verified));
    const payee = { ...stage.payee, ...place };
    const made = await pendingRequest(service, { ...stage, payee });
    expect(made.payee).toEqual({
      name: 'Shop',
      verified: true,
      domain: merchant.domain,
      recipient_id: place.recipientId,
      recipient_version_id: place.recipientVersionId,
      evidence_digest: verified.body.evidence.evidence_digest,
      binding: 'payee',
      activated_at: activated.body.recipient_version.activated_at,
      is_current: true,
    });
    expect(before.payee).toMatchObject({ binding: 'domain', is_current: true });
    const { session } = merchant;
    const archived = { status: 'archived', version: stage.payee.version };
    const path = `/v1/recipients/${stage.payee.recipientId}`;
    await succeed(service.call('PATCH', path, { session, body: archived }));
    const read = await succeed(
      service.call('GET', `/v1/payment-requests/${before.request_id}`, { bearer: stage.connectionToken }),
    );
    expect(read.body.payment_request.payee).toEqual({ ...before.payee, is_current: false });
  });
});

describe('a binding that is required', () => {
  const refusedWith = (received: Received, payee: Drafted, merchant: TestMerchant) => {
    expect(outcome(received)).toBe('409 domain_proof_failed');
    expect(received.body.error.details).toMatchObject({
      expected: payee.payeeRecord,
      looked_up: { type: 'TXT', name: `_svc-payee.${merchant.domain}` },
    });
  };

  it('by the organization refuses unbound payees, at verify and for evidence made before', async () => {
    const merchant = await verifiedMerchant(service);
    const early = await drafted(merchant);
    const earlyProof = await succeed(verifyPayee(service, merchant, early));
    const { version, require_payee_binding } = await readMerchant(merchant);
    expect(require_payee_binding).toBe(false);
    const changed = await succeed(patchMerchant(merchant, { require_payee_binding: true, version }));
    expect(changed.body.merchant).toMatchObject({ require_payee_binding: true, version: version + 1 });
    const payee = await drafted(merchant);
    refusedWith(await verifyPayee(service, merchant, payee), payee, merchant);
    refusedWith(await activate(merchant, early, earlyProof), early, merchant);
    publish(merchant, payee.payeeRecord);
    expect(outcome(await verifyPayee(service, merchant, payee))).toBe('200 ok');
  });

  it('begins with the first activation of a bound version, for every payee of the organization', async () => {
    const merchant = await verifiedMerchant(service);
    const unbound = await drafted(merchant);
    const unboundProof = await succeed(verifyPayee(service, merchant, unbound));
    const bound = await drafted(merchant);
    publish(merchant, bound.payeeRecord);
    const proof = await succeed(verifyPayee(service, merchant, bound));
    expect((await readMerchant(merchant)).require_payee_binding).toBe(false);
    await succeed(activate(merchant, bound, proof));
    expect((await readMerchant(merchant)).require_payee_binding).toBe(true);
    refusedWith(await activate(merchant, unbound, unboundProof), unbound, merchant);
    refusedWith(await verifyPayee(service, merchant, unbound), unbound, merchant);
  });

  it('cannot be taken back by a reader of the team member’s mail: the payee stays as the domain publishes it', async () => {
    const merchant = await verifiedMerchant(service);
    const bound = await drafted(merchant);
    publish(merchant, bound.payeeRecord);
    await succeed(activate(merchant, bound, await succeed(verifyPayee(service, merchant, bound))));

    // The notice of the activation; the next mail is the thief's link.
    await service.smtp.waitForMail(merchant.email);
    const thief = { ...merchant, session: await signIn(service, merchant.email) };
    const { version } = await readMerchant(thief);
    const off = await patchMerchant(thief, { require_payee_binding: false, version });
    expect(outcome(off)).toBe('409 invalid_status_transition');
    const added = await succeed(
      service.call('POST', `/v1/recipients/${bound.recipientId}/versions`, {
        session: thief.session,
        body: { ...payeeFacts(), version: bound.version + 1 },
      }),
    );
    const swapped = {
      ...bound,
      recipientVersionId: added.body.recipient_version.recipient_version_id,
      payeeRecord: added.body.recipient_version.payee_record,
      version: added.body.recipient.version,
    };
    refusedWith(await verifyPayee(service, thief, swapped), swapped, merchant);
    const other = await drafted(thief);
    refusedWith(await verifyPayee(service, thief, other), other, merchant);
  });

  it('stays required also when no bound version was ever active', async () => {
    const merchant = await verifiedMerchant(service);
    await succeed(patchMerchant(merchant, { require_payee_binding: true, version: 2 }));
    const off = await patchMerchant(merchant, { require_payee_binding: false, version: 3 });
    expect(outcome(off)).toBe('409 invalid_status_transition');
    const renamed = await succeed(patchMerchant(merchant, { name: 'New name', version: 3 }));
    expect(renamed.body.merchant).toMatchObject({ name: 'New name', require_payee_binding: true });
    const trail = await service.call('GET', '/v1/audit-events', {
      session: merchant.session,
      query: { type: 'merchant.payee_binding_required' },
    });
    expect(trail.body.audit_events).toHaveLength(1);
  });

  it('by the service holds for every organization', async () => {
    const strict = await serviceForTest({ env: { SVC_PAYEE_BINDING: 'required' } });
    const merchant = await verifiedMerchant(strict);
    const payee = await drafted(merchant, strict);
    refusedWith(await verifyPayee(strict, merchant, payee), payee, merchant);
    strict.dns.set(`_svc-payee.${merchant.domain}`, 'TXT', [payee.payeeRecord]);
    const verified = await succeed(verifyPayee(strict, merchant, payee));
    expect(outcome(await activate(merchant, payee, verified, strict))).toBe('200 ok');
  });

  it('is refused where nothing is named that could change', async () => {
    const merchant = await verifiedMerchant(service);
    const empty = await patchMerchant(merchant, { version: 2 });
    expect(empty.body.error).toMatchObject({ code: 'validation_failed', field: 'name' });
    await activePayee(service, merchant);
    expect((await readMerchant(merchant)).require_payee_binding).toBe(false);
  });
});
