import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { createWaitingRoom } from './waiting-room.ts';

export interface ReceivedMail {
  at: Date;
  to: string[];
  from: string;
  subject: string;
  text: string;
  html: string;
  raw: string;
  parsed: Email;
}

export interface SmtpFault {
  /** Where the server says no. */
  at: 'recipient' | 'message';
  code: number;
  message?: string;
}

export interface MailCatcher {
  /** As `SVC_SMTP_URL` wants it. */
  readonly url: string;
  readonly mails: readonly ReceivedMail[];
  /** Calls back for every mail that is accepted; before the sender hears that it was. */
  onMail(listener: (mail: ReceivedMail) => unknown): void;
  /** The first mail to this address that no earlier wait has returned. */
  waitForMail(to: string, timeoutMs?: number): Promise<ReceivedMail>;
  /** Refuses the next `count` mails (default 1). */
  failNext(fault: SmtpFault, count?: number): void;
  close(): Promise<void>;
}

export interface MailCatcherOptions {
  /** Loopback unless stated. */
  host?: string;
  /** A free one unless stated. */
  port?: number;
  /** Requires this login; offered without TLS, as loopback is the wire. */
  login?: { user: string; password: string };
  /** PEM. Offers STARTTLS with it, and takes no mail without. */
  tls?: { key: string; cert: string };
}

/** An SMTP server that takes every mail and keeps it. */
export async function startMailCatcher(options: MailCatcherOptions = {}): Promise<MailCatcher> {
  const mails: ReceivedMail[] = [];
  const handedOut = new Set<ReceivedMail>();
  const listeners: ((mail: ReceivedMail) => unknown)[] = [];
  const waiting = createWaitingRoom();
  const faults: SmtpFault[] = [];
  const { host = '127.0.0.1', login, tls } = options;
  const disabledCommands = [...(tls ? [] : ['STARTTLS']), ...(login ? [] : ['AUTH'])];

  const refusal = (at: SmtpFault['at']): Error | undefined => {
    if (faults[0]?.at !== at) return undefined;
    const fault = faults.shift();
    return Object.assign(new Error(fault?.message ?? 'refused'), { responseCode: fault?.code });
  };

  const server = new SMTPServer({
    authOptional: login === undefined,
    disabledCommands,
    ...tls,
    allowInsecureAuth: true,
    logger: false,
    onAuth(auth, _session, done) {
      const welcome = auth.username === login?.user && auth.password === login?.password;
      done(welcome ? null : new Error('wrong login'), welcome ? { user: auth.username } : undefined);
    },
    onMailFrom: (_address, session, done) =>
      done(tls && !session.secure ? Object.assign(new Error('use STARTTLS'), { responseCode: 530 }) : null),
    onRcptTo: (_address, _session, done) => done(refusal('recipient')),
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const fault = refusal('message');
        if (fault !== undefined) return done(fault);
        const { mailFrom, rcptTo } = session.envelope;
        const to = rcptTo.map(({ address }) => address);
        readMail(Buffer.concat(chunks), { from: mailFrom === false ? '' : mailFrom.address, to })
          .then(async (mail) => {
            mails.push(mail);
            for (const listener of listeners) await listener(mail);
            waiting.wake();
          })
          .then(() => done(), done);
      });
    },
  });
  server.on('error', () => undefined);
  const listening = once(server.server, 'listening');
  server.listen(options.port ?? 0, host);
  await listening;
  const { port } = server.server.address() as AddressInfo;
  const credentials = login === undefined ? '' : `${encodeURIComponent(login.user)}:${login.password}@`;

  const take = (to: string): ReceivedMail | undefined => {
    const found = mails.find((mail) => mail.to.includes(to) && !handedOut.has(mail));
    if (found !== undefined) handedOut.add(found);
    return found;
  };
  return {
    url: `smtp://${credentials}${host}:${port}`,
    mails,
    failNext: (fault, count = 1) => {
      for (let i = 0; i < count; i += 1) faults.push(fault);
    },
    onMail: (listener) => void listeners.push(listener),
    waitForMail: (to, timeoutMs) =>
      waiting.waitFor(() => take(to), {
        ...(timeoutMs === undefined ? {} : { timeoutMs }),
        missing: () => `no mail to ${to} (${mails.length} in all)`,
      }),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** Parses a message as it came over the wire, or as it was kept. */
export async function readMail(
  raw: Buffer,
  envelope: { from: string; to: string[]; at?: Date },
): Promise<ReceivedMail> {
  const parsed = await PostalMime.parse(raw);
  const { subject = '', text = '', html = '' } = parsed;
  const { from, to, at = new Date() } = envelope;
  return { at, to, from, subject, text, html, raw: raw.toString('utf8'), parsed };
}
