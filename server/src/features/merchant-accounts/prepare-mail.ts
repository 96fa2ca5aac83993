import type { Act } from '../../act.ts';
import type { Tx } from '../../db/open.ts';
import { addMs, HOUR_MS } from '../../lib/clock.ts';
import { hashSecret } from '../../lib/keys.ts';
import type { Mail } from '../../lib/mail/index.ts';
import type {
  AccessChangedNotice,
  ApiKeyCreatedNotice,
  DomainAbsentNotice,
  DomainGainedNotice,
  DomainLostNotice,
  OperatorInvitedNotice,
  PayeeActivatedNotice,
} from '../notices/queue.ts';
import { isKnownNetwork } from './known-networks.ts';
import { LINK_LIFE_MS } from './lifetimes.ts';
import {
  countLinkMails,
  insertCancellation,
  insertLink,
  isAlreadyCounted,
  listWorkspacesByEmail,
  lockMailbox,
  type MailJobRow,
} from './mail-sql.ts';
import { accessChangedMail } from './mails/access-changed.ts';
import { apiKeyCreatedMail } from './mails/api-key-created.ts';
import { domainAbsentMail, domainGainedMail, domainLostMail } from './mails/domains.ts';
import type { NoticeFacts } from './mails/layout.ts';
import { payeeActivatedMail } from './mails/payee-activated.ts';
import { type Invitation, signInLinkMail } from './mails/sign-in-link.ts';

/** Per hour. They protect a mailbox from anyone who knows its address. */
const MAX_LINKS_FROM_ONE_ADDRESS = 5;
const MAX_LINKS = 20;

/** The mail to send now, or undefined when its mailbox has had enough. Notices are never withheld. */
export async function prepareMail(
  tx: Tx,
  act: Act,
  baseUrl: string,
  job: MailJobRow,
): Promise<Mail | undefined> {
  const facts = <Notice>() => ({
    to: job.email,
    baseUrl,
    at: job.created_at,
    notice: job.payload as unknown as Notice,
  });
  switch (job.kind) {
    case 'sign_in_link':
      return prepareLink(tx, act, baseUrl, job);
    case 'operator_invitation': {
      const { merchant_name, role, invited_by } = job.payload as unknown as OperatorInvitedNotice;
      return prepareLink(tx, act, baseUrl, job, { merchantName: merchant_name, role, invitedBy: invited_by });
    }
    case 'access_changed':
      return prepareAccessMail(tx, act, facts<AccessChangedNotice>());
    case 'payee_activated':
      return payeeActivatedMail(facts<PayeeActivatedNotice>());
    case 'domain_lost':
      return domainLostMail(facts<DomainLostNotice>());
    case 'domain_gained':
      return domainGainedMail(facts<DomainGainedNotice>());
    case 'domain_absent':
      return domainAbsentMail(facts<DomainAbsentNotice>());
    case 'api_key_created':
      return apiKeyCreatedMail(facts<ApiKeyCreatedNotice>());
  }
}

/** With the link that cancels the passkey, as long as there is something to cancel. */
async function prepareAccessMail(tx: Tx, act: Act, facts: NoticeFacts<AccessChangedNotice>): Promise<Mail> {
  const { passkey_id: passkeyId } = facts.notice;
  if (passkeyId === undefined) return accessChangedMail(facts);
  const token = act.newToken('passkey_cancellation');
  const link = { token_hash: hashSecret(token), passkey_id: passkeyId, email: facts.to };
  const isOpen = await insertCancellation(tx, link, act.now);
  return accessChangedMail(
    facts,
    isOpen ? `${facts.baseUrl}/portal/cancel-passkey#token=${token}` : undefined,
  );
}

/** The token is made here, when the mail leaves: no queue and no backup ever holds a link that works. */
async function prepareLink(
  tx: Tx,
  act: Act,
  baseUrl: string,
  job: MailJobRow,
  invitation?: Invitation,
): Promise<Mail | undefined> {
  const { email, mail_job_id } = job;
  const requestedFrom = String(job.payload['requested_from']);
  await lockMailbox(tx, email);
  if (!(await isAlreadyCounted(tx, mail_job_id))) {
    const counts = await countLinkMails(tx, email, requestedFrom, {
      since: addMs(act.now, -HOUR_MS),
      now: act.now,
    });
    if (counts.fromHere >= MAX_LINKS_FROM_ONE_ADDRESS) return undefined;
    // What strangers ask for never keeps a mail from where its operator has signed in before, and never leaves the mailbox
    // without a link that works.
    const isEnough = counts.inAll >= MAX_LINKS && counts.hasWorkingLink;
    if (isEnough && !(await isKnownNetwork(tx, email, requestedFrom))) return undefined;
  }
  const token = act.newToken('email_link');
  const expiresAt = addMs(act.now, LINK_LIFE_MS);
  await insertLink(tx, {
    token_hash: hashSecret(token),
    email,
    mail_job_id,
    requested_from: requestedFrom,
    created_at: act.now,
    expires_at: expiresAt,
  });
  const workspaces = await listWorkspacesByEmail(tx, email);
  return signInLinkMail({
    to: email,
    baseUrl,
    token,
    expiresAt,
    workspaces,
    ...(invitation ? { invitation } : {}),
  });
}
