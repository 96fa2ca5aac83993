import { NAME_NOT_SHOWN, shownName } from '@payassent/protocol';

/**
 * A name that people chose, of a merchant, agent, payee, passkey or key, in the body of a mail: quoted, so that it does not read as our own words. Subjects
 * contain none, because many readers see nothing else of a mail.
 */
export function mailName(name: string): string {
  const shown = shownName(name);
  return shown === undefined ? NAME_NOT_SHOWN : JSON.stringify(shown);
}
