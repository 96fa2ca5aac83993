import type { Mail } from './types.ts';

/** The fields handed to the composer. `to` is one address, never parsed as a list. */
export function messageOf(mail: Mail, from: string) {
  return {
    from,
    to: { name: '', address: mail.to },
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    // Vacation notices and the like have nobody to answer to.
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}
