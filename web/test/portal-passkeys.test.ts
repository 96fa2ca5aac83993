// Long: registers and uses passkeys in a browser.
import { randomBytes } from 'node:crypto';
import { registeredPasskey } from '@payassent/proof/people/authenticator';
import {
  signIn,
  succeed,
  type TestMerchant,
  type TestSession,
  uniqueEmail,
  verifiedMerchant,
} from '@payassent/proof/people/merchants';
import { joinedOperator, mailWith, type TestOperator } from '@payassent/proof/people/operators';
import { activePayee, payeeFacts, verifiedVersion } from '@payassent/proof/people/payees';
import { startService, type TestService } from '@payassent/proof/service/service';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addAuthenticator } from './harness/authenticator.ts';
import {
  browserReason,
  startBrowser,
  type TestBrowser,
  type Visitor,
  withoutBrowser,
} from './harness/browser.ts';
import { expectSoundPage, PATIENT } from './harness/portal.ts';

describe.skipIf(withoutBrowser)(`passkeys and roles in the portal${browserReason}`, PATIENT, () => {
  let service: TestService;
  let browser: TestBrowser;
  let merchant: TestMerchant;
  let base: string;

  beforeAll(async () => {
    const guarded = { env: { SVC_PAYEE_CHANGE: 'guarded' } };
    [service, browser] = await Promise.all([startService(guarded), startBrowser()]);
    base = `http://localhost:${new URL(service.url).port}`;
    merchant = await verifiedMerchant(service);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  /** Passkeys belong to a name, so the pages are opened under one. */
  async function signedIn(session: TestSession): Promise<Visitor> {
    const visitor = await browser.visitor();
    const [name = '', value = ''] = session.cookie.split('=');
    await visitor.context.addCookies([{ name, value, url: base, httpOnly: true, sameSite: 'Strict' }]);
    return visitor;
  }

  const open = (page: Page, path: string) => page.goto(`${base}/portal${path}`);

  async function register(page: Page, name: string): Promise<void> {
    await open(page, '/sign-in');
    await page.getByLabel('Name').fill(name);
    await page.getByRole('button', { name: 'Register a passkey' }).click();
    await page.getByText('The passkey is registered.').waitFor();
  }

  it('a passkey is registered, requested where it matters, and signs in', async () => {
    const visitor = await signedIn(merchant.session);
    const { page } = visitor;
    const { cdp, authenticatorId } = await addAuthenticator(visitor.page);
    await register(page, 'Laptop');
    await page.getByRole('cell', { name: 'Laptop' }).waitFor();
    await expectSoundPage(page);
    const { credentials } = await cdp.send('WebAuthn.getCredentials', { authenticatorId });
    expect(credentials).toMatchObject([{ rpId: 'localhost', isResidentCredential: true }]);

    // Inviting needs the passkey: the browser prompts for it, and the call continues automatically.
    await open(page, '/team');
    const email = uniqueEmail();
    await page.getByLabel('Email address').fill(email);
    await page.getByRole('button', { name: 'Send the invitation' }).click();
    await page.getByText('The invitation is on its way.').waitFor();
    await page.getByRole('cell', { name: email }).waitFor();
    await expectSoundPage(page);
    const audit = await succeed(
      service.call('GET', '/v1/audit-events', {
        session: merchant.session,
        query: { type: 'merchant_session.stepped_up' },
      }),
    );
    expect(audit.body.audit_events).toHaveLength(1);

    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByRole('button', { name: merchant.name }).click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await open(page, '/sign-in');
    await page.getByRole('row', { name: /this browser.*a passkey/ }).waitFor();
    expect(visitor.complaints).toEqual([]);
  });

  it('without the person at the device the call stays refused', async () => {
    const other = await verifiedMerchant(service);
    const visitor = await signedIn(other.session);
    const { page } = visitor;
    const { cdp, authenticatorId } = await addAuthenticator(visitor.page);
    await register(page, 'Phone');
    await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
    await open(page, '/team');
    await page.getByLabel('Email address').fill(uniqueEmail());
    await page.getByRole('button', { name: 'Send the invitation' }).click();
    await page.getByText('Use your passkey when the browser asks for it.').waitFor();
  });

  it('a copy of a passkey is found out by its counter', async () => {
    const other = await verifiedMerchant(service);
    const visitor = await signedIn(other.session);
    const { page } = visitor;
    const { cdp, authenticatorId } = await addAuthenticator(visitor.page);
    await register(page, 'Phone');
    const stepUp = () =>
      page.evaluate(async () => {
        const current = await (await fetch('/v1/merchant-sessions/current')).json();
        const post = async (path: string, body: object) =>
          (
            await fetch(`/v1/merchant-passkeys/${path}`, {
              method: 'POST',
              headers: { 'content-type': 'application/json', 'x-csrf-token': current.csrf_token },
              body: JSON.stringify(body),
            })
          ).json();
        const { options } = await post('step-up-options', {});
        const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
        const credential = (await navigator.credentials.get({ publicKey })) as PublicKeyCredential;
        const answer = await post('step-up', { credential: credential.toJSON() });
        return answer.error?.details?.reason ?? 'ok';
      });
    expect(await stepUp()).toBe('ok');
    expect(await stepUp()).toBe('ok');
    // What a thief who copied the key at the beginning has: the same key with an older counter.
    const { credentials } = await cdp.send('WebAuthn.getCredentials', { authenticatorId });
    const [copied] = credentials;
    if (!copied) throw new Error('no credential');
    await cdp.send('WebAuthn.removeCredential', { authenticatorId, credentialId: copied.credentialId });
    await cdp.send('WebAuthn.addCredential', {
      authenticatorId,
      credential: { ...copied, signCount: 0 },
    });
    expect(await stepUp()).toBe('counter');
  });

  it('a first passkey waits for a day, for another owner under Team, or is cancelled by the mailed link', async () => {
    const shop = await verifiedMerchant(service, { name: `First ${randomBytes(3).toString('hex')}` });
    const second = await joinedOperator(service, shop, 'owner');
    service.clock.advance(2 * 3_600_000);
    const session = await signIn(service, shop.email);
    await registeredPasskey(service, session, 'Waits');
    const { page } = await signedIn(session);
    await open(page, '/sign-in');
    await page.getByText('Your passkey is not effective yet.').waitFor();
    await expectSoundPage(page);
    const other = (await signedIn(await signIn(service, second.email))).page;
    await open(other, '/team');
    await other.getByRole('button', { name: 'Confirm the passkey' }).click();
    await other.getByRole('dialog').getByRole('button', { name: 'Confirm', exact: true }).click();
    await other.getByText('First passkey, effective from').waitFor({ state: 'detached' });

    service.clock.advance(3_600_000);
    const secondSession = await signIn(service, second.email);
    await registeredPasskey(service, secondSession, 'Strange');
    const mail = await mailWith(service, shop.email, 'Passkey: "Strange"');
    const token = /cancel-passkey#token=(\w+)/.exec(mail)?.[1] ?? '';
    const stranger = (await browser.visitor()).page;
    await open(stranger, `/cancel-passkey#token=${token}`);
    await expectSoundPage(stranger);
    await stranger.getByRole('button', { name: 'Cancel the passkey' }).click();
    await stranger.getByText('The passkey is removed.').waitFor();
    const ended = await service.call('GET', '/v1/merchant-passkeys', { session: secondSession });
    expect(ended.status).toBe(401);
  });

  it('a changed payee shows what to do instead', async () => {
    const shop = await verifiedMerchant(service);
    const payee = await activePayee(service, shop);
    await succeed(
      service.call('POST', `/v1/recipients/${payee.recipientId}/versions`, {
        session: shop.session,
        body: { ...payeeFacts(), version: payee.version },
      }),
    );
    const { page } = await signedIn(shop.session);
    await open(page, `/recipients/${payee.recipientId}`);
    await page.getByRole('button', { name: 'Verify now' }).click();
    await page.getByRole('button', { name: 'Activate', exact: true }).click();
    await page.getByRole('button', { name: 'Activate this version' }).click();
    await page.getByText('Nothing has changed: this would let payments go to another place.').waitFor();
    await expect
      .poll(() => page.getByRole('dialog').getByRole('listitem').allTextContents())
      .toEqual([
        expect.stringContaining('A passkey that has been effective for a day'),
        expect.stringContaining('A record in DNS'),
        expect.stringContaining('A second owner'),
      ]);
    await expectSoundPage(page);
  });

  it('what a role may not do is not offered', async () => {
    const shop = await verifiedMerchant(service);
    const viewer = await joinedOperator(service, shop, 'viewer');
    const { recipientId } = await verifiedVersion(service, shop);
    const { page } = await signedIn(viewer.session);
    const offers = async (path: string, heading: string) => {
      await open(page, path);
      await page.getByRole('heading', { level: 1, name: heading }).waitFor();
      await page.waitForLoadState('networkidle');
      const names = await page.getByRole('main').getByRole('button').allTextContents();
      return [...names, ...(await page.getByRole('main').locator('a.button').allTextContents())];
    };
    expect(await offers('/domains', 'Domains')).toEqual([]);
    expect(await offers('/recipients', 'Payees')).toEqual([]);
    expect(await offers(`/recipients/${recipientId}`, 'Shop')).toEqual(['Copy']);
    expect(await offers('/agents', 'Agents')).toEqual([]);
    expect(await offers('/access', 'API access')).toEqual([]);
    expect(await offers('/webhooks', 'Webhooks')).toEqual(['All deliveries']);
    expect(await offers('/team', 'Team')).toEqual([]);
    expect(await offers('/organization', 'Organization')).toEqual(['Copy', 'Sign out everywhere']);
    await open(page, '/recipients/new');
    await page.getByText('Your role does not allow this').waitFor();
  });

  it('a change that needs two owners waits under Approvals, with what exactly it is', async () => {
    const shop = await verifiedMerchant(service, { name: `Two ${randomBytes(3).toString('hex')}` });
    const second: TestOperator = await joinedOperator(service, shop, 'owner');
    const { page } = await signedIn(shop.session);
    await open(page, '/organization');
    await page.getByRole('button', { name: 'Require two owners' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Require two owners' }).click();
    await page.getByRole('button', { name: 'Switch this off' }).waitFor();
    const email = uniqueEmail();
    await open(page, '/team');
    await page.getByLabel('Email address').fill(email);
    await page.getByRole('button', { name: 'Send the invitation' }).click();
    await page.getByText('Nothing has changed yet: a second owner has to approve it.').waitFor();
    await open(page, '/approvals');
    await page.getByText('You requested it: another owner decides.').waitFor();
    await expectSoundPage(page);
    const link = (of: typeof page, name: string) =>
      of.getByRole('navigation').getByRole('link', { name, exact: true });
    await link(page, 'Approvals').waitFor();

    const other = (await signedIn(second.session)).page;
    await open(other, '/');
    await link(other, 'Approvals 1 waiting for you').waitFor();
    await expectSoundPage(other);
    await open(other, '/approvals');
    await other.getByRole('cell', { name: `email: ${email}` }).waitFor();
    await other.getByRole('button', { name: 'Approve' }).click();
    await other.getByRole('button', { name: 'Approve and carry out' }).click();
    await other.getByText('Approved', { exact: true }).waitFor();
    await link(other, 'Approvals').waitFor();
    await open(other, '/team');
    await other.getByRole('cell', { name: email }).waitFor();
  });
});
