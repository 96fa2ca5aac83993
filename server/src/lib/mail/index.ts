import { createEmlMailer } from './eml.ts';
import type { Mailer } from './mailer.ts';
import { createSmtpMailer } from './smtp.ts';

export type { Mail, Mailer } from './mailer.ts';
export { MailError } from './mailer.ts';

export interface MailerOptions {
  /** Unset: every mail becomes an `.eml` file in `mailDir`. */
  smtpUrl?: string;
  from: string;
  mailDir: string;
}

export function createMailer(options: MailerOptions): Mailer {
  return options.smtpUrl === undefined
    ? createEmlMailer(options.from, options.mailDir)
    : createSmtpMailer(options.from, options.smtpUrl);
}
