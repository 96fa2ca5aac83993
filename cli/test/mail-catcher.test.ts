import { once } from 'node:events';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { type MailCatcher, startMailCatcher } from '@payassent/proof/surroundings/mail-catcher';
import { afterEach, describe, expect, it } from 'vitest';

const catchers: MailCatcher[] = [];
afterEach(() => Promise.all(catchers.splice(0).map((catcher) => catcher.close())));

async function start(): Promise<MailCatcher> {
  const catcher = await startMailCatcher();
  catchers.push(catcher);
  return catcher;
}

/** Speaks SMTP line by line; returns the last reply. */
async function deliver(catcher: MailCatcher, to: string, message: string): Promise<string> {
  const { hostname, port } = new URL(catcher.url);
  const socket = connect(Number(port), hostname);
  const replies = createInterface({ input: socket })[Symbol.asyncIterator]();
  const say = async (line?: string): Promise<string> => {
    if (line !== undefined) socket.write(`${line}\r\n`);
    for (;;) {
      const { value } = await replies.next();
      if (/^\d{3} /.test(value ?? '')) return value ?? '';
    }
  };
  await say();
  await say('EHLO localhost');
  await say('MAIL FROM:<service@payassent.example>');
  await say(`RCPT TO:<${to}>`);
  await say('DATA');
  const last = await say(`${message.replaceAll('\n', '\r\n')}\r\n.`);
  socket.end('QUIT\r\n');
  await once(socket, 'close');
  return last;
}

const message =
  'Subject: Sign in\nContent-Type: text/plain; charset=utf-8\n\nhttp://127.0.0.1/portal/verify#token=x';

describe('the mail catcher', () => {
  it('keeps every mail, and hands each one out once', async () => {
    const catcher = await start();
    const early = catcher.waitForMail('a@shop.example');
    expect(await deliver(catcher, 'a@shop.example', message)).toMatch(/^250/);
    const mail = await early;
    expect(mail).toMatchObject({ to: ['a@shop.example'], subject: 'Sign in' });
    expect(mail.text.trim()).toBe('http://127.0.0.1/portal/verify#token=x');
    expect(catcher.mails).toEqual([mail]);
    await expect(catcher.waitForMail('a@shop.example', 50)).rejects.toThrow(
      'no mail to a@shop.example (1 in all)',
    );
    await deliver(catcher, 'b@shop.example', message);
    expect((await catcher.waitForMail('b@shop.example')).to).toEqual(['b@shop.example']);
  });

  it('refuses the next mail with the chosen code, and reports that its port is taken', async () => {
    const catcher = await start();
    catcher.failNext({ at: 'message', code: 451, message: 'later' });
    expect(await deliver(catcher, 'a@shop.example', message)).toBe('451 later');
    expect(catcher.mails).toEqual([]);
    const port = Number(new URL(catcher.url).port);
    await expect(startMailCatcher({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });
});
