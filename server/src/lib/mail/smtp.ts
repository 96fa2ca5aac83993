import { createTransport } from 'nodemailer';
import { MailError } from './error.ts';
import { messageOf } from './message.ts';
import type { Mailer } from './types.ts';

const connectTimeoutMs = 10_000;
const silenceTimeoutMs = 20_000;

export function createSmtpMailer(from: string, smtpUrl: string): Mailer {
  const server = new URL(smtpUrl);
  const transport = createTransport({
    url: smtpUrl,
    pool: true,
    maxConnections: 4,
    connectionTimeout: connectTimeoutMs,
    greetingTimeout: connectTimeoutMs,
    socketTimeout: silenceTimeoutMs,
  });
  return {
    description: `SMTP server ${server.host}`,
    async send(mail) {
      try {
        const sent = await transport.sendMail(messageOf(mail, from));
        return { location: `${server.host} ${sent.messageId}` };
      } catch (error) {
        throw asMailError(error, server.host);
      }
    },
    async close() {
      transport.close();
    },
  };
}

// The reply of a mail server often repeats the recipient or the login: only its code goes on.
function asMailError(error: unknown, host: string): MailError {
  if (!(error instanceof Error)) return new MailError(`${host}: mail not accepted`, false);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : 'unknown';
  const reply = 'responseCode' in error && typeof error.responseCode === 'number' ? error.responseCode : 0;
  // A refused login (EAUTH) is the operator's to mend, after which the same mail goes through.
  const permanent = reply >= 500 && (code === 'EENVELOPE' || code === 'EMESSAGE');
  return new MailError(`${host}: mail not accepted (${code}${reply === 0 ? '' : ` ${reply}`})`, permanent);
}
