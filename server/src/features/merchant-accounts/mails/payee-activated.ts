import type { Mail } from '../../../lib/mail/index.ts';
import { mailName } from '../../notices/mail-name.ts';
import type { PayeeActivatedNotice } from '../../notices/queue.ts';
import { composeMail, type NoticeFacts, readableTime } from './layout.ts';

/** The mail that lets an operator notice a payee that somebody else put in place. */
export function payeeActivatedMail({ to, baseUrl, at, notice }: NoticeFacts<PayeeActivatedNotice>): Mail {
  const merchant = mailName(notice.merchant_name);
  const payee = mailName(notice.payee_name);
  return composeMail({
    to,
    subject: 'A payee of your organization is now active',
    blocks: [
      { kind: 'paragraph', text: 'Hello,' },
      {
        kind: 'paragraph',
        text: `At ${readableTime(at)} an operator of ${merchant} activated a payee on PayAssent. From now on, new payment requests to ${payee} ask customers to pay to this address:`,
      },
      {
        kind: 'facts',
        rows: [
          ['Payee', payee],
          ['Network', notice.network],
          ['Asset', notice.asset],
          ['Address', notice.address],
          ...(notice.memo === null ? [] : [['Memo', notice.memo] as const]),
          ['Proved by', notice.domain],
          [
            'Proof of',
            notice.binding === 'payee' ? 'this very payee, named by the domain' : 'the domain alone',
          ],
          ['Recipient', notice.recipient_id],
          ['Version', notice.recipient_version_id],
        ],
      },
      {
        kind: 'paragraph',
        text: 'Please compare the address with the one you expect. If it is right, there is nothing to do.',
      },
      {
        kind: 'paragraph',
        text: `If it is wrong, or nobody of you did this: sign in at ${baseUrl}, archive the recipient, sign out everywhere, and check who can change the DNS records or the web server of ${notice.domain}.`,
      },
    ],
    footer: `Sent by PayAssent at ${baseUrl} to every operator of ${merchant}. This notice cannot be switched off.`,
  });
}
