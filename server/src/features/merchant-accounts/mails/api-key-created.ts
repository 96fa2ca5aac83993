import type { Mail } from '../../../lib/mail/index.ts';
import { mailName } from '../../notices/mail-name.ts';
import type { ApiKeyCreatedNotice } from '../../notices/queue.ts';
import { composeMail, type NoticeFacts, readableTime } from './layout.ts';

/** The mail that lets an operator notice a key that somebody else made: it works until it is revoked. */
export function apiKeyCreatedMail({ to, baseUrl, at, notice }: NoticeFacts<ApiKeyCreatedNotice>): Mail {
  const merchant = mailName(notice.merchant_name);
  const with_ = notice.made_with === 'session' ? 'an operator who is signed in' : 'an admin session';
  return composeMail({
    to,
    subject: 'A new API key of your organization',
    blocks: [
      { kind: 'paragraph', text: 'Hello,' },
      {
        kind: 'paragraph',
        text: `At ${readableTime(at)} an API key of ${merchant} was made on PayAssent, by ${with_}. It works until it is revoked:`,
      },
      {
        kind: 'facts',
        rows: [
          ['Name', mailName(notice.key_name)],
          ['Key', notice.api_key_id],
          ['Agent', `${mailName(notice.agent_name)} (${notice.agent_id})`],
        ],
      },
      { kind: 'paragraph', text: 'If one of you did this, there is nothing to do.' },
      {
        kind: 'paragraph',
        text: `If nobody of you did this: sign in at ${baseUrl}, revoke the key, and sign out everywhere. That also ends every key that you made with an admin session, and every key that you made in the last 24 hours.`,
      },
    ],
    footer: `Sent by PayAssent at ${baseUrl} to every operator of ${merchant}. This notice cannot be switched off.`,
  });
}
