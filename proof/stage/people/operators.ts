import type { OperatorRole } from '@payassent/protocol';
import type { Received } from '../service/client.ts';
import type { TestService } from '../service/service.ts';
import {
  type MerchantSurroundings,
  sessionOf,
  succeed,
  type TestMerchant,
  type TestSession,
  tokenIn,
  uniqueEmail,
  verifiedMerchant,
} from './merchants.ts';

export interface TestOperator {
  email: string;
  operatorId: string;
  session: TestSession;
}

type Surroundings = Pick<MerchantSurroundings, 'call' | 'smtp'>;

/** The link of the next mail to this address that has one. */
export async function nextLink({ smtp }: Surroundings, email: string): Promise<string> {
  for (;;) {
    const { text } = await smtp.waitForMail(email);
    if (text.includes('/portal/verify#token=')) return tokenIn(text);
  }
}

/** Spends a mailed link on a session in the named organization, or in the first. */
export async function enterWithLink(
  { call }: Surroundings,
  token: string,
  merchantName?: string,
): Promise<TestSession> {
  const path = '/v1/merchant-accounts/email-verifications';
  const { session_grant, merchants } = (await succeed(call('POST', path, { body: { token } }))).body;
  const choice = merchants.find(({ name }: { name: string }) => name === merchantName) ?? merchants[0];
  const body = { session_grant, choice_id: choice.choice_id };
  return sessionOf(await succeed(call('POST', '/v1/merchant-sessions', { body })));
}

/** Invited by an owner, signed in by the mailed link. */
export async function joinedOperator(
  service: Surroundings,
  owner: { session: TestSession; name?: string },
  role: OperatorRole,
  email: string = uniqueEmail(),
): Promise<TestOperator> {
  const invited = await succeed(
    service.call('POST', '/v1/merchant-operators', { session: owner.session, body: { email, role } }),
  );
  const session = await enterWithLink(service, await nextLink(service, email), owner.name);
  return { email, operatorId: invited.body.operator.operator_id, session };
}

export async function operatorIdOf({ call }: Surroundings, session: TestSession): Promise<string> {
  const current = await succeed(call('GET', '/v1/merchant-sessions/current', { session }));
  return current.body.operator.operator_id;
}

export const OPERATORS = '/v1/merchant-operators';

interface TwoOwners {
  first: TestMerchant;
  firstId: string;
  second: TestOperator;
}

/** An organization that requires two owners, with exactly two. */
export async function twoOwners(service: TestService): Promise<TwoOwners> {
  const first = await verifiedMerchant(service);
  const second = await joinedOperator(service, first, 'owner');
  await succeed(setFourEyes(service, first.session, true));
  return { first, firstId: await operatorIdOf(service, first.session), second };
}

export async function setFourEyes(
  service: TestService,
  session: TestSession,
  four_eyes: boolean,
): Promise<Received> {
  const { merchant } = (await succeed(service.call('GET', '/v1/merchants/current', { session }))).body;
  const body = { four_eyes, version: merchant.version };
  return service.call('PATCH', '/v1/merchants/current', { session, body });
}

export function decideApproval(
  service: TestService,
  session: TestSession,
  id: string,
  decision: 'approve' | 'reject',
): Promise<Received> {
  return service.call('POST', `/v1/approvals/${id}/${decision}`, { session });
}

export async function recipientStatus(
  service: TestService,
  session: TestSession,
  recipientId: string,
): Promise<string> {
  const read = await succeed(service.call('GET', `/v1/recipients/${recipientId}`, { session }));
  return read.body.recipient.status;
}

/** Requested by the first owner, approved by the second, signed in. */
export async function invitedThird(
  service: TestService,
  { first, second }: Pick<TwoOwners, 'first' | 'second'>,
  role = 'viewer',
): Promise<TestOperator> {
  const email = uniqueEmail();
  const asked = await succeed(
    service.call('POST', OPERATORS, { session: first.session, body: { email, role } }),
  );
  await succeed(decideApproval(service, second.session, asked.body.approval.approval_id, 'approve'));
  const session = await enterWithLink(service, await nextLink(service, email));
  return { email, session, operatorId: await operatorIdOf(service, session) };
}

/** Reads mails to this address until one has the words. */
export async function mailWith(service: TestService, email: string, words: string): Promise<string> {
  for (;;) {
    const { subject, text } = await service.smtp.waitForMail(email);
    const whole = `${subject}\n${text}`.replaceAll(/\s+/g, ' ');
    if (whole.includes(words)) return whole;
  }
}
