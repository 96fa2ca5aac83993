import type { Mail } from '../../../lib/mail/index.ts';
import {
  type DomainAbsentNotice,
  type DomainGainedNotice,
  type DomainLostNotice,
  mailName,
  type PayeeActivatedNotice,
} from '../../notices/queue.ts';
import { type Block, composeMail, type NoticeFacts, noticeFooter, readableTime } from './layout.ts';

/** The mail that lets an operator notice a payee that somebody else put in place. */
export function payeeActivatedMail({ to, baseUrl, at, notice }: NoticeFacts<PayeeActivatedNotice>): Mail {
  const merchant = mailName(notice.merchant_name);
  const payee = mailName(notice.payee_name);
  return composeMail({
    to,
    subject: 'A payee of your organization is now active',
    blocks: [
      `At ${readableTime(at)} an operator of ${merchant} activated a payee on PayAssent. From now on, new payment requests to ${payee} ask customers to pay to this address:`,
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
      'Please compare the address with the one you expect. If it is right, there is nothing to do.',
      `If it is wrong, or nobody of you did this: sign in at ${baseUrl}, archive the recipient, sign out everywhere, and check who can change the DNS records or the web server of ${notice.domain}.`,
    ],
    footer: noticeFooter(baseUrl, merchant),
  });
}

/** To the organization for which the domain no longer vouches. */
export function domainLostMail({ to, baseUrl, at, notice }: NoticeFacts<DomainLostNotice>): Mail {
  const { domain, suspended, because } = notice;
  const merchant = mailName(notice.merchant_name);
  const why = {
    challenge_absent: `At ${readableTime(at)} the domain ${domain} of ${merchant} lapsed on PayAssent: its challenge has been missing for seven days.`,
    proved_by_another_organization: `At ${readableTime(at)} another organization on PayAssent proved the domain ${domain}, and the challenge of ${merchant} was no longer published there. The domain has lapsed for ${merchant}.`,
    suspended_by_operator: `At ${readableTime(at)} the operator of PayAssent at ${baseUrl} suspended the domain ${domain}. It has lapsed for ${merchant} and cannot be verified until the operator lifts that.`,
  }[because];
  return composeMail({
    to,
    subject: `${domain} no longer vouches for your organization`,
    blocks: [
      why,
      ...suspendedBlocks(notice),
      suspended === 0
        ? `If ${domain} is still yours, sign in at ${baseUrl}, publish its challenge again and verify it.`
        : `If ${domain} is still yours, sign in at ${baseUrl}, publish its challenge again and verify it, then verify and activate these payees again. A payee can also be activated with another domain of yours.`,
      `If you did not expect this, check who can change the DNS records or the web server of ${domain}.`,
    ],
    footer: noticeFooter(baseUrl, merchant),
  });
}

function suspendedBlocks({ suspended, payees }: DomainLostNotice): Block[] {
  if (suspended === 0) return [];
  const more = suspended - payees.length;
  return [
    'These payees rested on it and are suspended. No new payment requests to them can be made, and open requests no longer show them as verified:',
    {
      kind: 'facts',
      rows: [
        ...payees.map((payee, index) => [`Payee ${index + 1}`, mailName(payee)] as const),
        ...(more > 0 ? [['And', `${more} more`] as const] : []),
      ],
    },
  ];
}

/** To the organization that has it now: its operators should know that somebody else had it before. */
export function domainGainedMail({ to, baseUrl, at, notice }: NoticeFacts<DomainGainedNotice>): Mail {
  const { domain } = notice;
  const merchant = mailName(notice.merchant_name);
  return composeMail({
    to,
    subject: `Your organization has proved ${domain}, which another organization held before`,
    blocks: [
      `At ${readableTime(at)} an operator of ${merchant} proved the domain ${domain} on PayAssent. Until then another organization held it as verified. It has lapsed there, and that organization's payees under this domain are suspended.`,
      `If ${domain} has always been yours, somebody else was able to publish records under it: check who can change its DNS records and its web server.`,
      `If nobody of you did this, sign in at ${baseUrl}, delete the domain and sign out everywhere.`,
    ],
    footer: noticeFooter(baseUrl, merchant),
  });
}

export function domainAbsentMail({ to, baseUrl, at, notice }: NoticeFacts<DomainAbsentNotice>): Mail {
  const { domain, days } = notice;
  const merchant = mailName(notice.merchant_name);
  const left = notice.lapses_after_days - days;
  return composeMail({
    to,
    subject: `The proof of ${domain} has been missing for ${count(days)}`,
    blocks: [
      `PayAssent looks up the challenge of ${domain} once a day. At ${readableTime(at)} it had been missing for ${count(days)}. If it stays missing for ${count(left)} more, the domain lapses and the payees of ${merchant} that rest on it are suspended.`,
      {
        kind: 'facts',
        rows: [
          [notice.method === 'dns' ? 'TXT record' : 'File', notice.place],
          ['Expected', notice.expected],
        ],
      },
      'Publish it exactly as shown and leave it there. Nothing else is to do.',
    ],
    footer: noticeFooter(baseUrl, merchant),
  });
}

function count(days: number): string {
  return days === 1 ? 'one day' : `${days} days`;
}
