import type { Mail } from '../../../lib/mail/index.ts';
import { type ApiKeyCreatedNotice, type Fact, mailName } from '../../notices/queue.ts';
import { composeMail, type NoticeFacts, noticeFooter } from './layout.ts';
import { factRows, type InEach, quotedName, readableTime } from './words.ts';

const KEY_CREATED: InEach<{
  subject: string;
  madeWith: Record<ApiKeyCreatedNotice['made_with'], string>;
  lead(at: string, merchant: string, madeWith: string): string;
  nothingToDo: string;
  otherwise(baseUrl: string): string;
}> = {
  en: {
    subject: 'A new API key of your organization',
    madeWith: { session: 'a team member who is signed in', admin_session: 'an admin session' },
    lead: (at, merchant, madeWith) =>
      `At ${at} an API key of ${merchant} was made on PayAssent, by ${madeWith}. It works until it is revoked:`,
    nothingToDo: 'If one of you did this, there is nothing to do.',
    otherwise: (baseUrl) =>
      `If none of you did this: sign in at ${baseUrl}, revoke the key, and sign out everywhere. That also ends every key that you made with an admin session, and every key that you made in the last 24 hours.`,
  },
  de: {
    subject: 'Ein neuer API-Schlüssel Ihrer Organisation',
    madeWith: { session: 'einem angemeldeten Teammitglied', admin_session: 'einer Admin-Sitzung' },
    lead: (at, merchant, madeWith) =>
      `Am ${at} wurde auf PayAssent ein API-Schlüssel von ${merchant} erstellt, von ${madeWith}. Er funktioniert, bis er widerrufen wird:`,
    nothingToDo: 'Wenn das jemand von Ihnen war, brauchen Sie nichts zu tun.',
    otherwise: (baseUrl) =>
      `Wenn das niemand von Ihnen war: Melden Sie sich unter ${baseUrl} an, widerrufen Sie den Schlüssel und melden Sie sich überall ab. Das beendet auch alle Schlüssel, die Sie mit einer Admin-Sitzung oder in den letzten 24 Stunden erstellt haben.`,
  },
};

/** Team members get a mail about each new key, because it works until it is revoked. */
export function apiKeyCreatedMail({
  to,
  language,
  baseUrl,
  at,
  notice,
}: NoticeFacts<ApiKeyCreatedNotice>): Mail {
  const merchant = quotedName(notice.merchant_name, language);
  const words = KEY_CREATED[language];
  const rows: Fact[] = [
    ['Name', mailName(notice.key_name)],
    ['Key', notice.api_key_id],
    ['Agent', `${mailName(notice.agent_name)} (${notice.agent_id})`],
  ];
  return composeMail({
    to,
    language,
    subject: words.subject,
    blocks: [
      words.lead(readableTime(at, language), merchant, words.madeWith[notice.made_with]),
      { kind: 'facts', rows: factRows(rows, language) },
      words.nothingToDo,
      words.otherwise(baseUrl),
    ],
    footer: noticeFooter(baseUrl, merchant, language),
  });
}
