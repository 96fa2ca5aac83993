import { EventEmitter, once } from 'node:events';
import type { AddressInfo } from 'node:net';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';

export interface ReceivedMail {
  at: Date;
  to: string[];
  from: string;
  subject: string;
  text: string;
  html: string;
  raw: string;
}

interface SmtpFault {
  /** The stage at which the server rejects. */
  at: 'recipient' | 'message';
  code: number;
  message?: string;
}

export interface MailCatcher {
  /** As `SVC_SMTP_URL` wants it. */
  readonly url: string;
  readonly mails: readonly ReceivedMail[];
  /** The first mail to this address that no earlier wait has returned. */
  waitForMail(to: string, timeoutMs?: number): Promise<ReceivedMail>;
  /** Refuses the next `count` mails (default 1). */
  failNext(fault: SmtpFault, count?: number): void;
  close(): Promise<void>;
}

interface MailCatcherOptions {
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
  const arrivals = new EventEmitter().setMaxListeners(0);
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
          .then((mail) => {
            mails.push(mail);
            arrivals.emit('mail');
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
    async waitForMail(to, timeoutMs = 30_000) {
      const signal = AbortSignal.timeout(timeoutMs);
      for (;;) {
        const found = take(to);
        if (found !== undefined) return found;
        await once(arrivals, 'mail', { signal }).catch(() => {
          throw new Error(`no mail to ${to} (${mails.length} in all) within ${timeoutMs} ms`);
        });
      }
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

async function readMail(raw: Buffer, envelope: { from: string; to: string[] }): Promise<ReceivedMail> {
  const { subject = '', text = '', html = '' } = await PostalMime.parse(raw);
  return { at: new Date(), ...envelope, subject, text, html, raw: raw.toString('utf8') };
}
