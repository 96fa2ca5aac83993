export interface Mail {
  to: string;
  subject: string;
  text: string;
  html: string;
}

export interface Mailer {
  /** Resolves when the mail is handed over for good; `location` says where, for the console and the log. */
  send(mail: Mail): Promise<{ location: string }>;
  /** Deletes up to so many mails of the past, where mails are files. */
  forget(before: Date, limit: number): Promise<number>;
  close(): Promise<void>;
  /** Where mail goes, in words, without secrets. */
  description: string;
}

/** A mail that was not handed over. The message carries no address, text or password. */
export class MailError extends Error {
  override readonly name = 'MailError';
  /** True when trying the same mail again cannot help: the server refused this recipient or message. */
  readonly permanent: boolean;

  constructor(message: string, permanent: boolean) {
    super(message);
    this.permanent = permanent;
  }
}
