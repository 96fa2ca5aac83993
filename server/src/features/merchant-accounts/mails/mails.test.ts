import { LANGUAGES, type Language } from '@payassent/protocol';
import { describe, expect, it } from 'vitest';
import type { Mail } from '../../../lib/mail/index.ts';
import type { AccessChange, DomainLostNotice, Fact } from '../../notices/queue.ts';
import { accessChangedMail } from './access.ts';
import { apiKeyCreatedMail } from './api-keys.ts';
import { domainAbsentMail, domainGainedMail, domainLostMail, payeeActivatedMail } from './payees.ts';
import { signInLinkMail } from './sign-in-link.ts';

const AT = new Date('2026-11-19T09:05:00.000Z');
const ENTERED = 'https://pay.example/portal/verify#token=svc_ml_1';
const common = { to: 'a@shop.example', baseUrl: 'https://pay.example', at: AT };
const merchant_name = 'Harbour';

const OPERATOR: Fact = ['Operator', 'b@shop.example'];
/** Each change, with details whose values are words or times. */
const CHANGES: Record<AccessChange, readonly Fact[]> = {
  operator_invited: [OPERATOR, ['Role', 'viewer'], ['Invited by', 'b@shop.example']],
  operator_joined: [OPERATOR, ['Role', 'developer']],
  operator_role_changed: [
    OPERATOR,
    ['Previous role', 'owner'],
    ['Role', 'viewer'],
    ['Changed by', 'c@d.example'],
  ],
  operator_removed: [OPERATOR, ['Removed by', 'c@d.example'], ['API key', '(name not shown) (key_1)']],
  passkey_registered: [OPERATOR, ['Passkey', '"Phone"']],
  passkey_pending: [OPERATOR, ['Effective from', AT.toISOString()]],
  passkey_confirmed: [OPERATOR, ['Confirmed by', 'c@d.example']],
  passkey_cancelled: [OPERATOR, ['Cancelled by', 'c@d.example']],
  passkeys_reset: [OPERATOR],
  passkey_recovery_ended: [OPERATOR],
  passkey_removed: [OPERATOR],
  signed_in_by_mail: [
    OPERATOR,
    ['Network address', '::1'],
    ['Browser', 'unknown'],
    ['Passkeys again from', AT.toISOString()],
  ],
  four_eyes_on: [['Organization', '"Harbour"']],
  four_eyes_off: [['Organization', '"Harbour"']],
  approval_requested: [
    ['Change', 'recipient.activate'],
    ['Requested by', 'c@d.example'],
    ['recipient_version_id', 'rcv_1'],
    ['name', '"Till"'],
    ['new_name', '"Till 2"'],
    ['network', 'stellar_testnet'],
    ['asset', 'XLM'],
    ['address', 'GA'],
    ['memo', '7'],
    ['domain', 'shop.example'],
    ['binding', 'payee'],
    ['pending', 'keep'],
    ['Approval', 'apr_1'],
  ],
  approval_approved: [
    ['Change', 'merchant.four_eyes_off'],
    ['require_payee_binding', 'true'],
    ['payees', '3'],
    ['Decided by', 'c@d.example'],
  ],
  approval_rejected: [
    ['Change', 'operator.invite'],
    ['email', 'c@d.example'],
    ['role', 'owner'],
  ],
  agent_credential_added: [['Agent', '"Concierge" (agt_1)'], ['Key', 'key-1'], OPERATOR],
  agent_credential_activated: [['Agent', '"Concierge" (agt_1)'], ['Key', 'key-1'], OPERATOR],
  require_proof_off: [['Agent', '"Concierge" (agt_1)'], OPERATOR],
  webhook_url_changed: [
    ['Endpoint', 'whe_1'],
    ['Previous host', 'a.example'],
    ['Host', 'b.example'],
  ],
  domain_deleted: [
    ['Domain', 'shop.example'],
    ['Suspended payees', '2'],
  ],
};

const lost = (because: DomainLostNotice['because'], suspended: number) => (language: Language) =>
  domainLostMail({
    ...common,
    language,
    notice: {
      merchant_name,
      domain: 'shop.example',
      because,
      suspended,
      payees: suspended > 0 ? ['Till'] : [],
    },
  });

const absent = (days: number, method: 'dns' | 'https') => (language: Language) =>
  domainAbsentMail({
    ...common,
    language,
    notice: {
      ...{ merchant_name, domain: 'shop.example', days, lapses_after_days: 7, method },
      place: 'here',
      expected: 'svc=1',
    },
  });

const link =
  (statuses: readonly ('pending' | 'active')[], isInvited = false) =>
  (language: Language) =>
    signInLinkMail({
      ...common,
      language,
      token: 'svc_ml_1',
      expiresAt: AT,
      workspaces: statuses.map((status) => ({ name: 'Harbour', status })),
      ...(isInvited
        ? { invitation: { merchantName: 'Harbour', role: 'developer', invitedBy: 'c@d.example' } }
        : {}),
    });

const key = (made_with: 'session' | 'admin_session') => (language: Language) =>
  apiKeyCreatedMail({
    ...common,
    language,
    notice: {
      ...{ merchant_name, api_key_id: 'key_1', key_name: 'Till', agent_id: 'agt_1', agent_name: 'Concierge' },
      made_with,
    },
  });

const payee = (binding: 'payee' | 'domain') => (language: Language) =>
  payeeActivatedMail({
    ...common,
    language,
    notice: {
      ...{ merchant_name, payee_name: 'Till', network: 'stellar_testnet', asset: 'XLM', address: 'GA' },
      ...{ memo: '1234.50', domain: 'shop.example', binding },
      ...{ recipient_id: 'rcp_1', recipient_version_id: 'rcv_1' },
    },
  });

const MAILS: Record<string, (language: Language) => Mail> = {
  ...Object.fromEntries(
    Object.entries(CHANGES).map(([change, facts]) => [
      change,
      (language: Language) =>
        accessChangedMail(
          { ...common, language, notice: { merchant_name, change: change as AccessChange, facts } },
          ENTERED,
        ),
    ]),
  ),
  'key of a session': key('session'),
  'key of an admin session': key('admin_session'),
  'payee that the domain names': payee('payee'),
  'payee of a domain': payee('domain'),
  'domain without its challenge': lost('challenge_absent', 1234),
  'domain that another organization proved': lost('proved_by_another_organization', 1),
  'suspended domain': lost('suspended_by_operator', 0),
  'domain from another organization': (language) =>
    domainGainedMail({ ...common, language, notice: { merchant_name, domain: 'shop.example' } }),
  'record missing for a day': absent(1, 'dns'),
  'file missing for six days': absent(6, 'https'),
  'link for a new address': link([]),
  'link for a pending organization': link(['pending']),
  'link for an active organization': link(['active', 'pending']),
  invitation: link([], true),
};

/** The visible text, one line for each paragraph and row. */
function linesOf({ subject, text }: Mail): string[] {
  const paragraphs = text
    .split('\n\n')
    .flatMap((part) => (part.startsWith('  ') ? part.split('\n') : [part]));
  return [subject, ...paragraphs.map((part) => part.replaceAll(/\s+/g, ' ').trim())];
}

/** Names and values that are the same in every language. */
const SAME = /^(?:Agent|Asset|Browser|Domain|Host|Memo|Name|Passkey|Version): |^https:|^$/;

describe.each(Object.entries(MAILS))('the mail “%s”', (_kind, mailIn) => {
  it('is complete in each language, with no word of another one', () => {
    const english = linesOf(mailIn('en'));
    const german = linesOf(mailIn('de'));
    expect(german).toHaveLength(english.length);
    expect(german.filter((line) => english.includes(line) && !SAME.test(line))).toEqual([]);
    expect(german.join('\n')).not.toMatch(
      /\b(?:the|and|your|is|of|owner|viewer|unknown|not shown|\w+_absent)\b/,
    );
  });

  it.each(Object.keys(LANGUAGES) as Language[])(
    'leaves nothing unfilled and names its language: %s',
    (language) => {
      const { subject, text, html } = mailIn(language);
      expect(subject).not.toBe('');
      expect(subject.length).toBeLessThan(100);
      for (const form of [subject, text, html ?? ''])
        expect(form).not.toMatch(/undefined|null|NaN|\[object|\$\{|Invalid Date|=>/);
      expect(html).toContain(`<html lang="${language}">`);
      expect(html).toContain(`<title>${subject}</title>`);
    },
  );
});

describe('numbers and times', () => {
  it('are those of the reader’s language', () => {
    const words = (mail: Mail) => linesOf(mail).join('\n');
    expect(words(payee('payee')('en'))).toContain('At 09:05 UTC on 19 November 2026 a team member');
    expect(words(payee('payee')('de'))).toContain(
      'Am 19. November 2026 um 09:05 Uhr UTC hat ein Teammitglied',
    );
    expect(words(lost('challenge_absent', 1234)('en'))).toContain('And: 1,233 more');
    expect(words(lost('challenge_absent', 1234)('de'))).toContain('Und: 1.233 weitere');
    expect(words(absent(1, 'dns')('de'))).toMatch(/seit einem Tag\. Wenn er weitere 6 Tage fehlt/);
    expect(words(absent(6, 'dns')('de'))).toMatch(/seit 6 Tagen\. Wenn er einen weiteren Tag fehlt/);
  });

  it('leave what is pinned as it is', () => {
    for (const language of ['en', 'de'] as const)
      expect(payee('payee')(language).text).toContain('Memo: 1234.50');
  });

  it('shows what another release has queued as it came', () => {
    const facts = [['Something new', 'x_1']] as unknown as Fact[];
    const notice = { merchant_name, change: 'passkey_removed' as const, facts };
    expect(accessChangedMail({ ...common, language: 'de', notice }).text).toContain('  Something new: x_1');
  });
});
