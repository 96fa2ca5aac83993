// Slow: encrypts and damages large files.
import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { opened, sealed } from './envelope.ts';

const PASSPHRASE = 'correct horse battery staple';
const CHUNK = 64 * 1024;

async function all(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const found: Uint8Array[] = [];
  for await (const piece of pieces) found.push(piece);
  return Buffer.concat(found);
}

const seal = (content: Buffer) => all(sealed(Readable.from([content]), PASSPHRASE));
/** In small pieces, as from a slow disk. */
function open(file: Buffer, passphrase = PASSPHRASE): Promise<Buffer> {
  const pieces = Array.from({ length: Math.ceil(file.length / 1000) }, (_, index) =>
    file.subarray(index * 1000, (index + 1) * 1000),
  );
  return all(opened(Readable.from(pieces), passphrase));
}

describe('the file of a backup', () => {
  it('gives back what was put in, whatever its size, and shows nothing of it', async () => {
    for (const size of [0, 1, CHUNK, CHUNK + 1, 3 * CHUNK]) {
      const content = Buffer.alloc(size, 'payee@shop.example ');
      const file = await seal(content);
      expect((await open(file)).equals(content)).toBe(true);
      expect(file.includes('shop.example')).toBe(false);
    }
  });

  it('is refused with another passphrase, and when it is no backup', async () => {
    const file = await seal(randomBytes(100));
    await expect(open(file, 'correct horse battery stable')).rejects.toThrow('The passphrase is not the one');
    await expect(open(randomBytes(500))).rejects.toThrow('no backup of PayAssent');
    await expect(open(Buffer.alloc(0))).rejects.toThrow('no backup of PayAssent');
  });

  it('is refused when it is cut, also between two chunks, and when something is changed, moved or added', async () => {
    const file = await seal(randomBytes(3 * CHUNK));
    const start = file.indexOf('\n', file.indexOf('\n') + 1) + 1;
    const chunk = 5 + CHUNK + 16;
    expect(file.length).toBe(start + 3 * chunk);
    for (const end of [start, start + 3, start + chunk, start + 2 * chunk, file.length - 1])
      await expect(open(file.subarray(0, end))).rejects.toThrow('The backup is cut');
    const swapped = Buffer.concat([
      file.subarray(0, start),
      file.subarray(start + chunk, start + 2 * chunk),
      file.subarray(start, start + chunk),
      file.subarray(start + 2 * chunk),
    ]);
    const early = Buffer.from(file.subarray(0, start + chunk));
    early[start] = 1;
    const flipped = Buffer.from(file);
    flipped[start + 100] = (flipped[start + 100] ?? 0) ^ 1;
    for (const changed of [swapped, early, flipped])
      await expect(open(changed)).rejects.toThrow('The backup is damaged');
    await expect(open(Buffer.concat([file, file.subarray(start)]))).rejects.toThrow('Something was added');
  });
});
