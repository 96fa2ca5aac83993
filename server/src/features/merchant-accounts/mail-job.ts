import { type Language, LINKS_PER_HOUR, languageOf } from '@payassent/protocol';
import { type Act, createAct } from '../../act.ts';
import type { Context } from '../../context.ts';
import { type Tx, transaction } from '../../db/open.ts';
import type { Job } from '../../jobs/job.ts';
import { addMs, DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../lib/clock.ts';
import { hashSecret } from '../../lib/keys.ts';
import { type Mail, MailError } from '../../lib/mail/index.ts';
import type { CounterSpec } from '../../telemetry/metrics.ts';
import { MAIL } from '../../telemetry/outcomes.ts';
import {
  type AccessChangedNotice,
  type ApiKeyCreatedNotice,
  type DomainAbsentNotice,
  type DomainGainedNotice,
  type DomainLostNotice,
  MAIL_JOB,
  type MailKind,
  type OperatorInvitedNotice,
  type PayeeActivatedNotice,
} from '../notices/queue.ts';
import { isKnownNetwork } from './known-networks.ts';
import { LINK_LIFE_MS } from './lifetimes.ts';
import {
  claimMailJobs,
  countLinkMails,
  deleteMailJob,
  insertCancellation,
  isAlreadyCounted,
  listWorkspacesByEmail,
  lockMailbox,
  type MailJobRow,
  readLanguage,
  releaseMailJob,
  renewLease,
} from './mail-sql.ts';
import { accessChangedMail } from './mails/access.ts';
import { apiKeyCreatedMail } from './mails/api-keys.ts';
import type { NoticeFacts } from './mails/layout.ts';
import { domainAbsentMail, domainGainedMail, domainLostMail, payeeActivatedMail } from './mails/payees.ts';
import { type SignInLinkFacts, signInLinkMail } from './mails/sign-in-link.ts';

const BATCH = 8;
// Short, and renewed while a mail is being sent: after a crash a link is delayed only briefly.
const LEASE_MS = 10 * SECOND_MS;
const RENEW_EVERY_MS = 3 * SECOND_MS;
const STOP_GRACE_MS = 5 * SECOND_MS;
const FIRST_RETRY_MS = 5 * SECOND_MS;
const MAX_RETRY_MS = 10 * MINUTE_MS;
/** A link is not sent once it is too old to be useful to its requester. */
const GIVE_UP_AFTER_MS: Record<MailKind, number> = {
  sign_in_link: HOUR_MS,
  operator_invitation: HOUR_MS,
  access_changed: 3 * DAY_MS,
  payee_activated: 3 * DAY_MS,
  domain_lost: 3 * DAY_MS,
  domain_gained: 3 * DAY_MS,
  domain_absent: 3 * DAY_MS,
  api_key_created: 3 * DAY_MS,
};

const MAILS: CounterSpec<'kind' | 'outcome'> = {
  name: 'svc_mails_total',
  help: 'Mails by kind and outcome.',
  labels: ['kind', 'outcome'],
};

export const mailJob: Job = {
  name: MAIL_JOB,
  everyMs: SECOND_MS,
  async run(context) {
    const lease = Buffer.from(context.random.bytes(12)).toString('hex');
    const now = context.clock.now();
    const jobs = await claimMailJobs(context.db, lease, now, addMs(now, LEASE_MS), BATCH);
    if (jobs.length === 0) return false;
    const heart = setInterval(() => {
      renewLease(context.db, lease, addMs(context.clock.now(), LEASE_MS)).catch(() => {});
    }, RENEW_EVERY_MS);
    try {
      await Promise.all(jobs.map((job) => work(context, job, lease)));
    } finally {
      clearInterval(heart);
    }
    return jobs.length === BATCH;
  },
};

/** Prepare in a transaction, send outside it, record. A failing mail does not affect the others. */
async function work(context: Context, job: MailJobRow, lease: string): Promise<void> {
  const { db, config } = context;
  const count = (outcome: string) => context.metrics.increment(MAILS, { kind: job.kind, outcome });
  try {
    const act = createAct(context, `mail ${job.mail_job_id}`);
    const mail = await transaction(db, (tx) => prepareMail(tx, act, config.baseUrl, job));
    if (!mail) {
      await deleteMailJob(db, job.mail_job_id, lease);
      count('withheld');
      if (config.baseUrlIsLoopback)
        context.log.warn(
          { event: 'mail_withheld' },
          'a sign-in mail was withheld: at most 5 an hour for one email from one address, and 20 for one email while one of their links works',
        );
      return;
    }
    const { location } = await sendBeforeStop(context, mail);
    await deleteMailJob(db, job.mail_job_id, lease);
    count('sent');
    context.outcomes.note(MAIL, 'ok');
    if (config.smtpUrl === undefined)
      context.log.info({ event: 'mail_written', file: location }, `mail written to ${location}`);
  } catch (error) {
    const outcome = await putBack(context, job, lease, error);
    count(outcome);
  }
}

async function putBack(
  context: Context,
  job: MailJobRow,
  lease: string,
  error: unknown,
): Promise<'given_up' | 'failed'> {
  const now = context.clock.now();
  const isOver = now.getTime() - job.created_at.getTime() > GIVE_UP_AFTER_MS[job.kind];
  const facts = { mailJob: job.mail_job_id, kind: job.kind, attempts: job.attempts, err: error };
  if (isOver || (error instanceof MailError && error.permanent)) {
    context.log.error({ event: 'mail_given_up', ...facts }, 'a mail could not be delivered and was given up');
    await deleteMailJob(context.db, job.mail_job_id, lease);
    return 'given_up';
  }
  const isStopping = error instanceof StoppedError;
  const delayMs = isStopping ? 0 : Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 3 ** (job.attempts - 1));
  if (!isStopping) {
    context.outcomes.note(MAIL, 'failing');
    context.log.warn({ event: 'mail_failed', ...facts }, 'a mail was not accepted, trying again later');
  }
  await releaseMailJob(context.db, job.mail_job_id, lease, addMs(now, delayMs));
  return 'failed';
}

class StoppedError extends Error {}

/** A stopping service waits a little for a mail in progress; otherwise the next process sends it. */
async function sendBeforeStop(context: Context, mail: Mail): Promise<{ location: string }> {
  const { stopping } = context;
  let timer: NodeJS.Timeout | undefined;
  let begin: (() => void) | undefined;
  const stopped = new Promise<never>((_resolve, reject) => {
    begin = () => {
      timer = setTimeout(() => reject(new StoppedError('the service stops')), STOP_GRACE_MS);
    };
    if (stopping.aborted) begin();
    else stopping.addEventListener('abort', begin, { once: true });
  });
  try {
    return await Promise.race([context.mail.send(mail), stopped]);
  } finally {
    clearTimeout(timer);
    if (begin) stopping.removeEventListener('abort', begin);
  }
}

/** Per hour, from all networks. They protect a mailbox from floods by attackers who know its address. */
const MAX_LINKS = 20;

/** The mail to send now, or undefined when its mailbox has had enough. Notices are never withheld. */
async function prepareMail(tx: Tx, act: Act, baseUrl: string, job: MailJobRow): Promise<Mail | undefined> {
  const language = await languageFor(tx, job);
  const facts = <Notice>() => ({
    to: job.email,
    language,
    baseUrl,
    at: job.created_at,
    notice: job.payload as unknown as Notice,
  });
  switch (job.kind) {
    case 'sign_in_link':
      return prepareLink(tx, act, job, { baseUrl, language });
    case 'operator_invitation': {
      const { merchant_name, role, invited_by } = job.payload as unknown as OperatorInvitedNotice;
      const invitation = { merchantName: merchant_name, role, invitedBy: invited_by };
      return prepareLink(tx, act, job, { baseUrl, language, invitation });
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

/** The language of the reader's own call, or else of the reader's last sign-in; without one, the inviter's. */
async function languageFor(tx: Tx, { email, payload }: MailJobRow): Promise<Language> {
  const asked = languageOf(String(payload['language'] ?? ''));
  const inviter = payload['invited_by'];
  const people = typeof inviter === 'string' ? [email, inviter] : [email];
  return asked ?? (await readLanguage(tx, people)) ?? 'en';
}

/** With the link that cancels the passkey, while it can still be cancelled. */
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

/** The token is made here, when the mail is sent: no queue and no backup ever holds a link that works. */
async function prepareLink(
  tx: Tx,
  act: Act,
  job: MailJobRow,
  letter: Pick<SignInLinkFacts, 'baseUrl' | 'language' | 'invitation'>,
): Promise<Mail | undefined> {
  const { email, mail_job_id } = job;
  const requestedFrom = String(job.payload['requested_from']);
  await lockMailbox(tx, email);
  if (!(await isAlreadyCounted(tx, mail_job_id))) {
    const counts = await countLinkMails(tx, email, requestedFrom, {
      since: addMs(act.now, -HOUR_MS),
      now: act.now,
    });
    if (counts.fromHere >= LINKS_PER_HOUR) return undefined;
    // Requests from strangers never withhold a mail to a network where the account has signed in before, and never
    // leave the mailbox without a working link.
    const isEnough = counts.inAll >= MAX_LINKS && counts.hasWorkingLink;
    if (isEnough && !(await isKnownNetwork(tx, email, requestedFrom))) return undefined;
  }
  const token = act.newToken('email_link');
  const expiresAt = addMs(act.now, LINK_LIFE_MS);
  await tx`insert into email_links ${tx({
    token_hash: hashSecret(token),
    email,
    mail_job_id,
    requested_from: requestedFrom,
    created_at: act.now,
    expires_at: expiresAt,
  })}`;
  const workspaces = await listWorkspacesByEmail(tx, email);
  return signInLinkMail({
    ...letter,
    to: email,
    token,
    expiresAt,
    workspaces,
  });
}
