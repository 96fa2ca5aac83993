import { usableAgent } from '@payassent/proof/people/agents';
import {
  outcome,
  signUp,
  succeed,
  type TestMerchant,
  uniqueEmail,
  verifiedMerchant,
} from '@payassent/proof/people/merchants';
import { activePayee, createPayee, replacePayee, stellarAddress } from '@payassent/proof/people/payees';
import type { Received } from '@payassent/proof/service/client';
import { startService, type TestService } from '@payassent/proof/service/service';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let service: TestService;
let merchant: TestMerchant;
beforeAll(async () => {
  service = await startService();
  merchant = await verifiedMerchant(service);
});
afterAll(() => service.close());

const REFUSED = [
  'PayPal (verified: paypal.com)',
  'Official paypal.com',
  'Shop\nYour account is locked',
  'Shop https://evil.example/login',
  'Shop www.evil.example',
  'help@paypal.example',
];
const TAKEN = ['paypal.com', 'Müller & Söhne GmbH', '本屋'];

const asMerchant = (method: 'POST' | 'PATCH' | 'GET', path: string, body?: Record<string, unknown>) =>
  service.call(method, path, { session: merchant.session, ...(body ? { body } : {}) });
const versionOf = async (path: string, member: string): Promise<number> =>
  (await succeed(asMerchant('GET', path))).body[member].version;

const SETTERS: Record<string, (name: string) => Promise<Received>> = {
  async 'a renamed merchant'(name) {
    const version = await versionOf('/v1/merchants/current', 'merchant');
    return asMerchant('PATCH', '/v1/merchants/current', { name, version });
  },
  'a new agent': (name) =>
    asMerchant('POST', '/v1/agents', {
      name,
      runtime: 'node',
      environment: 'test',
      allowed_scopes: ['payment.requests.read'],
    }),
  async 'a renamed agent'(name) {
    const { agentId } = await usableAgent(service, merchant);
    const path = `/v1/agents/${agentId}`;
    return asMerchant('PATCH', path, { name, version: await versionOf(path, 'agent') });
  },
  'a new payee': (name) =>
    asMerchant('POST', '/v1/recipients', {
      name,
      network: 'stellar_testnet',
      asset: 'XLM',
      address: stellarAddress(),
    }),
  async 'a renamed payee'(name) {
    const { recipient } = (await createPayee(service, merchant)).body;
    const { recipient_id, version } = recipient;
    return asMerchant('PATCH', `/v1/recipients/${recipient_id}`, { name, version });
  },
};

describe.each(Object.entries(SETTERS))('the name of %s', (_whose, set) => {
  it('is no link, no mail address, no second line and no claim about a domain', async () => {
    for (const name of REFUSED) {
      const refused = await set(name);
      expect(outcome(refused), name).toBe('400 validation_failed');
      expect(refused.body.error.issues, name).toMatchObject([{ field: 'name', code: 'invalid_format' }]);
    }
    for (const name of TAKEN) expect((await set(name)).status, name).toBeLessThan(300);
  });
});

it('no one founds an organization under such a name', async () => {
  for (const name of REFUSED) await expect(signUp(service, { name })).rejects.toThrow('invalid_format');
});

it('a name that was set under older rules stays readable, and its record usable', async () => {
  const [old] = REFUSED as [string];
  const payee = await activePayee(service, merchant);
  await service.db`update recipients set name = ${old} where recipient_id = ${payee.recipientId}`;
  const path = `/v1/recipients/${payee.recipientId}`;
  expect((await succeed(asMerchant('GET', path))).body.recipient.name).toBe(old);
  const version = await versionOf(path, 'recipient');
  const next = await replacePayee(service, merchant, { ...payee, version });
  await succeed(asMerchant('PATCH', path, { status: 'archived', version: next.version }));
});

it('an invitation has the name of its merchant quoted in its body and not in its subject', async () => {
  const inviting = await verifiedMerchant(service, { name: 'Harbour Books' });
  const invited = async () => {
    const email = uniqueEmail();
    const body = { email, role: 'viewer' };
    await succeed(service.call('POST', '/v1/merchant-operators', { session: inviting.session, body }));
    return service.smtp.waitForMail(email);
  };
  const mail = await invited();
  expect(mail.subject).not.toContain('Harbour Books');
  expect(mail.text.replaceAll(/\s+/g, ' ')).toContain('to work for "Harbour Books" on PayAssent');
  await service.db`update merchants set name = ${REFUSED[2] ?? ''} where merchant_id = ${inviting.merchantId}`;
  const { subject, text, html } = await invited();
  for (const part of [subject, text, html]) expect(part).not.toContain('account is locked');
});
