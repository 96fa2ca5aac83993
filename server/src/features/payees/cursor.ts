import { AppError } from '../../errors.ts';

/** A place in the list, which is in the order of names. */
export interface PayeePlace {
  name: string;
  recipientId: string;
}

export function encodePlace({ name, recipientId }: PayeePlace): string {
  return Buffer.from(JSON.stringify([name, recipientId])).toString('base64url');
}

export function decodePlace(cursor: string | undefined): PayeePlace | undefined {
  if (cursor === undefined) return undefined;
  try {
    if (!/^[A-Za-z0-9_-]{1,2000}$/.test(cursor)) throw new Error('alphabet');
    const parsed: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    if (!Array.isArray(parsed) || parsed.length !== 2) throw new Error('shape');
    const [name, recipientId] = parsed.map(storable);
    return { name: name ?? '', recipientId: recipientId ?? '' };
  } catch {
    throw new AppError('invalid_cursor');
  }
}

/** The database takes no such character, and no name has one. */
function storable(value: unknown): string {
  if (typeof value !== 'string' || value.includes('\u0000')) throw new Error('text');
  return value;
}
