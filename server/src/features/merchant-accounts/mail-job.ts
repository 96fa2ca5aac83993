import { createAct } from '../../act.ts';
import type { Context } from '../../context.ts';
import { transaction } from '../../db/open.ts';
import type { Job } from '../../jobs/job.ts';
import { addMs, DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../lib/clock.ts';
import { type Mail, MailError } from '../../lib/mail/index.ts';
import type { CounterSpec } from '../../telemetry/metrics.ts';
import { MAIL } from '../../telemetry/outcomes.ts';
import { MAIL_JOB, type MailKind } from '../notices/queue.ts';
import { claimMailJobs, deleteMailJob, type MailJobRow, releaseMailJob, renewLease } from './mail-sql.ts';
import { prepareMail } from './prepare-mail.ts';

const BATCH = 8;
// Short and renewed while a mail is being sent: after a crash nobody waits long for a link.
const LEASE_MS = 10 * SECOND_MS;
const RENEW_EVERY_MS = 3 * SECOND_MS;
const STOP_GRACE_MS = 5 * SECOND_MS;
const FIRST_RETRY_MS = 5 * SECOND_MS;
const MAX_RETRY_MS = 10 * MINUTE_MS;
/** When the person who asked for a link has long gone, it is not sent any more. */
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

/** Prepare in a transaction, send outside of it, record. Nothing that happens to one mail touches another. */
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

/** A stopping service waits a little for a mail that is under way; then the next one to run sends it. */
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
