import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { selfSigned } from '@payassent/proof/surroundings/certificates';
import { startSmtpServer, type TestSmtpServer } from '@payassent/proof/surroundings/surroundings';
import PostalMime from 'postal-mime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMailer, type Mail, MailError } from './index.ts';

const from = 'PayAssent <no-reply@pay.example>';
const link = `http://127.0.0.1:8787/portal/verify#token=${'a1B2'.repeat(40)}=`;
const mail: Mail = {
  to: 'owner@shop.example',
  subject: 'Confirm your email address – Zürich 🏔',
  text: `Open this link:\n\n${link}\n\nIt works once.\n.\nThe end.\n`,
  html: `<p>Open <a href="${link}">this link</a>.</p>`,
};

let dir: string;
let server: TestSmtpServer;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'mail test '));
  server = await startSmtpServer();
});
afterAll(async () => {
  await server.close();
  await rm(dir, { recursive: true });
});

async function faultOf(sending: Promise<unknown>): Promise<MailError> {
  const fault = await sending.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(fault instanceof MailError)) throw new Error(`no MailError but ${String(fault)}`);
  return fault;
}

describe('without a mail server', () => {
  const mailer = () => createMailer({ from, mailDir: join(dir, 'new', 'mail') });

  it('each mail is one whole file that only its owner can read', async () => {
    const local = mailer();
    const { location } = await local.send(mail);
    expect(location.startsWith(join(dir, 'new', 'mail'))).toBe(true);
    expect(location).toMatch(/\.eml$/);
    expect((await stat(location)).mode & 0o777).toBe(0o600);
    expect((await stat(join(dir, 'new', 'mail'))).mode & 0o777).toBe(0o700);
    const raw = await readFile(location);
    const parsed = await PostalMime.parse(raw);
    expect(parsed.from).toEqual({ name: 'PayAssent', address: 'no-reply@pay.example' });
    expect(parsed.to).toEqual([{ name: '', address: mail.to }]);
    expect(parsed.subject).toBe(mail.subject);
    expect(parsed.text?.trim()).toBe(mail.text.trim());
    expect(parsed.html?.trim()).toBe(mail.html);
    // A person who opens the file can copy the link.
    expect(raw.toString()).toContain(`\r\n${link}\r\n`);
    expect(local.description).toBe(`files in ${join(dir, 'new', 'mail')}`);
  });

  it('parallel mails get a file each, in order of time, and nothing half-written is left', async () => {
    const local = createMailer({ from, mailDir: join(dir, 'parallel') });
    const sent = await Promise.all(Array.from({ length: 50 }, () => local.send(mail)));
    const names = await readdir(join(dir, 'parallel'));
    expect(names).toHaveLength(50);
    expect(names.every((name) => /^\d{8}T\d{6}-\d{3}Z-[0-9a-f]{8}\.eml$/.test(name))).toBe(true);
    expect(new Set(sent.map(({ location }) => location)).size).toBe(50);
  });

  it('text outside ASCII and very long lines arrive whole', async () => {
    const local = mailer();
    const readable = `Grüße aus Zürich 🏔\n\n${link}\n`;
    const first = await readFile((await local.send({ ...mail, text: readable })).location);
    expect((await PostalMime.parse(first)).text?.trim()).toBe(readable.trim());
    expect(first.toString()).toContain(`Grüße aus Zürich 🏔\r\n\r\n${link}\r\n`);
    const long = `Grüße\u0007 🏔\n${'ü'.repeat(5_000)}\n`;
    const raw = await readFile((await local.send({ ...mail, text: long })).location);
    expect((await PostalMime.parse(raw)).text?.trim()).toBe(long.trim());
    expect(
      raw
        .toString('latin1')
        .split('\r\n')
        .every((line) => line.length <= 998),
    ).toBe(true);
  });

  it.each([
    'a@shop.example, b@shop.example',
    'a@shop.example\r\nBcc: b@shop.example',
    'Somebody <a@shop.example>',
    'a@shop.example b@shop.example',
    'nobody',
    '',
    '@',
  ])('a recipient that is not one plain address is refused for good: %j', async (to) => {
    expect((await faultOf(mailer().send({ ...mail, to }))).permanent).toBe(true);
  });

  it('a line end in the subject makes no header', async () => {
    const { location } = await mailer().send({ ...mail, subject: 'Hello\r\nBcc: b@shop.example' });
    const parsed = await PostalMime.parse(await readFile(location));
    expect(parsed.bcc).toBeUndefined();
  });

  it('a folder that cannot be written is an error, not a silence', async () => {
    const blocked = createMailer({ from, mailDir: '/dev/null/mail' });
    await expect(blocked.send(mail)).rejects.toThrow(/ENOTDIR|EEXIST/);
  });
});

describe('over SMTP', () => {
  it('the mail arrives as it was written', async () => {
    const mailer = createMailer({ smtpUrl: server.url, from, mailDir: dir });
    const { location } = await mailer.send(mail);
    const received = await server.waitForMail(mail.to);
    expect(received).toMatchObject({ from: 'no-reply@pay.example', to: [mail.to], subject: mail.subject });
    expect(received.text.trim()).toBe(mail.text.trim());
    expect(received.html.trim()).toBe(mail.html);
    expect(received.raw).toContain(`\r\n${link}\r\n`);
    expect(received.raw).toMatch(/^Auto-Submitted: auto-generated\r$/m);
    expect(location).toContain(new URL(server.url).host);
    await mailer.close();
  });

  it('text outside ASCII arrives whole, over a wire that may only take ASCII', async () => {
    const mailer = createMailer({ smtpUrl: server.url, from, mailDir: dir });
    const text = `Grüße aus Zürich 🏔\n\n${link}\n`;
    await mailer.send({ ...mail, text, to: 'utf8@shop.example' });
    const received = await server.waitForMail('utf8@shop.example');
    expect(received.text.trim()).toBe(text.trim());
    expect(received.raw).toMatch(/^[\t\r\n -~]*$/);
  });

  it('a refused recipient is final, a busy server is not, and the next mail goes through', async () => {
    const mailer = createMailer({ smtpUrl: server.url, from, mailDir: dir });
    server.failNext({ at: 'recipient', code: 550, message: `${mail.to} unknown` });
    const refused = await faultOf(mailer.send(mail));
    expect(refused.permanent).toBe(true);
    expect(refused.message).not.toContain(mail.to);
    server.failNext({ at: 'recipient', code: 450 });
    expect((await faultOf(mailer.send(mail))).permanent).toBe(false);
    server.failNext({ at: 'message', code: 552 });
    expect((await faultOf(mailer.send(mail))).permanent).toBe(true);
    server.failNext({ at: 'message', code: 451 });
    expect((await faultOf(mailer.send(mail))).permanent).toBe(false);
    await mailer.send({ ...mail, to: 'next@shop.example' });
    expect((await server.waitForMail('next@shop.example')).subject).toBe(mail.subject);
  });

  // 0.0.0.0 leads to this machine too, and is not a loopback address.
  const elsewhere = (url: string) => url.replace('127.0.0.1', '0.0.0.0');

  it('to another machine nothing is sent in the clear, unless the address allows it', async () => {
    const to = 'clear@shop.example';
    const strict = createMailer({ smtpUrl: elsewhere(server.url), from, mailDir: dir });
    const fault = await faultOf(strict.send({ ...mail, to }));
    expect(fault.permanent).toBe(false);
    expect(fault.message).toMatch(/STARTTLS.*tls=optional/);
    expect(server.mails.filter((received) => received.to.includes(to))).toEqual([]);
    const lenient = createMailer({ smtpUrl: `${elsewhere(server.url)}?tls=optional`, from, mailDir: dir });
    await lenient.send({ ...mail, to });
    await server.waitForMail(to);
  });

  it('a certificate that no one vouches for is no encryption', async () => {
    const tls = await selfSigned(['0.0.0.0']);
    const doubtful = await startSmtpServer({ tls });
    const mailer = createMailer({ smtpUrl: elsewhere(doubtful.url), from, mailDir: dir });
    expect((await faultOf(mailer.send(mail))).permanent).toBe(false);
    expect(doubtful.mails).toEqual([]);
    await doubtful.close();
  });

  it('the login is used and never shown', async () => {
    const locked = await startSmtpServer({ login: { user: 'relay', password: 'correct-horse' } });
    const good = createMailer({ smtpUrl: locked.url, from, mailDir: dir });
    await good.send(mail);
    await locked.waitForMail(mail.to);
    const bad = createMailer({ smtpUrl: locked.url.replace('horse', 'donkey'), from, mailDir: dir });
    const fault = await faultOf(bad.send(mail));
    expect(fault.permanent).toBe(false);
    for (const text of [fault.message, fault.stack, good.description, bad.description, JSON.stringify(bad)]) {
      expect(text).not.toMatch(/horse|donkey/);
    }
    await locked.close();
  });

  it('a server that is not there, or hangs up, is a temporary failure', async () => {
    const gone = await startSmtpServer();
    await gone.close();
    const nobody = createMailer({ smtpUrl: gone.url, from, mailDir: dir });
    expect((await faultOf(nobody.send(mail))).permanent).toBe(false);
    const rude = createServer((socket) => socket.destroy());
    await new Promise<void>((resolve) => rude.listen(0, '127.0.0.1', resolve));
    const address = rude.address();
    const port = address !== null && typeof address === 'object' ? address.port : 0;
    const hungUp = createMailer({ smtpUrl: `smtp://127.0.0.1:${port}`, from, mailDir: dir });
    expect((await faultOf(hungUp.send(mail))).permanent).toBe(false);
    rude.close();
  });

  it('a wrong address is refused without repeating it', () => {
    for (const smtpUrl of [
      'smtp://',
      'http://user:hunter2@mail.example',
      'smtp://user:hunter2@:25',
      'hunter2',
    ]) {
      const create = () => createMailer({ smtpUrl, from, mailDir: dir });
      expect(create).toThrow(TypeError);
      expect(create).not.toThrow(/hunter2/);
    }
  });
});
