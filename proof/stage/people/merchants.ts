/*
 * The people of the product, created through the public API of any service: merchants in this file, payees, agents,
 * wallets and their interactions in others. Every test and tool may import it; nothing here writes to a database or
 * depends on a process.
 */

import { randomBytes } from 'node:crypto';
import type { Caller, Received } from '../service/client.ts';
import type { TestDnsServer, TestSmtpServer } from '../surroundings/surroundings.ts';

/** What these helpers need of a service; an in-process service and a process with its surroundings both fit. */
export interface MerchantSurroundings {
  call: Caller;
  smtp: TestSmtpServer;
  dns: TestDnsServer;
}

export interface TestSession {
  /** As the `Cookie` header wants it. */
  cookie: string;
  csrf: string;
}

export interface SignedUp {
  session: TestSession;
  merchantId: string;
  email: string;
  name: string;
}

export interface TestMerchant extends SignedUp {
  domain: string;
  domainId: string;
  /** The value published at the domain. */
  challenge: string;
}

/** A call that must succeed; returns the response, or throws an error with its content. */
export async function succeed(pending: Promise<Received>): Promise<Received> {
  const received = await pending;
  if (received.status >= 300) throw new Error(`returned ${received.status}: ${received.text}`);
  return received;
}

/** `201 ok`, `409 version_conflict`: what a test of refusals compares. */
export function outcome(received: Received): string {
  return `${received.status} ${received.body.error?.code ?? 'ok'}`;
}

export function uniqueEmail(): string {
  return `operator-${randomBytes(6).toString('hex')}@shop.example`;
}

export function uniqueDomain(): string {
  return `shop-${randomBytes(6).toString('hex')}.example`;
}

/** Requests a link and reads it out of the mail. */
export async function mailedToken(
  service: Pick<MerchantSurroundings, 'call' | 'smtp'>,
  email: string,
): Promise<string> {
  await succeed(service.call('POST', '/v1/merchant-accounts/registrations', { body: { email } }));
  for (;;) {
    // Notices to the operator may come in between.
    const { text } = await service.smtp.waitForMail(email);
    if (text.includes('/portal/verify#token=')) return tokenIn(text);
  }
}

export function tokenIn(text: string): string {
  const token = /\/portal\/verify#token=(svc_ml_[0-9A-Za-z]+)/.exec(text)?.[1];
  if (token === undefined) throw new Error(`no link in: ${text}`);
  return token;
}

interface EmailGrant {
  session_grant: string;
  session_grant_expires_at: string;
  merchants: { choice_id: string; name: string; status: string }[];
}

export async function verifyEmail(
  service: Pick<MerchantSurroundings, 'call' | 'smtp'>,
  email: string,
): Promise<EmailGrant> {
  const token = await mailedToken(service, email);
  const path = '/v1/merchant-accounts/email-verifications';
  return (await succeed(service.call('POST', path, { body: { token } }))).body;
}

export function sessionOf(received: Received): TestSession {
  const cookie = received.headers.getSetCookie()[0]?.split(';')[0];
  if (cookie === undefined) throw new Error('the response sets no cookie');
  return { cookie, csrf: received.body.csrf_token };
}

/** From an email address to a signed-in operator of a new organization, which is still pending. */
export async function signUp(
  service: Pick<MerchantSurroundings, 'call' | 'smtp'>,
  options: { email?: string; name?: string } = {},
): Promise<SignedUp> {
  const email = options.email ?? uniqueEmail();
  const name = options.name ?? 'Example Shop';
  const { session_grant } = await verifyEmail(service, email);
  const made = await succeed(service.call('POST', '/v1/merchants', { body: { session_grant, name } }));
  const { merchant, next_grant } = made.body;
  const opened = await succeed(service.call('POST', '/v1/merchant-sessions', { body: { next_grant } }));
  return { session: sessionOf(opened), merchantId: merchant.merchant_id, email, name };
}

/** Back into the first organization of an operator who has been here before. */
export async function signIn(
  service: Pick<MerchantSurroundings, 'call' | 'smtp'>,
  email: string,
): Promise<TestSession> {
  const { session_grant, merchants } = await verifyEmail(service, email);
  const body = { session_grant, choice_id: merchants[0]?.choice_id };
  return sessionOf(await succeed(service.call('POST', '/v1/merchant-sessions', { body })));
}

/** Registers a domain, publishes its challenge as a TXT record and verifies it. */
export async function proveDomain(
  service: Pick<MerchantSurroundings, 'call' | 'dns'>,
  session: TestSession,
  domain: string,
): Promise<{ domainId: string; challenge: string }> {
  const registered = await succeed(
    service.call('POST', '/v1/merchant-domains', { session, body: { domain } }),
  );
  const { dns } = registered.body.challenge;
  const domainId: string = registered.body.domain.domain_id;
  service.dns.set(dns.name, 'TXT', [dns.value]);
  await succeed(service.call('POST', `/v1/merchant-domains/${domainId}/verify`, { session, body: {} }));
  return { domainId, challenge: dns.value };
}

/** An active organization with a domain proved through the real DNS server. */
export async function verifiedMerchant(
  service: MerchantSurroundings,
  options: { domain?: string; email?: string; name?: string } = {},
): Promise<TestMerchant> {
  const signedUp = await signUp(service, options);
  const domain = options.domain ?? uniqueDomain();
  return { ...signedUp, domain, ...(await proveDomain(service, signedUp.session, domain)) };
}

/** The owner releases its own domain. */
export function deleteDomain(
  service: Pick<MerchantSurroundings, 'call'>,
  merchant: Pick<TestMerchant, 'session' | 'domainId'>,
): Promise<Received> {
  return succeed(
    service.call('DELETE', `/v1/merchant-domains/${merchant.domainId}`, { session: merchant.session }),
  );
}

/** Another organization puts its own challenge in place of the owner's and proves the domain. */
export async function takeDomain(service: MerchantSurroundings, from: TestMerchant): Promise<TestMerchant> {
  const winner = await signUp(service);
  const { session } = winner;
  const registered = await succeed(
    service.call('POST', '/v1/merchant-domains', { session, body: { domain: from.domain } }),
  );
  const { dns } = registered.body.challenge;
  const domainId: string = registered.body.domain.domain_id;
  service.dns.set(dns.name, 'TXT', [dns.value]);
  await succeed(service.call('POST', `/v1/merchant-domains/${domainId}/verify`, { session }));
  return { ...winner, domain: from.domain, domainId, challenge: dns.value };
}
