export interface Mail {
  to: string;
  subject: string;
  text: string;
  html: string;
}

export interface Mailer {
  /** Resolves when the mail is delivered or accepted for delivery; `location` is where, for the console and the log. */
  send(mail: Mail): Promise<{ location: string }>;
  /** Deletes up to so many old mails, where mails are files. */
  forget(before: Date, limit: number): Promise<number>;
  close(): Promise<void>;
  /** Where mail goes, as text, without secrets. */
  description: string;
}

/** A mail that was not sent. The message contains no address, text or password. */
export class MailError extends Error {
  override readonly name = 'MailError';
  /** True when retrying the same mail cannot help: the server rejected this recipient or message. */
  readonly permanent: boolean;

  constructor(message: string, permanent: boolean) {
    super(message);
    this.permanent = permanent;
  }
}

// RFC 5322: the longest line of a mail, without its line end.
const maxLineBytes = 998;

/** What needs no encoding: a file accepts every byte, a mail server is only sure to accept ASCII. */
type Medium = '7bit' | '8bit';

/** The fields passed to the composer. */
export function messageOf(mail: Mail, from: string, medium: Medium) {
  if (!isOneAddress(mail.to)) throw new MailError('the recipient is not one plain address', true);
  return {
    from,
    // An object is used as it is; a text would be parsed as a list.
    to: { name: '', address: mail.to },
    subject: mail.subject,
    alternatives: [partOf('text/plain', mail.text, medium), partOf('text/html', mail.html, medium)],
    // Suppresses vacation responders (RFC 3834).
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

function isOneAddress(text: string): boolean {
  return /^[^\s<>,;\u0000-\u001f\u007f]+@[^\s<>,;@\u0000-\u001f\u007f]+$/u.test(text);
}

// The composer turns every line over 76 characters into quoted-printable, which breaks links in two: a person who opens
// the file or the source of a mail could not copy them. So text that needs no encoding gets none.
function partOf(type: 'text/plain' | 'text/html', text: string, medium: Medium) {
  const contentType = `${type}; charset=utf-8`;
  const lines = text.split(/\r?\n/);
  const readable = medium === '8bit' ? /^[\t\u0020-\u007e\u00a0-\u{10ffff}]*$/u : /^[\t\u0020-\u007e]*$/;
  const asItIs = lines.every((line) => readable.test(line) && Buffer.byteLength(line) <= maxLineBytes);
  if (!asItIs) return { contentType, content: text };
  const encoding = /[^\u0000-\u007f]/.test(text) ? '8bit' : '7bit';
  const head = [`Content-Type: ${contentType}`, `Content-Transfer-Encoding: ${encoding}`, ''];
  return { contentType, raw: [...head, ...lines].join('\r\n') };
}
