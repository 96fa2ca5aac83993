import { MerchantClient } from '@payassent/sdk';
import { type DemoStage, ensure } from './demo-stage.ts';
import { maskText } from './masking.ts';

export interface DemoMerchant {
  client: MerchantClient;
  domainId: string;
  recipientId: string;
  recipientVersionId: string;
  address: string;
}

export const MERCHANT = {
  name: 'Blue Door Coffee',
  email: 'ada@bluedoor.example',
  domain: 'bluedoor.example',
} as const;
type Persona = Readonly<Record<keyof typeof MERCHANT, string>>;
/** An account from the examples of SEP-23: valid on every Stellar network, and nobody's on this one. */
const ADDRESS = 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ';

export const COUNTER = { name: 'Blue Door Coffee, counter', memo: 'order 1042' };

/** From an email address to a payee that wallets can trust. */
export async function setUpMerchant(stage: DemoStage): Promise<DemoMerchant> {
  const { client, domainId } = await proveMerchant(stage, MERCHANT);
  await receiveWebhooks(stage, client);
  return { client, domainId, address: ADDRESS, ...(await fixPayee(stage, client, domainId, COUNTER)) };
}

/** As far as an organization with a domain. */
export async function proveMerchant(stage: DemoStage, persona: Persona) {
  const client = new MerchantClient(stage.client('merchant'));
  await signUp(stage, client, persona);
  return { client, domainId: await proveDomain(stage, client, persona.domain) };
}

async function signUp(stage: DemoStage, client: MerchantClient, { email, name }: Persona): Promise<void> {
  await stage.step(
    'A merchant signs up',
    'There are no passwords: a link goes to the mailbox, works once, and opens a session that lives in a cookie.',
  );
  await client.sessions.requestLink({ email });
  const mail = await stage.world.mail.waitForMail(email, 15_000);
  const link = /\S+\/portal\/verify#token=(\S+)/.exec(mail.text);
  ensure(link !== null, 'a link in the mail');
  const [address, token = ''] = link;
  stage.tell({ type: 'mail', to: email, subject: mail.subject, link: maskText(address) });
  const { session_grant } = await client.sessions.verifyEmail({ token });
  const { next_grant } = await client.sessions.createOrganization({ session_grant, name });
  const { merchant } = await client.sessions.open({ next_grant });
  ensure(merchant.status === 'pending', 'an organization that can do nothing yet');
}

async function proveDomain(stage: DemoStage, client: MerchantClient, wanted: string): Promise<string> {
  await stage.step(
    'The merchant proves a domain',
    'A name is easy to claim. A TXT record is not: the service looks it up in the DNS, and only then the organization becomes active.',
  );
  const { domain, challenge } = await client.domains.create({ domain: wanted });
  const { name, value } = challenge.dns;
  stage.world.dns.set(name, 'TXT', [value]);
  stage.tell({ type: 'dns', name, record: 'TXT', value });
  const proved = await client.domains.verify(domain.domain_id);
  ensure(proved.domain.status === 'verified', 'a verified domain');
  ensure(proved.merchant.status === 'active', 'an active organization');
  return domain.domain_id;
}

async function receiveWebhooks(stage: DemoStage, client: MerchantClient): Promise<void> {
  await stage.step(
    'The merchant opens a webhook endpoint',
    'The secret is shown once. Before anything else is sent, the receiver must answer a signed challenge.',
  );
  const { webhooks } = stage.world;
  const { webhook_endpoint, secret } = await client.webhooks.create({ url: `${webhooks.url}/payassent` });
  webhooks.addSecret(secret);
  const verified = await client.webhooks.verify(webhook_endpoint.webhook_endpoint_id);
  ensure(verified.webhook_endpoint.status === 'active', 'an active endpoint');
  await stage.webhook('webhook.verification');
}

export async function fixPayee(
  stage: DemoStage,
  client: MerchantClient,
  domainId: string,
  payee: { name: string; memo: string },
): Promise<{ recipientId: string; recipientVersionId: string }> {
  await stage.step(
    'The merchant fixes where it is paid',
    'Network, asset and address stand in a version that never changes. It becomes active with evidence that the domain is under control at this very moment.',
  );
  const created = await client.recipients.create({
    ...payee,
    network: 'stellar_testnet',
    asset: 'XLM',
    address: ADDRESS,
  });
  const { recipient_id: recipientId, version } = created.recipient;
  const { recipient_version_id: recipientVersionId } = created.recipient_version;
  const { evidence } = await client.recipients.verify(recipientId, {
    recipient_version_id: recipientVersionId,
    type: 'domain_proof',
    source_id: domainId,
    version,
  });
  const { evidence_id, evidence_digest } = evidence;
  const activated = await client.recipients.activate(recipientId, recipientVersionId, {
    evidence_id,
    evidence_digest,
    version,
  });
  ensure(activated.recipient.status === 'active', 'an active payee');
  await stage.webhook('recipient.version_activated');
  return { recipientId, recipientVersionId };
}
