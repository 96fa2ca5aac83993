import { outcome, succeed, type TestMerchant, verifiedMerchant } from '@payassent/proof/people/merchants';
import { activePayee } from '@payassent/proof/people/payees';
import { paymentStage, pendingRequest, postRequest, readRequest } from '@payassent/proof/people/payments';
import { secondService } from '@payassent/proof/service/second-service';
import { startService, type TestService } from '@payassent/proof/service/service';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../lib/clock.ts';
import { mailJob } from '../merchant-accounts/mail-job.ts';
import { domainCheckJob } from './check-job.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService({ jobs: false });
});
afterAll(() => service.close());
beforeEach(async () => {
  // Domains left by other tests of this file are not checked.
  await service.db`update domains set check_at = null`;
});

const challengeName = ({ domain }: TestMerchant) => `_svc-challenge.${domain}`;

async function sendMails(): Promise<void> {
  while (await mailJob.run(service.context));
}

/** An active organization. No job runs here, so this sends the mails. */
async function merchantHere(): Promise<TestMerchant> {
  const sending = setInterval(() => void sendMails().catch(() => {}), 50);
  try {
    return await verifiedMerchant(service);
  } finally {
    clearInterval(sending);
  }
}

/** Advances a day and runs all that is due. */
async function nextDay(afterMs = DAY_MS): Promise<void> {
  service.clock.advance(afterMs);
  await lookAtAll();
}

async function lookAtAll(): Promise<void> {
  while (await domainCheckJob.run(service.context));
  await sendMails();
}

const statusOf = async ({ domainId }: TestMerchant): Promise<string> => {
  const [row] = await service.db<
    { status: string }[]
  >`select status from domains where domain_id = ${domainId}`;
  return row?.status ?? 'none';
};

const subjectsTo = ({ email }: TestMerchant) =>
  service.smtp.mails
    .filter((mail) => mail.to.includes(email))
    .map((mail) => mail.subject ?? '')
    .filter((subject) => /missing|vouches/.test(subject));

const looksAt = (merchant: TestMerchant) =>
  service.dns.queries.filter((query) => query.name === challengeName(merchant)).length;

describe('the daily check of verified domains', () => {
  it('comes after 24 hours and not before, once for all processes', async () => {
    const merchant = await merchantHere();
    const other = await secondService(service);
    const before = looksAt(merchant);
    await nextDay(DAY_MS - HOUR_MS - 60_000);
    expect(looksAt(merchant)).toBe(before);
    service.clock.advance(HOUR_MS + 60_000);
    await Promise.all([domainCheckJob.run(service.context), domainCheckJob.run(other.context)]);
    expect(looksAt(merchant)).toBe(before + 1);
    await lookAtAll();
    expect(looksAt(merchant)).toBe(before + 1);
    expect(await statusOf(merchant)).toBe('verified');
  });

  it('ends a domain after seven days of absence, with mails on day 1, 3 and 7, and suspends its payees', async () => {
    const merchant = await merchantHere();
    const stage = await paymentStage(service, { merchant });
    const tenYears = new Date(service.clock.now().getTime() + 3650 * DAY_MS).toISOString();
    const open = await pendingRequest(service, stage, {
      expires_at: new Date(service.clock.now().getTime() + 300 * DAY_MS).toISOString(),
    });
    await service.db`update merchant_sessions set last_seen_at = ${tenYears}, expires_at = ${tenYears}`;
    service.dns.remove(challengeName(merchant));
    const mails: number[] = [];
    for (let day = 0; day <= 6; day += 1) {
      await nextDay();
      mails.push(subjectsTo(merchant).length);
      expect(await statusOf(merchant), `day ${day}`).toBe('verified');
    }
    expect(mails).toEqual([0, 1, 1, 2, 2, 2, 2]);
    await nextDay();
    expect(await statusOf(merchant)).toBe('lapsed');
    expect(subjectsTo(merchant)).toEqual([
      `The proof of ${merchant.domain} has been missing for one day`,
      `The proof of ${merchant.domain} has been missing for 3 days`,
      `${merchant.domain} no longer vouches for your organization`,
    ]);
    const refused = await postRequest(service, stage);
    expect(outcome(refused)).toBe('409 recipient_not_active');
    const read = (await succeed(readRequest(service, stage, open.request_id))).body.payment_request;
    expect(read.payee).toMatchObject({ verified: false, is_current: false });
    await nextDay();
    expect(subjectsTo(merchant)).toHaveLength(3);
  });

  it.each(['SERVFAIL', 'REFUSED', 'silence'] as const)('never ends one because of %s', async (fault) => {
    const merchant = await merchantHere();
    service.dns.fail(challengeName(merchant), fault);
    for (let day = 0; day <= (fault === 'silence' ? 1 : 9); day += 1) await nextDay();
    expect(await statusOf(merchant)).toBe('verified');
    expect(subjectsTo(merchant)).toEqual([]);
  });

  it('begins again when the challenge is back in between', async () => {
    const merchant = await merchantHere();
    service.dns.remove(challengeName(merchant));
    for (let day = 0; day <= 6; day += 1) await nextDay();
    service.dns.set(challengeName(merchant), 'TXT', [merchant.challenge]);
    await nextDay();
    service.dns.remove(challengeName(merchant));
    for (let day = 0; day <= 6; day += 1) await nextDay();
    expect(await statusOf(merchant)).toBe('verified');
    await nextDay();
    expect(await statusOf(merchant)).toBe('lapsed');
  });

  it('of a domain that was deleted meanwhile writes nothing', async () => {
    const merchant = await merchantHere();
    await activePayee(service, merchant);
    service.clock.advance(DAY_MS);
    service.dns.delay(challengeName(merchant), 500);
    const looking = domainCheckJob.run(service.context);
    await service.db`update domains set deleted_at = ${service.clock.now()} where domain_id = ${merchant.domainId}`;
    const [before] = await service.db`select * from domains where domain_id = ${merchant.domainId}`;
    await looking;
    const [after] = await service.db`select * from domains where domain_id = ${merchant.domainId}`;
    expect({ ...after, check_at: null, check_lease: null }).toEqual({
      ...before,
      check_at: null,
      check_lease: null,
    });
  });

  it('checks many in bounded batches, and what a stopped process left in the next run', async () => {
    const merchant = await merchantHere();
    await service.db`
      insert into domains (domain_id, merchant_id, domain, method, status, challenge, challenge_expires_at, created_at,
        verified_at, check_at)
      select 'dom_' || lpad('9' || n::text, 26, '0'), ${merchant.merchantId}, 'many' || n || '.example', 'dns', 'verified',
             'x', now(), now(), now(), ${service.clock.now()}
      from generate_series(1, 23) n`;
    const turns: boolean[] = [];
    for (let turn = 0; turn < 4; turn += 1) turns.push(await domainCheckJob.run(service.context));
    expect(turns).toEqual([true, true, false, false]);
    await service.db`
      update domains set check_lease = 'gone', check_at = ${service.clock.now()} where domain = 'many1.example'`;
    service.clock.advance(60_000);
    const asked = service.dns.queries.length;
    await domainCheckJob.run(service.context);
    expect(service.dns.queries.length).toBe(asked + 1);
  });
});
