import {
  type Authenticator,
  optionsFor,
  registeredPasskey,
  signInWithPasskey,
  stepUp,
} from '@payassent/proof/people/authenticator';
import {
  outcome,
  signIn,
  signUp,
  succeed,
  type TestMerchant,
  type TestSession,
  verifiedMerchant,
} from '@payassent/proof/people/merchants';
import {
  enterWithLink,
  joinedOperator,
  mailWith,
  nextLink,
  OPERATORS,
} from '@payassent/proof/people/operators';
import { startService, type TestService } from '@payassent/proof/service/service';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { resetOperatorPasskeys } from '../../maintenance/commands.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const PASSKEYS = '/v1/merchant-passkeys';
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** An organization whose founder's account is older than an hour, signed in by mail. */
async function oldMerchant(): Promise<TestMerchant> {
  const merchant = await verifiedMerchant(service);
  service.clock.advance(2 * HOUR);
  return { ...merchant, session: await signIn(service, merchant.email) };
}

type Made = Authenticator & { passkeyId: string };

/** What needs a step-up from accounts with a passkey. */
const guardedCall = async (session: TestSession) =>
  outcome(await service.call('POST', '/v1/admin-sessions', { session }));

const passkeysOf = async (session: TestSession) =>
  (await succeed(service.call('GET', PASSKEYS, { session }))).body.passkeys;

const confirm = async (session: TestSession, { passkeyId }: Made) =>
  outcome(await service.call('POST', `${PASSKEYS}/${passkeyId}/confirm`, { session }));

async function cancelToken(email: string): Promise<string> {
  const mail = await mailWith(service, email, '/portal/cancel-passkey#token=');
  return /cancel-passkey#token=(svc_pc_[0-9A-Za-z]+)/.exec(mail)?.[1] ?? '';
}

const cancel = async (token: string) =>
  outcome(await service.call('POST', `${PASSKEYS}/cancel`, { body: { token } }));

describe('a first passkey', () => {
  it('of a new account is effective immediately', async () => {
    const { session } = await verifiedMerchant(service);
    await registeredPasskey(service, session);
    const [passkey] = await passkeysOf(session);
    expect(passkey.effective_at).toBe(passkey.created_at);
    expect(await guardedCall(session)).toBe('403 step_up_required');
  });

  it('that a stolen mailbox registers neither steps up nor shuts its team member out for a day', async () => {
    const merchant = await oldMerchant();
    const { session } = merchant;
    const stolen = await registeredPasskey(service, session);
    const [passkey] = await passkeysOf(session);
    expect(Date.parse(passkey.effective_at) - Date.parse(passkey.created_at)).toBe(DAY);
    expect(outcome(await service.call('POST', `${PASSKEYS}/step-up-options`, { session }))).toBe(
      '404 resource_not_found',
    );
    const thief = await signInWithPasskey(service, stolen);
    const current = await succeed(service.call('GET', '/v1/merchant-sessions/current', { session: thief }));
    expect(current.body.session).toMatchObject({ signed_in_by: 'passkey', stepped_up_until: null });
    // The owner signs in by mail as before, without a wait, and removes it.
    const owner = await signIn(service, merchant.email);
    expect(await guardedCall(owner)).toBe('201 ok');
    const path = `${PASSKEYS}/${stolen.passkeyId}`;
    expect(outcome(await service.call('DELETE', path, { session: owner }))).toBe('200 ok');
  });

  it('counts after a day, and needs its use from then on', async () => {
    const { session, email } = await oldMerchant();
    const passkey = await registeredPasskey(service, session);
    service.clock.advance(DAY - HOUR);
    expect(await guardedCall(await signIn(service, email))).toBe('201 ok');
    service.clock.advance(HOUR);
    const later = await signInWithPasskey(service, passkey);
    expect(await guardedCall(later)).toBe('201 ok');
    service.clock.advance(11 * 60_000);
    expect(await guardedCall(later)).toBe('403 step_up_required');
    await stepUp(service, later, passkey);
    expect(await guardedCall(later)).toBe('201 ok');
  });

  it('is cancelled by the link in the mail to every owner, which ends the sessions of its team member', async () => {
    const merchant = await oldMerchant();
    const other = await joinedOperator(service, merchant, 'owner');
    const stolen = await registeredPasskey(service, merchant.session);
    const token = await cancelToken(other.email);
    expect(await cancelToken(merchant.email)).not.toBe(token);
    expect(await cancel(`${token}x`)).toBe('401 link_invalid');
    expect(await cancel(token)).toBe('200 ok');
    expect(await guardedCall(merchant.session)).toBe('401 token_revoked');
    expect(await cancel(token)).toBe('401 link_invalid');
    const credential = stolen.assert(await optionsFor(service, 'sign-in'));
    expect(outcome(await service.call('POST', `${PASSKEYS}/sign-in`, { body: { credential } }))).toBe(
      '401 passkey_invalid',
    );
    expect(await mailWith(service, other.email, 'was cancelled')).toContain(other.email);
    const audit = await succeed(
      service.call('GET', '/v1/audit-events', {
        session: other.session,
        query: { type: 'passkey.cancelled' },
      }),
    );
    expect(audit.body.audit_events[0].actor).toEqual({ kind: 'operator', id: other.operatorId });
  });

  it('that is effective is no longer cancelled by mail', async () => {
    const merchant = await oldMerchant();
    await registeredPasskey(service, merchant.session);
    const token = await cancelToken(merchant.email);
    service.clock.advance(DAY);
    expect(await cancel(token)).toBe('401 link_invalid');
  });
});

describe('another owner confirms a first passkey', () => {
  it('and it is effective from then on', async () => {
    const merchant = await oldMerchant();
    const other = await joinedOperator(service, merchant, 'owner');
    const passkey = await registeredPasskey(service, merchant.session);
    const listed = await succeed(service.call('GET', OPERATORS, { session: other.session }));
    const pending = listed.body.operators.flatMap(
      (one: { pending_passkeys: { passkey_id: string }[] }) => one.pending_passkeys,
    );
    expect(pending).toEqual([expect.objectContaining({ passkey_id: passkey.passkeyId, name: 'Phone' })]);
    expect(await guardedCall(merchant.session)).toBe('201 ok');
    expect(await confirm(other.session, passkey)).toBe('200 ok');
    expect(await guardedCall(merchant.session)).toBe('403 step_up_required');
    expect(await confirm(other.session, passkey)).toBe('200 ok');
    expect(await mailWith(service, merchant.email, 'was confirmed')).toContain(other.email);
  });

  it('who is another person, an owner, and of this organization', async () => {
    const merchant = await oldMerchant();
    const alias = await joinedOperator(service, merchant, 'owner', merchant.email.replace('@', '+x@'));
    const developer = await joinedOperator(service, merchant, 'developer');
    const stranger = await verifiedMerchant(service);
    const passkey = await registeredPasskey(service, merchant.session);
    expect(await confirm(merchant.session, passkey)).toBe('403 second_person_required');
    expect(await confirm(alias.session, passkey)).toBe('403 second_person_required');
    expect(await confirm(developer.session, passkey)).toBe('403 insufficient_role');
    expect(await confirm(stranger.session, passkey)).toBe('404 resource_not_found');
  });

  it('and not one whom the thief invited, nor in an organization that the thief founded', async () => {
    const merchant = await verifiedMerchant(service);
    service.clock.advance(2 * DAY);
    const session = await signIn(service, merchant.email);
    const accomplice = await joinedOperator(service, { ...merchant, session }, 'owner');
    const passkey = await registeredPasskey(service, session);
    expect(await confirm(accomplice.session, passkey)).toBe('403 second_person_required');
    const own = await verifiedMerchant(service, { name: 'Of the thief' });
    const invitation = { email: merchant.email, role: 'viewer' };
    await succeed(service.call('POST', OPERATORS, { session: own.session, body: invitation }));
    await enterWithLink(service, await nextLink(service, merchant.email), 'Of the thief');
    expect(await confirm(own.session, passkey)).toBe('403 second_person_required');
  });
});

describe('a running recovery', () => {
  it('is not reset by sign-ins or uses of the passkey that it is about', async () => {
    const merchant = await verifiedMerchant(service);
    const thiefs = await registeredPasskey(service, merchant.session);
    await signIn(service, merchant.email);
    service.clock.advance(23 * HOUR);
    const thief = await signInWithPasskey(service, thiefs);
    await stepUp(service, thief, thiefs);
    service.clock.advance(HOUR);
    const owner = await signIn(service, merchant.email);
    const own = await registeredPasskey(service, owner, 'Own');
    await stepUp(service, owner, own);
    const path = `${PASSKEYS}/${thiefs.passkeyId}`;
    expect(outcome(await service.call('DELETE', path, { session: owner }))).toBe('200 ok');
  });

  it('ends when its team member signs out everywhere, and every owner gets a mail', async () => {
    const merchant = await verifiedMerchant(service);
    const passkey = await registeredPasskey(service, merchant.session);
    await stepUp(service, merchant.session, passkey);
    const other = await joinedOperator(service, merchant, 'owner');
    await signIn(service, merchant.email);
    service.clock.advance(23 * HOUR);
    const session = await signInWithPasskey(service, passkey);
    await succeed(service.call('DELETE', '/v1/merchant-sessions', { session }));
    await mailWith(service, other.email, 'The wait for a new passkey was ended');
    service.clock.advance(2 * HOUR);
    const late = await signIn(service, merchant.email);
    expect(outcome(await service.call('POST', `${PASSKEYS}/registration-options`, { session: late }))).toBe(
      '403 step_up_required',
    );
  });

  it('lapses after a week: the next sign-in by mail waits a day again', async () => {
    const merchant = await verifiedMerchant(service);
    await registeredPasskey(service, merchant.session);
    await signIn(service, merchant.email);
    service.clock.advance(8 * DAY);
    const session = await signIn(service, merchant.email);
    expect(outcome(await service.call('POST', `${PASSKEYS}/registration-options`, { session }))).toBe(
      '403 step_up_required',
    );
  });
});

describe('the host', () => {
  it('removes the passkeys of a team member, which is on record and mailed to every owner', async () => {
    const merchant = await verifiedMerchant(service);
    const other = await joinedOperator(service, merchant, 'owner');
    await registeredPasskey(service, merchant.session);
    const reset = () => resetOperatorPasskeys(service.env, () => {}, merchant.email.toUpperCase());
    expect(await reset()).toMatchObject({ email: merchant.email, passkeys: 1 });
    expect(await guardedCall(merchant.session)).toBe('401 token_revoked');
    const session = await signIn(service, merchant.email);
    expect(await passkeysOf(session)).toEqual([]);
    expect(await mailWith(service, other.email, 'passkeys of a team member were removed')).toContain(
      merchant.email,
    );
    const audit = await succeed(
      service.call('GET', '/v1/audit-events', { session: other.session, query: { type: 'passkey.reset' } }),
    );
    expect(audit.body.audit_events).toMatchObject([{ actor: { kind: 'installation' } }]);
    expect(await reset()).toMatchObject({ passkeys: 0 });
    const none = resetOperatorPasskeys(service.env, () => {}, 'no-one@shop.example');
    await expect(none).rejects.toThrow('There is no operator with the address');
  });

  it('reaches a team member without an organization too', async () => {
    const { email } = await signUp(service);
    expect(await resetOperatorPasskeys(service.env, () => {}, email)).toMatchObject({ passkeys: 0 });
  });
});
