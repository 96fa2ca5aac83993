import { createHash } from 'node:crypto';
import { foldCase } from '@payassent/protocol';

/** Names that people take for the same have the same digest: of any length, so that an index can hold it. */
export function nameDigest(name: string): string {
  const plain = name.replace(/\p{Default_Ignorable_Code_Point}/gu, '').normalize('NFKC');
  const folded = foldCase(plain).normalize('NFKC').replace(/\s+/gu, ' ').trim();
  return createHash('sha256').update(folded).digest('hex');
}
