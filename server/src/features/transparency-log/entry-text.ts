import { parseExactJson } from '@payassent/protocol';
import {
  type ClearEntry,
  clearEntryText,
  committedEntryText,
  type EntryType,
  isClearEntryType,
} from '@payassent/protocol/evidence';

/** A queued entry. `content` is JSON text. */
export interface QueuedEntry {
  type: EntryType;
  at: Date;
  subject: string;
  content: string;
  salt: Buffer;
}

/** Its published part, and the part that is only in a bundle. */
export interface MadeEntry {
  type: EntryType;
  subject: string;
  entry: string;
  salt: Buffer | null;
  content: string | null;
}

/** The same text before and after the entry is integrated: a bundle may be requested in between. */
export function makeEntry({ type, at, subject, content, salt }: QueuedEntry): MadeEntry {
  const read = parseExactJson(content);
  if (isClearEntryType(type))
    return {
      type,
      subject,
      entry: clearEntryText(type, at, read as Pick<ClearEntry, 'domain' | 'evidence_digest'>),
      salt: null,
      content: null,
    };
  return { type, subject, entry: committedEntryText(type, at, salt, read), salt, content };
}
