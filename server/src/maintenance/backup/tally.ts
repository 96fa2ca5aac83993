import { createHash } from 'node:crypto';

/** The row count and contents of a table, regardless of order. */
export interface Tally {
  rows: number;
  digest: string;
}

const LINE_FEED = 0x0a;

/** Counts rows as COPY writes them, one per line: a line feed within a value is escaped. */
export function createTally() {
  let rows = 0;
  let sum = 0n;
  let open: Buffer[] = [];
  return {
    add(piece: Buffer): void {
      let from = 0;
      for (let end = piece.indexOf(LINE_FEED); end !== -1; end = piece.indexOf(LINE_FEED, from)) {
        const hash = createHash('sha256');
        for (const part of open) hash.update(part);
        const digest = hash.update(piece.subarray(from, end)).digest('hex');
        sum = BigInt.asUintN(256, sum + BigInt(`0x${digest}`));
        rows += 1;
        open = [];
        from = end + 1;
      }
      if (from < piece.length) open.push(Buffer.from(piece.subarray(from)));
    },
    result: (): Tally => ({ rows, digest: sum.toString(16).padStart(64, '0') }),
  };
}
