import type { Language } from '@payassent/protocol';
import type { Mail } from '../../../lib/mail/index.ts';
import type {
  DomainAbsentNotice,
  DomainGainedNotice,
  DomainLostNotice,
  Fact,
  PayeeActivatedNotice,
} from '../../notices/queue.ts';
import { type Block, composeMail, type NoticeFacts, noticeFooter } from './layout.ts';
import { factRows, type InEach, quotedName, readableCount, readableTime } from './words.ts';

interface Letter {
  subject: string;
  blocks: readonly Block[];
}

/** To every team member. */
function toTheTeam(
  { to, language, baseUrl, notice }: NoticeFacts<{ merchant_name: string }>,
  letters: InEach<() => Letter>,
): Mail {
  const footer = noticeFooter(baseUrl, quotedName(notice.merchant_name, language), language);
  return composeMail({ to, language, ...letters[language](), footer });
}

/** Team members get a mail about each new payee, because money goes there. */
export function payeeActivatedMail(facts: NoticeFacts<PayeeActivatedNotice>): Mail {
  const { baseUrl, language, notice } = facts;
  const merchant = quotedName(notice.merchant_name, language);
  const payee = quotedName(notice.payee_name, language);
  const at = readableTime(facts.at, language);
  const rows: Fact[] = [
    ['Payee', payee],
    ['Network', notice.network],
    ['Asset', notice.asset],
    ['Address', notice.address],
    ...(notice.memo === null ? [] : [['Memo', notice.memo] as const]),
    ['Proved by', notice.domain],
    ['Proof of', notice.binding],
    ['Recipient', notice.recipient_id],
    ['Version', notice.recipient_version_id],
  ];
  const table = { kind: 'facts', rows: factRows(rows, language) } as const;
  return toTheTeam(facts, {
    en: () => ({
      subject: 'A payee of your organization is now active',
      blocks: [
        `At ${at} a team member of ${merchant} activated a payee on PayAssent. From now on, new payment requests to ${payee} go to this address:`,
        table,
        'Please compare the address with the one you expect. If it is right, there is nothing to do.',
        `If it is wrong, or none of you did this: sign in at ${baseUrl}, archive the payee, sign out everywhere, and check who can change the DNS records or the web server of ${notice.domain}.`,
      ],
    }),
    de: () => ({
      subject: 'Ein Zahlungsempfänger Ihrer Organisation ist jetzt aktiv',
      blocks: [
        `Am ${at} hat ein Teammitglied von ${merchant} einen Zahlungsempfänger auf PayAssent aktiviert. Ab jetzt gehen neue Zahlungsanfragen an ${payee} an diese Adresse:`,
        table,
        'Bitte vergleichen Sie die Adresse mit der, die Sie erwarten. Wenn sie stimmt, brauchen Sie nichts zu tun.',
        `Wenn sie nicht stimmt oder niemand von Ihnen das war: Melden Sie sich unter ${baseUrl} an, archivieren Sie den Zahlungsempfänger, melden Sie sich überall ab und prüfen Sie, wer die DNS-Einträge oder den Webserver von ${notice.domain} ändern kann.`,
      ],
    }),
  });
}

/** To the organization whose domain has lapsed. */
export function domainLostMail(facts: NoticeFacts<DomainLostNotice>): Mail {
  const { baseUrl, language, notice } = facts;
  const { domain, suspended } = notice;
  const merchant = quotedName(notice.merchant_name, language);
  const at = readableTime(facts.at, language);
  return toTheTeam(facts, {
    en: () => ({
      subject: `${domain} no longer vouches for your organization`,
      blocks: [
        {
          challenge_absent: `At ${at} the domain ${domain} of ${merchant} lapsed on PayAssent: its challenge has been missing for seven days.`,
          proved_by_another_organization: `At ${at} another organization on PayAssent proved the domain ${domain}, and the challenge of ${merchant} was no longer published there. The domain has lapsed for ${merchant}.`,
          suspended_by_operator: `At ${at} the host of PayAssent at ${baseUrl} suspended the domain ${domain}. It has lapsed for ${merchant} and cannot be verified until the host lifts the suspension.`,
        }[notice.because],
        ...suspendedBlocks(notice, language),
        suspended === 0
          ? `If ${domain} is still yours, sign in at ${baseUrl}, publish its challenge again and verify it.`
          : `If ${domain} is still yours, sign in at ${baseUrl}, publish its challenge again and verify it, then verify and activate these payees again. A payee can also be activated with another domain of yours.`,
        `If you did not expect this, check who can change the DNS records or the web server of ${domain}.`,
      ],
    }),
    de: () => ({
      subject: `${domain} bürgt nicht mehr für Ihre Organisation`,
      blocks: [
        {
          challenge_absent: `Am ${at} ist die Domain ${domain} von ${merchant} auf PayAssent verfallen: Ihr Prüfeintrag fehlt seit sieben Tagen.`,
          proved_by_another_organization: `Am ${at} hat eine andere Organisation auf PayAssent die Domain ${domain} nachgewiesen, und der Prüfeintrag von ${merchant} war dort nicht mehr veröffentlicht. Für ${merchant} ist die Domain verfallen.`,
          suspended_by_operator: `Am ${at} hat der Betreiber von PayAssent unter ${baseUrl} die Domain ${domain} gesperrt. Für ${merchant} ist sie verfallen und kann nicht nachgewiesen werden, bis der Betreiber die Sperre aufhebt.`,
        }[notice.because],
        ...suspendedBlocks(notice, language),
        suspended === 0
          ? `Wenn ${domain} noch Ihre Domain ist, melden Sie sich unter ${baseUrl} an, veröffentlichen Sie ihren Prüfeintrag wieder und lassen Sie ihn prüfen.`
          : `Wenn ${domain} noch Ihre Domain ist, melden Sie sich unter ${baseUrl} an, veröffentlichen Sie ihren Prüfeintrag wieder und lassen Sie ihn prüfen; bestätigen und aktivieren Sie dann diese Zahlungsempfänger neu. Ein Zahlungsempfänger lässt sich auch mit einer anderen Ihrer Domains aktivieren.`,
        `Wenn Sie das nicht erwartet haben, prüfen Sie, wer die DNS-Einträge oder den Webserver von ${domain} ändern kann.`,
      ],
    }),
  });
}

const SUSPENDED: InEach<{ lead: string; payee: string; and: string; more(count: string): string }> = {
  en: {
    lead: 'These payees depended on it and are suspended. No new payment requests to them can be made, and pending requests no longer show them as verified:',
    payee: 'Payee',
    and: 'And',
    more: (count) => `${count} more`,
  },
  de: {
    lead: 'Diese Zahlungsempfänger beruhten auf ihr und sind gesperrt. Neue Zahlungsanfragen an sie sind nicht möglich, und offene Anfragen zeigen sie nicht mehr als bestätigt:',
    payee: 'Zahlungsempfänger',
    and: 'Und',
    more: (count) => `${count} weitere`,
  },
};

function suspendedBlocks({ suspended, payees }: DomainLostNotice, language: Language): Block[] {
  if (suspended === 0) return [];
  const more = suspended - payees.length;
  const words = SUSPENDED[language];
  return [
    words.lead,
    {
      kind: 'facts',
      rows: [
        ...payees.map(
          (payee, index) => [`${words.payee} ${index + 1}`, quotedName(payee, language)] as const,
        ),
        ...(more > 0 ? [[words.and, words.more(readableCount(more, language))] as const] : []),
      ],
    },
  ];
}

/** To the organization that has it now: its team should know that another one had it before. */
export function domainGainedMail(facts: NoticeFacts<DomainGainedNotice>): Mail {
  const { baseUrl, language, notice } = facts;
  const { domain } = notice;
  const merchant = quotedName(notice.merchant_name, language);
  const at = readableTime(facts.at, language);
  return toTheTeam(facts, {
    en: () => ({
      subject: `Your organization has proved ${domain}, which another organization held before`,
      blocks: [
        `At ${at} a team member of ${merchant} proved the domain ${domain} on PayAssent. Until then another organization held it as verified. It has lapsed there, and that organization's payees under this domain are suspended.`,
        `If ${domain} has always been yours, someone else was able to publish records under it: check who can change its DNS records and its web server.`,
        `If none of you did this, sign in at ${baseUrl}, delete the domain and sign out everywhere.`,
      ],
    }),
    de: () => ({
      subject: `Ihre Organisation hat ${domain} nachgewiesen, zuvor Domain einer anderen Organisation`,
      blocks: [
        `Am ${at} hat ein Teammitglied von ${merchant} die Domain ${domain} auf PayAssent nachgewiesen. Bis dahin galt sie für eine andere Organisation als nachgewiesen. Dort ist sie verfallen, und die Zahlungsempfänger jener Organisation unter dieser Domain sind gesperrt.`,
        `Wenn ${domain} schon immer Ihre Domain war, konnte jemand anderes unter ihr etwas veröffentlichen: Prüfen Sie, wer ihre DNS-Einträge und ihren Webserver ändern kann.`,
        `Wenn niemand von Ihnen das war, melden Sie sich unter ${baseUrl} an, löschen Sie die Domain und melden Sie sich überall ab.`,
      ],
    }),
  });
}

export function domainAbsentMail(facts: NoticeFacts<DomainAbsentNotice>): Mail {
  const { language, notice } = facts;
  const { domain } = notice;
  const merchant = quotedName(notice.merchant_name, language);
  const at = readableTime(facts.at, language);
  const days = DAYS[language].since(notice.days);
  const left = DAYS[language].more(notice.lapses_after_days - notice.days);
  const rows: Fact[] = [
    [notice.method === 'dns' ? 'TXT record' : 'File', notice.place],
    ['Expected', notice.expected],
  ];
  const table = { kind: 'facts', rows: factRows(rows, language) } as const;
  return toTheTeam(facts, {
    en: () => ({
      subject: `The proof of ${domain} has been missing for ${days}`,
      blocks: [
        `PayAssent checks the challenge of ${domain} once a day. At ${at} it had been missing for ${days}. If it stays missing for ${left}, the domain lapses and the payees of ${merchant} that depend on it are suspended.`,
        table,
        'Publish it exactly as shown and leave it there. There is nothing else to do.',
      ],
    }),
    de: () => ({
      subject: `Der Nachweis von ${domain} fehlt seit ${days}`,
      blocks: [
        `PayAssent prüft den Prüfeintrag von ${domain} einmal am Tag. Am ${at} fehlte er seit ${days}. Wenn er ${left} fehlt, verfällt die Domain, und die Zahlungsempfänger von ${merchant}, die auf ihr beruhen, werden gesperrt.`,
        table,
        'Veröffentlichen Sie ihn genau wie gezeigt und lassen Sie ihn stehen. Sonst brauchen Sie nichts zu tun.',
      ],
    }),
  });
}

/** How long it has been absent, and how much longer it may be. */
const DAYS: InEach<{ since(days: number): string; more(days: number): string }> = {
  en: {
    since: (days) => (days === 1 ? 'one day' : `${days} days`),
    more: (days) => (days === 1 ? 'one day more' : `${days} days more`),
  },
  de: {
    since: (days) => (days === 1 ? 'einem Tag' : `${days} Tagen`),
    more: (days) => (days === 1 ? 'einen weiteren Tag' : `weitere ${days} Tage`),
  },
};
