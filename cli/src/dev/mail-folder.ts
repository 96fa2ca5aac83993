import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import PostalMime from 'postal-mime';

export interface LocalMail {
  at: string;
  from: string;
  to: string[];
  subject: string;
  text: string;
}

const LOOK_MS = 200;

/**
 * The mails of a service without an SMTP server, which writes each as a file that appears whole and is named by its time.
 * They stay here when the service deletes old files.
 */
export function watchMailFolder(folder: string, onMail: (mail: LocalMail, number: number) => void) {
  const mails: LocalMail[] = [];
  const seen = new Set<string>();
  let isStopped = false;
  const look = async (): Promise<void> => {
    for (const name of (await readdir(folder).catch(() => [])).sort()) {
      if (!name.endsWith('.eml') || seen.has(name)) continue;
      seen.add(name);
      const { from, to, subject, text, date } = await PostalMime.parse(await readFile(join(folder, name)));
      const mail = {
        at: new Date(date ?? Date.now()).toISOString(),
        from: from?.address ?? '',
        to: (to ?? []).flatMap(({ address }) => address ?? []),
        subject: subject ?? '',
        text: text ?? '',
      };
      onMail(mail, mails.push(mail));
    }
    if (!isStopped) timer = setTimeout(look, LOOK_MS);
  };
  let timer = setTimeout(look, LOOK_MS);
  return {
    mails: mails as readonly LocalMail[],
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
