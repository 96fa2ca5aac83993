import { shell } from '../texts/wallet.ts';
import { Note } from '../ui/notes.tsx';
import { MOST_RECORDS } from './read-up-to.ts';

/** Shown below a list that may have more records than were read. */
export function CutNote({ count }: { count: number }) {
  return count < MOST_RECORDS ? null : <Note kind="warn">{shell.cut(MOST_RECORDS)}</Note>;
}
