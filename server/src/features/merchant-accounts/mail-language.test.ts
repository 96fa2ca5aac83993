import { signIn, signUp, succeed, uniqueEmail, verifiedMerchant } from '@payassent/proof/people/merchants';
import { mailWith } from '@payassent/proof/people/operators';
import type { Caller } from '@payassent/proof/service/client';
import { createLogLines } from '@payassent/proof/service/log-lines';
import { startService, type TestService } from '@payassent/proof/service/service';
import { afterAll, beforeAll, expect, it } from 'vitest';

const { log, lines } = createLogLines();
let service: TestService;
beforeAll(async () => {
  service = await startService({ overrides: () => ({ log }) });
});
afterAll(() => service.close());

/** The same service, called by a page or program that prefers these languages. */
function askingFor(languages: string) {
  const call: Caller = (method, path, sent) =>
    service.call(method, path, { ...sent, headers: { ...sent?.headers, 'accept-language': languages } });
  return { smtp: service.smtp, dns: service.dns, call };
}

const subjectsTo = (email: string) =>
  service.smtp.mails.filter(({ to }) => to.includes(email)).map(({ subject }) => subject ?? '');

it.each([
  ['de', /^Bestätigen Sie Ihre E-Mail-Adresse/],
  ['fr, de-AT;q=0.8, en;q=0.4', /^Bestätigen Sie Ihre E-Mail-Adresse/],
  ['en-GB, de;q=0.9', /^Confirm your email address/],
  ['fr', /^Confirm your email address/],
  ['*', /^Confirm your email address/],
  ['de;q=0', /^Confirm your email address/],
])(
  'a sign-in mail requested in %s is in the first known language, or in English',
  async (languages, subject) => {
    const email = uniqueEmail();
    const sent = { body: { email }, headers: { 'accept-language': languages } };
    const received = await succeed(service.call('POST', '/v1/merchant-accounts/registrations', sent));
    expect(received.text).toBe('{"ok":true,"status":"accepted"}');
    const mail = await service.smtp.waitForMail(email);
    expect(mail.subject).toMatch(subject);
  },
);

it('everyone gets notices in the language of the last sign-in that named one', async () => {
  const owner = await verifiedMerchant(askingFor('de'));
  const invited = uniqueEmail();
  const operators = '/v1/merchant-operators';
  const { operator } = (
    await succeed(
      service.call('POST', operators, { session: owner.session, body: { email: invited, role: 'viewer' } }),
    )
  ).body;
  await mailWith(service, owner.email, 'Ein Teammitglied wurde in Ihre Organisation eingeladen');
  // A person who was never here gets the inviter's language.
  const invitation = await mailWith(service, invited, 'Eine Einladung zu PayAssent');
  expect(invitation).toContain('mit der Rolle Betrachter');

  await signIn(askingFor('en-GB,de;q=0.5'), invited);
  expect(await mailWith(service, owner.email, 'Ein neues Teammitglied')).toContain('Rolle: Betrachter');
  const change = (role: string) =>
    succeed(
      service.call('PATCH', `${operators}/${operator.operator_id}`, {
        session: owner.session,
        body: { role },
      }),
    );
  await change('developer');
  const german = await mailWith(service, owner.email, 'Eine Rolle in Ihrer Organisation wurde geändert');
  expect(german).toMatch(/Bisherige Rolle: Betrachter\s+Rolle: Entwickler/);
  expect(await mailWith(service, invited, 'A role in your organization was changed')).toContain(
    'Role: developer',
  );

  await signIn(askingFor('de'), invited);
  // Programs send no language, and the person's language stays.
  await signIn(askingFor('*'), invited);
  await change('viewer');
  await mailWith(service, invited, 'Eine Rolle in Ihrer Organisation wurde geändert');
  expect(subjectsTo(invited).filter((subject) => subject.startsWith('A role'))).toHaveLength(1);
});

it('a sign-in mail that a program requests is in the language of the account', async () => {
  const { email } = await signUp(askingFor('de'));
  await signIn(service, email);
  expect(subjectsTo(email).at(-1)).toMatch(/^Setzen Sie Ihre Einrichtung/);
});

it('no log has the language', () => {
  expect(lines.length).toBeGreaterThan(0);
  expect(lines.join('')).not.toMatch(/language|de-AT/);
});
