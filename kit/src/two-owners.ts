import type { Received } from './client.ts';
import { succeed, type TestMerchant, type TestSession, uniqueEmail, verifiedMerchant } from './merchants.ts';
import { enterWithLink, joinedOperator, nextLink, operatorIdOf, type TestOperator } from './operators.ts';
import type { TestService } from './service.ts';

export const OPERATORS = '/v1/merchant-operators';

export interface TwoOwners {
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

/** Asked for by the first owner, approved by the second, signed in. */
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
