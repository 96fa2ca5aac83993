import { type NoteKey, parseVerifierKey } from '@payassent/protocol/log';

/** A witness of the transparency log: C2SP tlog-witness. */
export interface LogWitness {
  /** The key as one line of text, which identifies the witness. */
  vkey: string;
  key: NoteKey;
  /** Where checkpoints are sent, without a trailing slash. */
  url: string;
}

/** `<vkey> <url>`, comma separated. */
export function parseLogWitnesses(text: string): { witnesses: LogWitness[]; faults: string[] } {
  const witnesses: LogWitness[] = [];
  const faults: string[] = [];
  for (const entry of text.split(',').map((item) => item.trim())) {
    if (entry === '') continue;
    const [vkey = '', url = '', ...rest] = entry.split(/\s+/);
    const key = parseVerifierKey(vkey);
    if (key?.kind !== 'cosignature' || rest.length > 0 || !isUsable(url))
      faults.push(
        `has "${entry}": each entry must be the verifier key of a witness (<name>+<id>+<key>, of a cosigner), a blank and its http(s) address.`,
      );
    else if (witnesses.some((known) => known.vkey === vkey)) faults.push(`names ${key.name} twice.`);
    else witnesses.push({ vkey, key, url: url.replace(/\/+$/, '') });
  }
  return { witnesses, faults };
}

function isUsable(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, username, search, hash } = new URL(url);
  return (protocol === 'https:' || protocol === 'http:') && !username && !search && !hash;
}
