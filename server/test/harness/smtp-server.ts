import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';

export interface ReceivedMail {
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

export interface TestSmtpServer {
  /** As `SVC_SMTP_URL` wants it. */
  readonly url: string;
  readonly mails: readonly ReceivedMail[];
  /** The first mail to this address that no earlier wait has returned. */
  waitForMail(to: string, timeoutMs?: number): Promise<ReceivedMail>;
  /** Refuses the next `count` mails (default 1). */
  failNext(fault: SmtpFault, count?: number): void;
  close(): Promise<void>;
}

export interface SmtpServerOptions {
  /** Requires this login; offered without TLS, as loopback is the wire. */
  login?: { user: string; password: string };
}

const defaultWaitMs = 10_000;

export async function startSmtpServer(options: SmtpServerOptions = {}): Promise<TestSmtpServer> {
  const mails: ReceivedMail[] = [];
  const handedOut = new Set<ReceivedMail>();
  const waiters = new Set<() => void>();
  const faults: SmtpFault[] = [];
  const { login } = options;

  const refusal = (at: SmtpFault['at']): Error | undefined => {
    if (faults[0]?.at !== at) return undefined;
    const fault = faults.shift();
    return Object.assign(new Error(fault?.message ?? 'refused'), { responseCode: fault?.code });
  };

  const server = new SMTPServer({
    authOptional: login === undefined,
    disabledCommands: login === undefined ? ['STARTTLS', 'AUTH'] : ['STARTTLS'],
    allowInsecureAuth: true,
    logger: false,
    onAuth(auth, _session, done) {
      const welcome = auth.username === login?.user && auth.password === login?.password;
      done(welcome ? null : new Error('wrong login'), welcome ? { user: auth.username } : undefined);
    },
    onRcptTo: (_address, _session, done) => done(refusal('recipient')),
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const fault = refusal('message');
        if (fault !== undefined) return done(fault);
        const { mailFrom, rcptTo } = session.envelope;
        const to = rcptTo.map(({ address }) => address);
        receive(Buffer.concat(chunks), mailFrom === false ? '' : mailFrom.address, to).then((mail) => {
          mails.push(mail);
          for (const wake of waiters) wake();
          done();
        }, done);
      });
    },
  });
  server.on('error', () => undefined);
  const listening = once(server.server, 'listening');
  server.listen(0, '127.0.0.1');
  await listening;
  const { port } = server.server.address() as AddressInfo;
  const credentials = login === undefined ? '' : `${encodeURIComponent(login.user)}:${login.password}@`;

  const take = (to: string): ReceivedMail | undefined => {
    const found = mails.find((mail) => mail.to.includes(to) && !handedOut.has(mail));
    if (found !== undefined) handedOut.add(found);
    return found;
  };
  return {
    url: `smtp://${credentials}127.0.0.1:${port}`,
    mails,
    failNext: (fault, count = 1) => {
      for (let i = 0; i < count; i += 1) faults.push(fault);
    },
    waitForMail: (to, timeoutMs = defaultWaitMs) =>
      new Promise((resolve, reject) => {
        const check = (): void => {
          const mail = take(to);
          if (mail === undefined) return;
          clearTimeout(timer);
          waiters.delete(check);
          resolve(mail);
        };
        const timer = setTimeout(() => {
          waiters.delete(check);
          reject(new Error(`no mail to ${to} within ${timeoutMs} ms (${mails.length} in all)`));
        }, timeoutMs);
        waiters.add(check);
        check();
      }),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

async function receive(raw: Buffer, from: string, to: string[]): Promise<ReceivedMail> {
  const parsed = await PostalMime.parse(raw);
  const { subject = '', text = '', html = '' } = parsed;
  return { to, from, subject, text, html, raw: raw.toString('utf8'), parsed };
}
