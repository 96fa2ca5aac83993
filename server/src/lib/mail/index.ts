import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { createTransport } from 'nodemailer';
import { type Mailer, messageOf } from './mailer.ts';
import { createSmtpMailer } from './smtp.ts';

export type { Mail, Mailer } from './mailer.ts';
export { MailError } from './mailer.ts';

interface MailerOptions {
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

/** For a machine without a mail server: one file per mail, readable by the service's own user alone. */
function createEmlMailer(from: string, mailDir: string): Mailer {
  makeFolder(mailDir);
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  return {
    description: `files in ${mailDir}`,
    async send(mail) {
      const { message } = await composer.sendMail(messageOf(mail, from, '8bit'));
      if (!Buffer.isBuffer(message)) throw new TypeError('the composer gave no buffer');
      await mkdir(mailDir, { recursive: true, mode: 0o700 });
      const location = join(mailDir, `${fileStem()}.eml`);
      await writeWhole(location, message);
      return { location };
    },
    async forget(before, limit) {
      const names = await readdir(mailDir).catch(() => []);
      const old = names.filter((name) => name.endsWith('.eml') && name < timeStem(before)).slice(0, limit);
      for (const name of old) await rm(join(mailDir, name), { force: true });
      return old.length;
    },
    async close() {
      composer.close();
    },
  };
}

// Exists from the start, so that a person finds an empty folder and not none. Sending reports any problem.
function makeFolder(mailDir: string): void {
  try {
    mkdirSync(mailDir, { recursive: true, mode: 0o700 });
  } catch {}
}

// Sorts by time; the random part distinguishes two processes.
function fileStem(): string {
  return `${timeStem(new Date())}-${randomBytes(4).toString('hex')}`;
}

function timeStem(time: Date): string {
  return time.toISOString().replaceAll(/[-:]/g, '').replace('.', '-');
}

// A reader of the folder sees only complete mails, so the draft is next to the folder.
async function writeWhole(path: string, content: Uint8Array): Promise<void> {
  const draft = `${dirname(path)}-draft-${basename(path)}`;
  try {
    const file = await open(draft, 'wx', 0o600);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
