import { BackupError } from '../../errors.ts';

/** The contents of a backup: JSON that describes what follows, and rows as COPY writes them. */
export type Frame = { json: unknown } | { rows: Buffer };

const KINDS = { json: 0x4a, rows: 0x44 } as const;
const MAX_FRAME_BYTES = 1024 * 1024 * 1024;

export function encoded(frame: Frame): Buffer {
  const [kind, body] =
    'rows' in frame ? [KINDS.rows, frame.rows] : [KINDS.json, Buffer.from(JSON.stringify(frame.json))];
  const head = Buffer.alloc(5);
  head[0] = kind;
  head.writeUInt32BE(body.length, 1);
  return Buffer.concat([head, body]);
}

export async function* decoded(content: AsyncIterable<Uint8Array>): AsyncGenerator<Frame, void> {
  const reader = createByteReader(content);
  for (;;) {
    const head = await reader.exactly(5);
    if (!head) return;
    const length = head.readUInt32BE(1);
    const body = length > MAX_FRAME_BYTES ? undefined : await reader.exactly(length);
    if (!body) throw new BackupError('The content of the backup ends too early.');
    yield head[0] === KINDS.rows ? { rows: body } : { json: JSON.parse(body.toString('utf8')) };
  }
}

/** Reads exact numbers of bytes from a stream; undefined when it ends before. */
export function createByteReader(source: AsyncIterable<Uint8Array>) {
  const pieces = source[Symbol.asyncIterator]();
  let kept: Buffer[] = [];
  let length = 0;
  const more = async (): Promise<boolean> => {
    const { value, done } = await pieces.next();
    if (done) return false;
    kept.push(Buffer.from(value.buffer, value.byteOffset, value.byteLength));
    length += value.byteLength;
    return true;
  };
  const take = (count: number): Buffer => {
    const all = kept.length === 1 && kept[0] ? kept[0] : Buffer.concat(kept);
    kept = [all.subarray(count)];
    length -= count;
    return all.subarray(0, count);
  };
  return {
    async exactly(count: number): Promise<Buffer | undefined> {
      while (length < count) if (!(await more())) return undefined;
      return take(count);
    },
    /** With its line feed; whatever was read when none comes within `max` bytes. */
    async line(max: number): Promise<string> {
      for (;;) {
        const all = Buffer.concat(kept);
        const end = all.indexOf('\n');
        if (end !== -1 && end < max) return take(end + 1).toString('utf8');
        if (length >= max || !(await more())) return take(Math.min(length, max)).toString('utf8');
      }
    },
  };
}
