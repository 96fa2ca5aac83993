import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { BackupError } from '../../errors.ts';
import { createByteReader } from './frames.ts';

/*
 * A backup file: one line that identifies it, one line of JSON, then chunks of AES-256-GCM under a key from the
 * passphrase. The nonce of a chunk is its number and whether it is the last, so that none can be removed, moved or
 * added.
 */

const FIRST_LINE = 'PAYASSENT-BACKUP 1\n';
const CHUNK_BYTES = 64 * 1024;
const TAG_BYTES = 16;
const MAX_HEADER_BYTES = 4096;
const COST = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 * 1024 } as const;

const deriveKey = promisify<string, Buffer, number, typeof COST, Buffer>(scrypt);

/** Each file has a separate salt, and with it a separate key: counters are enough as nonces. */
interface Header {
  salt: string;
  /** Distinguishes a wrong passphrase from a damaged file. */
  check: string;
}

export async function* sealed(
  content: AsyncIterable<Uint8Array>,
  passphrase: string,
): AsyncGenerator<Buffer, void> {
  const salt = randomBytes(16);
  const key = await deriveKey(passphrase, salt, 32, COST);
  const header: Header = { salt: salt.toString('base64'), check: checkOf(key) };
  const line = `${JSON.stringify(header)}\n`;
  yield Buffer.from(FIRST_LINE + line);
  const bound = boundTo(line);
  let number = 0;
  let rest: Buffer = Buffer.alloc(0);
  for await (const piece of content) {
    rest = Buffer.concat([rest, piece]);
    // One is held back: only at the end the last one is known.
    while (rest.length > CHUNK_BYTES) {
      yield seal(key, bound, number, false, rest.subarray(0, CHUNK_BYTES));
      rest = rest.subarray(CHUNK_BYTES);
      number += 1;
    }
  }
  yield seal(key, bound, number, true, rest);
}

/** Rejects a wrong passphrase immediately, and damaged, missing or added data where it occurs. */
export async function* opened(
  file: AsyncIterable<Uint8Array>,
  passphrase: string,
): AsyncGenerator<Buffer, void> {
  const reader = createByteReader(file);
  if ((await reader.line(MAX_HEADER_BYTES)) !== FIRST_LINE)
    throw new BackupError('This is no backup of PayAssent, or of a newer version of it.');
  const line = await reader.line(MAX_HEADER_BYTES);
  const header = headerIn(line);
  const key = await deriveKey(passphrase, Buffer.from(header.salt, 'base64'), 32, COST);
  if (checkOf(key) !== header.check)
    throw new BackupError('The passphrase is not the one that this backup was made with.');
  const bound = boundTo(line);
  for (let number = 0; ; number += 1) {
    const head = await reader.exactly(5);
    if (!head) throw cut();
    const isLast = head[0] === 1;
    const length = head.readUInt32BE(1);
    if (length > CHUNK_BYTES + TAG_BYTES || length < TAG_BYTES) throw damaged();
    const box = await reader.exactly(length);
    if (!box) throw cut();
    yield open(key, bound, number, isLast, box);
    if (isLast) break;
  }
  if (await reader.exactly(1)) throw new BackupError('Something was added behind the end of the backup.');
}

function seal(key: Buffer, bound: Buffer, number: number, isLast: boolean, plain: Buffer): Buffer {
  const cipher = createCipheriv('aes-256-gcm', key, nonceOf(number, isLast));
  cipher.setAAD(bound);
  const body = Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
  const head = Buffer.alloc(5);
  head[0] = isLast ? 1 : 0;
  head.writeUInt32BE(body.length, 1);
  return Buffer.concat([head, body]);
}

function open(key: Buffer, bound: Buffer, number: number, isLast: boolean, box: Buffer): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, nonceOf(number, isLast));
  decipher.setAAD(bound);
  decipher.setAuthTag(box.subarray(-TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(box.subarray(0, -TAG_BYTES)), decipher.final()]);
  } catch {
    throw damaged();
  }
}

function nonceOf(number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUIntBE(number, 5, 6);
  nonce[11] = isLast ? 1 : 0;
  return nonce;
}

function headerIn(line: string): Header {
  try {
    const { salt, check } = JSON.parse(line) as Partial<Header>;
    if (typeof salt === 'string' && typeof check === 'string') return { salt, check };
  } catch {}
  throw damaged();
}

function checkOf(key: Buffer): string {
  return Buffer.from(hkdfSync('sha256', key, '', 'payassent.backup.check', 16)).toString('base64');
}

function boundTo(line: string): Buffer {
  return createHash('sha256').update(FIRST_LINE).update(line).digest();
}

const cut = () => new BackupError('The backup is cut: its end is missing. Use a complete copy.');
const damaged = () =>
  new BackupError('The backup is damaged: it is not as it was written. Use another copy.');
