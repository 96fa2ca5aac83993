import type { OperatorRole } from '@payassent/protocol';
import {
  type MerchantSurroundings,
  sessionOf,
  succeed,
  type TestSession,
  tokenIn,
  uniqueEmail,
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
