// Long: sends and withholds many mails, and compares response times.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { outcome, signUp, tokenIn, uniqueEmail, verifiedMerchant } from '@payassent/proof/people/merchants';
import { createLogLines } from '@payassent/proof/service/log-lines';
import { serviceForTest, startService, type TestService } from '@payassent/proof/service/service';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAct } from '../../act.ts';
import { transaction } from '../../db/open.ts';
import { queueOperatorMail } from '../notices/queue.ts';
import { networkHash, rememberNetwork } from './known-networks.ts';
import { mailJob } from './mail-job.ts';

const PATH = '/v1/merchant-accounts/registrations';
const ROUNDS = 60;
const PATIENTLY = { timeout: 15_000 };
const { log, lines } = createLogLines();

let service: TestService;
beforeAll(async () => {
  service = await startService({ env: { SVC_TRUSTED_PROXIES: '127.0.0.1' }, overrides: () => ({ log }) });
});
afterAll(() => service.close());

const register = (email: unknown, from = '198.51.100.7') =>
  service.call('POST', PATH, {
    body: { email },
    headers: { 'x-forwarded-for': from, 'x-request-id': 'same' },
  });

/** Until the queue is empty: every mail is sent or withheld by then. */
async function untilQuiet(): Promise<void> {
  await expect.poll(() => service.db`select from mail_jobs`.then((rows) => rows.length), PATIENTLY).toBe(0);
}

const mailsTo = (email: string) => service.smtp.mails.filter((mail) => mail.to.includes(email)).length;

describe('a registration', () => {
  it('returns the same bytes for an unknown, a known, a pending and a tired address', async () => {
    const known = (await verifiedMerchant(service)).email;
    const pending = (await signUp(service)).email;
    const tired = uniqueEmail();
    for (let count = 0; count < 6; count += 1) await register(tired);
    await untilQuiet();
    const answers = [];
    for (const email of [uniqueEmail(), known, pending, tired]) {
      const { status, text, headers } = await register(email);
      answers.push({ status, text, headers: [...headers].filter(([name]) => name !== 'date') });
    }
    expect(answers[0]).toMatchObject({ status: 202, text: '{"ok":true,"status":"accepted"}' });
    for (const answer of answers) expect(answer).toEqual(answers[0]);
  });

  it('writes one queued mail without a token, and nothing else, no matter who requests it', async () => {
    const idle = await serviceForTest({ jobs: false });
    const { db } = idle;
    const known = uniqueEmail();
    await db`insert into accounts values ('acc_1', ${known}, now())`;
    const tables = await db`select table_name from information_schema.tables where table_schema = 'public'`;
    const sizes = async () => {
      const all: Record<string, number> = {};
      for (const { table_name } of tables)
        all[table_name] = (await db`select from ${db(table_name as string)}`).length;
      return all;
    };
    const before = await sizes();
    for (const email of [known, uniqueEmail()])
      expect((await idle.call('POST', PATH, { body: { email } })).status).toBe(202);
    expect(await sizes()).toEqual({ ...before, mail_jobs: 2 });
    const rows = await db`select kind, attempts, payload from mail_jobs`;
    expect(rows[0]).toEqual(rows[1]);
    expect(Object.keys(rows[0]?.['payload'])).toEqual(['requested_from']);
    expect(JSON.stringify(rows)).not.toMatch(/svc_|127\.0\.0\.1/);
  });

  it.each([
    '',
    'x',
    'a@b',
    'a b@shop.example',
    'a@shop.example\r\nBcc: c@d.example',
    `${'a'.repeat(250)}@b.example`,
    7,
    null,
  ])('refuses %j', async (email) => {
    expect(outcome(await register(email))).toBe('400 validation_failed');
  });
});

describe('the mail', () => {
  it('states who, why, for how long and what to do otherwise, in text and in HTML', async () => {
    const email = uniqueEmail();
    await register(email);
    const mail = await service.smtp.waitForMail(email);
    const host = new URL(service.url).host;
    expect(mail.subject).toBe(`Confirm your email address for PayAssent at ${host}`);
    for (const form of [mail.text, mail.html]) {
      const words = form.replaceAll(/\s+/g, ' ');
      expect(words).toContain(`${service.url}/portal/verify#token=svc_ml_`);
      expect(words).toMatch(/works once and for 15 minutes, until \d\d:\d\d UTC on \d+ \w+ \d{4}/);
      expect(words).toContain('If this was not you');
      expect(words).toContain('never asks for a key or a recovery phrase that money depends on');
      expect(words).toContain('the seed of a test account');
    }
    expect(mail.html).not.toMatch(/<script|<img|src=|url\(/i);
  });

  it('greets those who have been here before with what they left', async () => {
    const pending = await signUp(service, { name: 'Shop <b>One</b> Bcc: x' });
    await register(pending.email);
    const mail = await service.smtp.waitForMail(pending.email);
    expect(mail.subject).toMatch(/^Continue your setup/);
    expect(mail.text).toContain('"Shop <b>One</b> Bcc: x": pending until its domain is proved');
    expect(mail.html).toContain('Shop &lt;b&gt;One&lt;/b&gt; Bcc: x');
    const active = await verifiedMerchant(service);
    await register(active.email);
    expect((await service.smtp.waitForMail(active.email)).subject).toMatch(/^Your sign-in link/);
  });

  it('is tried again until it is accepted, and its link works', async () => {
    const email = uniqueEmail();
    await untilQuiet();
    service.smtp.failNext({ at: 'message', code: 451 });
    await register(email);
    await expect.poll(() => lines.some((line) => line.includes('trying again later')), PATIENTLY).toBe(true);
    service.clock.advance(5_000);
    const token = tokenIn((await service.smtp.waitForMail(email)).text);
    const used = await service.call('POST', '/v1/merchant-accounts/email-verifications', { body: { token } });
    expect(used.status).toBe(200);
  });

  it('is given up when the server rejects it permanently', async () => {
    await untilQuiet();
    const email = uniqueEmail();
    service.smtp.failNext({ at: 'recipient', code: 550 });
    await register(email);
    await expect.poll(() => lines.some((line) => line.includes('given up')), PATIENTLY).toBe(true);
    await untilQuiet();
    expect(mailsTo(email)).toBe(0);
  });

  it('becomes a file when there is no mail server, and the console names it', async () => {
    const local = createLogLines();
    const quiet = await serviceForTest({ env: { SVC_SMTP_URL: '' }, overrides: () => ({ log: local.log }) });
    await quiet.call('POST', PATH, { body: { email: uniqueEmail() } });
    const folder = join(quiet.dataDir, 'mail');
    // A draft is renamed when it is complete.
    const mails = async () => (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.eml'));
    await expect.poll(mails, PATIENTLY).toHaveLength(1);
    const file = join(folder, (await mails())[0] ?? '');
    await expect.poll(() => local.lines.join(''), PATIENTLY).toContain(`mail written to ${file}`);
    const token = tokenIn(await readFile(file, 'utf8'));
    expect(local.lines.join('')).not.toContain(token);
  });
});

describe('mail limits', () => {
  it('send five an hour for one email from one address, twenty for one email, and the console reports it', async () => {
    const email = uniqueEmail();
    for (let count = 0; count < 7; count += 1) await register(email, '198.51.100.1');
    await untilQuiet();
    expect(mailsTo(email)).toBe(5);
    expect(
      lines.filter((line) => line.includes('a sign-in mail was withheld')).length,
    ).toBeGreaterThanOrEqual(2);
    for (let count = 0; count < 17; count += 1) await register(email, `203.0.113.${count}`);
    await untilQuiet();
    expect(mailsTo(email)).toBe(20);
    service.clock.advance(3_600_000 + 1_000);
    await register(email, '198.51.100.1');
    await untilQuiet();
    expect(mailsTo(email)).toBe(21);
  });

  it('leave a team member a way in: requests by strangers withhold nothing from where the team member has signed in', async () => {
    const home = '2001:db8:7:7::1';
    const from = (address: string) => ({
      smtp: service.smtp,
      call: ((method, path, sent) =>
        service.call(method, path, {
          ...sent,
          headers: { ...sent?.headers, 'x-forwarded-for': address },
        })) as TestService['call'],
    });
    const { email } = await signUp(from(home));
    service.clock.advance(3_600_000 + 1_000);
    const before = mailsTo(email);
    for (let count = 0; count < 40; count += 1) await register(email, `2001:db8:bad:${count}::1`);
    await untilQuiet();
    expect(mailsTo(email) - before).toBe(20);
    await register(email, '203.0.113.200');
    await untilQuiet();
    expect(mailsTo(email) - before).toBe(20);
    // Another address of the same line.
    await register(email, '2001:db8:7:7:ffff::2');
    await untilQuiet();
    expect(mailsTo(email) - before).toBe(21);
    // A mailbox is still protected from one address that sends endless requests.
    for (let count = 0; count < 6; count += 1) await register(email, home);
    await untilQuiet();
    expect(mailsTo(email) - before).toBe(25);
  });

  it('leave a team member a way in from a new place: the mailbox always has a link that works', async () => {
    const { email } = await signUp(service);
    service.clock.advance(3_600_000 + 1_000);
    const before = mailsTo(email);
    const strangers = async (count: number) => {
      for (let index = 0; index < count; index += 1) await register(email, `2001:db8:bad:${index}::1`);
      await untilQuiet();
    };
    await strangers(25);
    expect(mailsTo(email) - before).toBe(20);
    // Links requested by strangers work in the team member's browser too. Once the last one has expired, one more is
    // sent.
    service.clock.advance(15 * 60_000 + 1_000);
    await strangers(25);
    expect(mailsTo(email) - before).toBe(21);
    const newest = service.smtp.mails.findLast((mail) => mail.to.includes(email));
    const opened = await service.call('POST', '/v1/merchant-accounts/email-verifications', {
      body: { token: tokenIn(newest?.text ?? '') },
    });
    expect(opened.status).toBe(200);
    // Spent, and with it the others: the next one is sent again.
    await register(email, '203.0.113.201');
    await untilQuiet();
    expect(mailsTo(email) - before).toBe(22);
  });

  it('count an IPv6 network as one address', async () => {
    const email = uniqueEmail();
    for (let count = 0; count < 7; count += 1) await register(email, `2001:db8:1:1::${count}`);
    await untilQuiet();
    expect(mailsTo(email)).toBe(5);
  });

  it('remember ten networks of a team member, as keyed hashes', async () => {
    const { email } = await signUp(service);
    for (let count = 0; count < 12; count += 1) {
      await transaction(service.db, async (tx) => {
        const [row] = await tx<
          { account_id: string }[]
        >`select account_id from accounts where email = ${email}`;
        const network = networkHash(service.context.keys, `203.0.113.${count}`);
        await rememberNetwork(tx, row?.account_id ?? '', network, new Date(Date.now() + count));
      });
    }
    const rows = await service.db<{ network: string }[]>`
      select network from account_networks join accounts using (account_id) where email = ${email}`;
    expect(rows).toHaveLength(10);
    expect(JSON.stringify(rows)).not.toContain('203.0.113');
  });

  it('never withhold a notice: every team member is mailed about a new payee', async () => {
    const merchant = await verifiedMerchant(service, { name: 'Watchful Shop' });
    for (let count = 0; count < 6; count += 1) await register(merchant.email);
    await untilQuiet();
    const before = mailsTo(merchant.email);
    await register(merchant.email);
    await untilQuiet();
    expect(mailsTo(merchant.email)).toBe(before);
    const act = createAct(service.context, 'test');
    const payload = {
      merchant_name: 'Watchful Shop',
      payee_name: 'Till 1',
      network: 'stellar_testnet',
      asset: 'XLM',
      address: 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ',
      memo: null,
      domain: merchant.domain,
      binding: 'domain' as const,
      recipient_id: 'rcp_1',
      recipient_version_id: 'rcv_1',
    };
    await transaction(service.db, (tx) =>
      queueOperatorMail(tx, act, { merchantId: merchant.merchantId, kind: 'payee_activated', payload }),
    );
    await untilQuiet();
    expect(mailsTo(merchant.email)).toBe(before + 1);
    const notice = service.smtp.mails.filter((mail) => mail.to.includes(merchant.email)).at(-1);
    expect(notice?.subject).toBe('A payee of your organization is now active');
    for (const form of [notice?.text, notice?.html])
      for (const fact of [payload.address, merchant.domain, 'stellar_testnet', 'archive the payee'])
        expect(form?.replaceAll(/\s+/g, ' ')).toContain(fact);
  });

  it('hold when several workers judge the same mailbox at the same time', async () => {
    const idle = await serviceForTest({ jobs: false });
    const email = uniqueEmail();
    for (let count = 0; count < 12; count += 1) await idle.call('POST', PATH, { body: { email } });
    await Promise.all([1, 2, 3].map(() => mailJob.run(idle.context)));
    await mailJob.run(idle.context);
    expect(idle.smtp.mails).toHaveLength(5);
  });
});

const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** How often a value of one list is larger than one of the other: 0.5 when they are indistinguishable. */
function chanceOfLarger(left: readonly number[], right: readonly number[]): number {
  let score = 0;
  for (const a of left) for (const b of right) score += a > b ? 1 : a === b ? 0.5 : 0;
  return score / (left.length * right.length);
}

it('a known, an unknown and a tired address cannot be distinguished by time', async ({ annotate }) => {
  const tired = uniqueEmail();
  const now = service.clock.now();
  await service.db`
    insert into email_links
    select 'tired' || n, ${tired}, 'mlj_tired' || n, 'x', ${now}, ${new Date(now.getTime() + 900_000)}
    from generate_series(1, 20) n`;
  await service.db`
    insert into accounts select 'acc_known' || n, 'known' || n || '@shop.example', now() from generate_series(0, 200) n`;
  await service.db`
    insert into merchants select 'mer_known' || n, 'Shop', 'active', 2, now(), now() from generate_series(0, 200) n`;
  await service.db`
    insert into merchant_operators (merchant_id, account_id, role, created_at, joined_at)
    select 'mer_known' || n, 'acc_known' || n, 'owner', now(), now() from generate_series(0, 200) n`;
  const kinds = {
    known: (round: number) => `known${round}@shop.example`,
    unknown: () => uniqueEmail(),
    tired: () => tired,
  };
  const names = Object.keys(kinds) as (keyof typeof kinds)[];
  const samples: Record<keyof typeof kinds, number[]> = { known: [], unknown: [], tired: [] };
  const warmUp = 10;
  for (let round = 0; round < warmUp + ROUNDS; round += 1) {
    // Another order each round, so that no kind always follows the same one: the previous mail is still being sent.
    const order = round % 2 === 0 ? names : names.toReversed();
    for (const [at] of order.entries()) {
      const name = order[(round + at) % order.length] ?? 'known';
      const email = kinds[name](round);
      const startedMs = performance.now();
      await service.call('POST', PATH, { body: { email } });
      if (round >= warmUp) samples[name].push(performance.now() - startedMs);
    }
  }
  await untilQuiet();
  expect(mailsTo(tired)).toBe(0);
  const versus = (a: keyof typeof kinds, b: keyof typeof kinds) => chanceOfLarger(samples[a], samples[b]);
  const figures = names.map((name) => `${name} ${median(samples[name]).toFixed(2)} ms`).join(', ');
  const chances = { known: versus('known', 'unknown'), tired: versus('tired', 'unknown') };
  await annotate(
    `median of ${ROUNDS}: ${figures}; slower than unknown: known ${chances.known.toFixed(3)}, tired ${chances.tired.toFixed(3)}`,
  );
  // With 60 samples chance alone moves the figure by 0.05 (one standard deviation).
  for (const chance of Object.values(chances)) expect(Math.abs(chance - 0.5)).toBeLessThan(0.22);
});
