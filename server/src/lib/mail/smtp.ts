import { setTimeout as sleep } from 'node:timers/promises';
import { createTransport } from 'nodemailer';
import { MailError, type Mailer, messageOf } from './mailer.ts';

const connectTimeoutMs = 10_000;
const silenceTimeoutMs = 20_000;
// The timers above measure silence; a server that responds a letter at a time is cut here.
const totalTimeoutMs = 45_000;

/** A separate connection per mail: mail is rare, and a pool would hand out connections that timed out while idle. */
export function createSmtpMailer(from: string, smtpUrl: string): Mailer {
  const { server, transport } = open(smtpUrl);
  return {
    description: `SMTP server ${server.host}`,
    async send(mail) {
      const message = messageOf(mail, from, '7bit');
      const sent = await inTime(transport.sendMail(message), server.host);
      return { location: `${server.host} ${sent.messageId}` };
    },
    forget: async () => 0,
    async close() {
      transport.close();
    },
  };
}

/** Greets the server as for a mail, in TLS and with the login, and sends none. Returns its name. */
export async function greetSmtpServer(smtpUrl: string): Promise<string> {
  const { server, transport } = open(smtpUrl);
  try {
    await inTime(transport.verify(), server.host);
    return server.host;
  } finally {
    transport.close();
  }
}

function open(smtpUrl: string) {
  const server = parseServer(smtpUrl);
  // A mail contains a sign-in link, and the login a password: encrypted, or not at all, except to this very machine.
  const requireTLS = server.searchParams.get('tls') !== 'optional' && !isLoopback(server.hostname);
  server.searchParams.delete('tls');
  const transport = createTransport({
    url: server.href,
    ...(requireTLS ? { requireTLS } : {}),
    connectionTimeout: connectTimeoutMs,
    greetingTimeout: connectTimeoutMs,
    socketTimeout: silenceTimeoutMs,
  });
  return { server, transport };
}

function parseServer(smtpUrl: string): URL {
  // The platform's own error would repeat the text, including the password.
  const server = URL.canParse(smtpUrl) ? new URL(smtpUrl) : undefined;
  if (server === undefined || !/^smtps?:$/.test(server.protocol) || server.hostname === '') {
    throw new TypeError('not an smtp:// or smtps:// address');
  }
  return server;
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}

async function inTime<T>(sending: Promise<T>, host: string): Promise<T> {
  const ended = new AbortController();
  const expiry = sleep(totalTimeoutMs, undefined, { signal: ended.signal }).then(() => {
    throw new MailError(`${host}: no end within ${totalTimeoutMs} ms`, false);
  });
  try {
    return await Promise.race([sending, expiry]);
  } catch (error) {
    throw asMailError(error, host);
  } finally {
    ended.abort();
    void Promise.allSettled([sending, expiry]);
  }
}

// The reply of a mail server often repeats the recipient or the login: only its code is kept.
function asMailError(error: unknown, host: string): MailError {
  if (error instanceof MailError) return error;
  const code = fieldOf(error, 'code') ?? 'unknown';
  const reply = Number(fieldOf(error, 'responseCode') ?? 0);
  if (code === 'ETLS')
    return new MailError(
      `${host}: no encrypted connection. Have the server offer STARTTLS with a valid certificate, use smtps://, ` +
        'or add ?tls=optional to SVC_SMTP_URL to send sign-in links in the clear.',
      false,
    );
  // A rejected login is the host's to fix, after which the same mail goes through.
  const permanent = reply >= 500 && (code === 'EENVELOPE' || code === 'EMESSAGE');
  return new MailError(`${host}: mail not accepted (${code}${reply === 0 ? '' : ` ${reply}`})`, permanent);
}

function fieldOf(error: unknown, name: 'code' | 'responseCode'): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const value: unknown = Object.getOwnPropertyDescriptor(error, name)?.value;
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}
