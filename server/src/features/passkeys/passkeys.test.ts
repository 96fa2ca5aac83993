import {
  type Authenticator,
  createAuthenticator,
  optionsFor,
  pageOrigin,
  registeredPasskey,
  signInWithPasskey,
  stepUp,
  type Twist,
} from '@payassent/proof/people/authenticator';
import {
  outcome,
  signIn,
  succeed,
  type TestMerchant,
  type TestSession,
  uniqueEmail,
  verifiedMerchant,
} from '@payassent/proof/people/merchants';
import { joinedOperator, mailWith } from '@payassent/proof/people/operators';
import { activationOf, verifiedVersion } from '@payassent/proof/people/payees';
import { startService, type TestService } from '@payassent/proof/service/service';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const PASSKEYS = '/v1/merchant-passkeys';
const MINUTE = 60_000;

/** For this test, time moves only when it advances the clock. */
function stopClock(): void {
  service.clock.freeze();
  onTestFinished(() => service.clock.release());
}

/** One call of each kind that needs a passkey. */
async function guardedCalls(merchant: TestMerchant, session: TestSession) {
  const version = await verifiedVersion(service, merchant);
  return {
    activation: () => activationOf(service, session, version),
    'an operator': () =>
      service.call('POST', '/v1/merchant-operators', {
        session,
        body: { email: uniqueEmail(), role: 'viewer' },
      }),
    'a webhook secret': () =>
      service.call('POST', '/v1/webhook-endpoints', { session, body: { url: 'http://127.0.0.1:9/hook' } }),
    'an admin session': () => service.call('POST', '/v1/admin-sessions', { session }),
  };
}

async function withPasskey(): Promise<{
  merchant: TestMerchant;
  passkey: Authenticator & { passkeyId: string };
}> {
  const merchant = await verifiedMerchant(service);
  return { merchant, passkey: await registeredPasskey(service, merchant.session) };
}

describe('once a passkey is registered', () => {
  it('what matters needs its use in the last 10 minutes, to the millisecond', async () => {
    const merchant = await verifiedMerchant(service);
    const { session } = merchant;
    const calls = await guardedCalls(merchant, session);
    const passkey = await registeredPasskey(service, session);
    stopClock();
    expect(await mailWith(service, merchant.email, 'A new passkey of a team member')).toContain(
      'Passkey: "Phone"',
    );
    for (const [name, call] of Object.entries(calls))
      expect(`${name}: ${outcome(await call())}`).toBe(`${name}: 403 step_up_required`);
    const stepped = await stepUp(service, session, passkey);
    expect(stepped.body.session.stepped_up_until).toBe(
      new Date(service.clock.now().getTime() + 10 * MINUTE).toISOString(),
    );
    service.clock.advance(10 * MINUTE);
    for (const [name, call] of Object.entries(calls))
      expect(`${name}: ${outcome(await call())}`).toMatch(/: 20[01] ok$/);
    service.clock.advance(1);
    expect(outcome(await calls['an operator']())).toBe('403 step_up_required');
    const read = await service.call('GET', '/v1/recipients', { session });
    expect(read.status).toBe(200);
  });

  it('an admin session passes as long as the sign-in that made it does', async () => {
    const { merchant, passkey } = await withPasskey();
    const { session } = merchant;
    await stepUp(service, session, passkey);
    const bearer = (await succeed(service.call('POST', '/v1/admin-sessions', { session }))).body
      .session_token;
    const key = () =>
      service.call('POST', '/v1/api-keys', { bearer, body: { name: 'k', agent_id: 'agt_x' } });
    expect(outcome(await key())).toBe('404 resource_not_found');
    service.clock.advance(10 * MINUTE + 1);
    expect(outcome(await key())).toBe('403 step_up_required');
  });

  it('another passkey, and its removal, need the use of one', async () => {
    const { merchant, passkey } = await withPasskey();
    const { session } = merchant;
    const refused = await service.call('POST', `${PASSKEYS}/registration-options`, { session });
    expect(outcome(refused)).toBe('403 step_up_required');
    const path = `${PASSKEYS}/${passkey.passkeyId}`;
    expect(outcome(await service.call('DELETE', path, { session }))).toBe('403 step_up_required');
    await stepUp(service, session, passkey);
    const second = await registeredPasskey(service, session, 'Key ring');
    const { passkeys } = (await succeed(service.call('GET', PASSKEYS, { session }))).body;
    expect(passkeys.map((one: { name: string }) => one.name)).toEqual(['Key ring', 'Phone']);
    expect(outcome(await service.call('DELETE', path, { session }))).toBe('200 ok');
    await mailWith(service, merchant.email, 'was removed');
    service.clock.advance(11 * MINUTE);
    await stepUp(service, session, second);
    const gone = passkey.assert(await optionsFor(service, 'step-up', session));
    const received = await service.call('POST', `${PASSKEYS}/step-up`, {
      session,
      body: { credential: gone },
    });
    expect(received.body.error.details.reason).toBe('passkey_unknown');
  });

  it('two first passkeys at the same moment: the second needs the first', async () => {
    const { session } = await verifiedMerchant(service);
    const two = [1, 2].map(() => createAuthenticator(pageOrigin(service.url)));
    const bodies = [];
    for (const one of two) {
      const options = await optionsFor(service, 'registration', session);
      bodies.push({ name: 'Phone', credential: one.register(options) });
    }
    const received = await Promise.all(
      bodies.map((body) => service.call('POST', PASSKEYS, { session, body })),
    );
    expect(received.map(outcome).sort()).toEqual(['201 ok', '403 step_up_required']);
  });

  it('a call that began before the first passkey and comes after it needs it too', async () => {
    const { session } = await verifiedMerchant(service);
    stopClock();
    const options = await optionsFor(service, 'registration', session);
    await registeredPasskey(service, session);
    service.clock.advance(-1);
    const credential = createAuthenticator(pageOrigin(service.url)).register(options);
    const received = await service.call('POST', PASSKEYS, { session, body: { name: 'Late', credential } });
    expect(outcome(received)).toBe('403 step_up_required');
  });
});

describe('signing in with a passkey', () => {
  it('opens a session that has stepped up, and its kind is shown', async () => {
    const { merchant, passkey } = await withPasskey();
    const session = await signInWithPasskey(service, passkey);
    const current = await succeed(service.call('GET', '/v1/merchant-sessions/current', { session }));
    expect(current.body.session).toMatchObject({ signed_in_by: 'passkey', current: true });
    expect(current.body.session.stepped_up_until).not.toBeNull();
    expect(current.body.merchant.merchant_id).toBe(merchant.merchantId);
    expect(outcome(await service.call('POST', '/v1/admin-sessions', { session }))).toBe('201 ok');
  });

  it('sends everyone the same challenge', async () => {
    const [one, two] = [await optionsFor(service, 'sign-in'), await optionsFor(service, 'sign-in')];
    expect({ ...one, challenge: '' }).toEqual({ ...two, challenge: '' });
    expect(one).toMatchObject({ rpId: 'localhost', userVerification: 'required' });
    expect(one).not.toHaveProperty('allowCredentials');
  });
});

describe('a response of a passkey is refused', () => {
  const TWISTS: Record<string, [Twist, string]> = {
    'from another origin': [{ origin: 'https://pay-assent.example' }, 'origin'],
    'from another port': [{ origin: 'http://localhost:1' }, 'origin'],
    'inside a frame of another site': [{ crossOrigin: true }, 'origin'],
    'for another service': [{ rpId: 'elsewhere.example' }, 'malformed'],
    'without a verified person': [{ userVerified: false }, 'person_not_verified'],
    'with a challenge of its own': [{ challenge: 'bWFkZS11cA' }, 'challenge_used_or_unknown'],
  };
  it.each(Object.entries(TWISTS))('%s', async (_name, [twist, reason]) => {
    const { merchant, passkey } = await withPasskey();
    const { session } = merchant;
    const assertion = passkey.assert(await optionsFor(service, 'step-up', session), twist);
    const up = await service.call('POST', `${PASSKEYS}/step-up`, {
      session,
      body: { credential: assertion },
    });
    expect([outcome(up), up.body.error.details]).toEqual(['401 passkey_invalid', { reason }]);
    const into = passkey.assert(await optionsFor(service, 'sign-in'), twist);
    const signedIn = await service.call('POST', `${PASSKEYS}/sign-in`, { body: { credential: into } });
    expect([outcome(signedIn), signedIn.body.error.details]).toEqual(['401 passkey_invalid', { reason }]);
    const other = await verifiedMerchant(service);
    const made = createAuthenticator(pageOrigin(service.url)).register(
      await optionsFor(service, 'registration', other.session),
      twist,
    );
    const body = { name: 'Phone', credential: made };
    const registered = await service.call('POST', PASSKEYS, { session: other.session, body });
    expect([outcome(registered), registered.body.error.details]).toEqual(['401 passkey_invalid', { reason }]);
  });

  it('when it is sent again, and its challenge is spent also by a wrong one', async () => {
    const { merchant, passkey } = await withPasskey();
    const { session } = merchant;
    const options = await optionsFor(service, 'step-up', session);
    const send = (credential: unknown) =>
      service.call('POST', `${PASSKEYS}/step-up`, { session, body: { credential } });
    const good = passkey.assert(options);
    expect(outcome(await send(good))).toBe('200 ok');
    const again = await send(good);
    expect(again.body.error.details.reason).toBe('challenge_used_or_unknown');
    const next = await optionsFor(service, 'step-up', session);
    await send(passkey.assert(next, { origin: 'https://a.example' }));
    expect((await send(passkey.assert(next))).body.error.details.reason).toBe('challenge_used_or_unknown');
  });

  it('when its challenge is older than 5 minutes, or of another session or purpose', async () => {
    const { merchant, passkey } = await withPasskey();
    const { session } = merchant;
    const send = (credential: unknown, by = session) =>
      service.call('POST', `${PASSKEYS}/step-up`, { session: by, body: { credential } });
    const old = await optionsFor(service, 'step-up', session);
    service.clock.advance(5 * MINUTE + 1);
    expect((await send(passkey.assert(old))).body.error.details.reason).toBe('challenge_expired');
    const other = await signInWithPasskey(service, passkey);
    const foreign = await optionsFor(service, 'step-up', other);
    expect((await send(passkey.assert(foreign))).body.error.details.reason).toBe('challenge_used_or_unknown');
    const forSignIn = await optionsFor(service, 'sign-in');
    expect((await send(passkey.assert(forSignIn))).body.error.details.reason).toBe(
      'challenge_used_or_unknown',
    );
  });

  it('when its counter goes back: the passkey was copied', async () => {
    const { merchant, passkey } = await withPasskey();
    const { session } = merchant;
    await stepUp(service, session, passkey);
    await stepUp(service, session, passkey);
    passkey.counter -= 1;
    const credential = passkey.assert(await optionsFor(service, 'step-up', session));
    const cloned = await service.call('POST', `${PASSKEYS}/step-up`, { session, body: { credential } });
    expect([outcome(cloned), cloned.body.error.details.reason]).toEqual(['401 passkey_invalid', 'counter']);
  });

  it('of another team member', async () => {
    const { merchant } = await withPasskey();
    const { passkey: foreign } = await withPasskey();
    const { session } = merchant;
    const credential = foreign.assert(await optionsFor(service, 'step-up', session));
    const received = await service.call('POST', `${PASSKEYS}/step-up`, { session, body: { credential } });
    expect(received.body.error.details.reason).toBe('passkey_unknown');
  });

  it.each([
    ['text', 'x'],
    ['nothing', {}],
    ['numbers', { id: 1, rawId: 1, type: 1, response: 1 }],
  ])('that is %s: 400', async (_name, credential) => {
    const { session } = await verifiedMerchant(service);
    const body = { name: 'Phone', credential };
    expect(outcome(await service.call('POST', PASSKEYS, { session, body }))).toBe('400 validation_failed');
  });
});

describe('a stolen mailbox', () => {
  it('signs in, cannot step up, cannot activate a payee, and all owners are notified', async () => {
    const { merchant, passkey } = await withPasskey();
    const version = await verifiedVersion(service, merchant);
    await stepUp(service, merchant.session, passkey);
    const other = await joinedOperator(service, merchant, 'owner');
    stopClock();
    const thief = await signIn(service, merchant.email);
    for (const email of [merchant.email, other.email])
      expect(await mailWith(service, email, 'signed in without their passkey')).toContain(merchant.email);
    expect(outcome(await activationOf(service, thief, version))).toBe('403 step_up_required');
    for (const step of ['step-up-options', 'registration-options']) {
      const refused = await service.call('POST', `${PASSKEYS}/${step}`, { session: thief });
      expect(outcome(refused)).toBe('403 step_up_required');
      expect(Date.parse(refused.body.error.details.possible_from) - service.clock.now().getTime()).toBe(
        24 * 60 * MINUTE,
      );
    }
    // Not even with the passkey itself: its holder signs in with it.
    const credential = passkey.assert(await optionsFor(service, 'sign-in'));
    const up = await service.call('POST', `${PASSKEYS}/step-up`, { session: thief, body: { credential } });
    expect(outcome(up)).toBe('403 step_up_required');
  });

  it('has to wait a day from its first sign-in, and again when its team member signs out everywhere', async () => {
    const { merchant, passkey } = await withPasskey();
    await signIn(service, merchant.email);
    service.clock.advance(23 * 60 * MINUTE);
    const owner = await signInWithPasskey(service, passkey);
    await succeed(service.call('DELETE', '/v1/merchant-sessions', { session: owner }));
    service.clock.advance(2 * 60 * MINUTE);
    const session = await signIn(service, merchant.email);
    const refused = await service.call('POST', `${PASSKEYS}/registration-options`, { session });
    expect(outcome(refused)).toBe('403 step_up_required');
  });
});

describe('a lost passkey', () => {
  it('can be replaced a day after the first sign-in by mail', async () => {
    const { merchant, passkey: lost } = await withPasskey();
    await signIn(service, merchant.email);
    service.clock.advance(24 * 60 * MINUTE);
    const session = await signIn(service, merchant.email);
    const replacement = await registeredPasskey(service, session, 'New phone');
    expect(outcome(await service.call('POST', '/v1/admin-sessions', { session }))).toBe(
      '403 step_up_required',
    );
    await stepUp(service, session, replacement);
    expect(outcome(await service.call('POST', '/v1/admin-sessions', { session }))).toBe('201 ok');
    expect(outcome(await service.call('DELETE', `${PASSKEYS}/${lost.passkeyId}`, { session }))).toBe(
      '200 ok',
    );
  });
});

describe('a stolen session', () => {
  it('cannot step up, register a new passkey, or activate a payee', async () => {
    const { merchant } = await withPasskey();
    const { session } = merchant;
    const version = await verifiedVersion(service, merchant);
    expect(outcome(await activationOf(service, session, version))).toBe('403 step_up_required');
    const own = createAuthenticator(pageOrigin(service.url));
    const refused = await service.call('POST', `${PASSKEYS}/registration-options`, { session });
    expect(outcome(refused)).toBe('403 step_up_required');
    const credential = own.assert(await optionsFor(service, 'step-up', session));
    const up = await service.call('POST', `${PASSKEYS}/step-up`, { session, body: { credential } });
    expect(outcome(up)).toBe('401 passkey_invalid');
  });
});

describe('without a passkey', () => {
  it('nothing is requested that was not requested before', async () => {
    const merchant = await verifiedMerchant(service);
    for (const [name, call] of Object.entries(await guardedCalls(merchant, merchant.session)))
      expect(`${name}: ${outcome(await call())}`).toMatch(/: 20[01] ok$/);
    const step = await service.call('POST', `${PASSKEYS}/step-up-options`, { session: merchant.session });
    expect(outcome(step)).toBe('404 resource_not_found');
  });
});
