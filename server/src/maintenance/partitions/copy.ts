import { givingWay } from '../../db/migrate.ts';
import { quoted } from '../../db/roles/names.ts';
import { type Connection, inTransaction } from './connection.ts';
import { copyOf, type TableShape } from './shape.ts';

export interface CopyState {
  /** Key of the last row that was copied in order; empty at the beginning. */
  after: string[];
  copied: number;
}

interface CopyOptions {
  rowsAtOnce: number;
  tell(copied: number): void;
  signal: AbortSignal | undefined;
  losesRows: boolean;
}

/**
 * The progress of copying, in the database itself, so that it can be interrupted and resumed. Created by the command
 * that copies and dropped at its end: the service does not use it.
 */
export const PROGRESS_TABLE = 'partition_copies';
export const PROGRESS = `create table if not exists ${PROGRESS_TABLE} (
  table_name text primary key, partitions int not null, shape text not null,
  after text[] not null default '{}', copied bigint not null default 0)`;

/**
 * Copies in the order of the key, a transaction for each part. Concurrent changes are written by the trigger, which
 * always wins: the copy never overwrites a row of the trigger's, and a row copied too early is updated by it.
 */
export async function copyRows(
  connection: Connection,
  shape: TableShape,
  state: CopyState,
  { rowsAtOnce, tell, signal, losesRows }: CopyOptions,
): Promise<void> {
  const { table } = shape;
  const names = shape.key.map(({ name }) => quoted(name)).join(', ');
  const place = (from: number) => shape.key.map(({ type }, n) => `$${from + n}::text::${type}`).join(', ');
  const columns = shape.columns.map(quoted).join(', ');
  const texts = shape.key.map(({ name }) => `${quoted(name)}::text`).join(', ');
  // A concurrent delete waits until the row is copied, so that the trigger finds it there.
  const locking = losesRows ? 'for key share' : '';
  let { after, copied } = state;
  for (;;) {
    signal?.throwIfAborted();
    const isLater = after.length > 0 ? `where (${names}) > (${place(1)})` : '';
    const [last] = await connection.unsafe<{ key: string[]; rows: number }[]>(
      `select array[${texts}] as key, count(*) over () as rows from (
         select ${names} from ${table} ${isLater} order by ${names} limit ${rowsAtOnce}) part
       order by ${names.replaceAll(', ', ' desc, ')} desc limit 1`,
      after,
    );
    if (!last) return;
    const until = `${isLater === '' ? 'where' : `${isLater} and`} (${names}) <= (${place(after.length + 1)})`;
    const { key, rows } = last;
    const keys = [...after, ...key];
    copied += rows;
    await givingWay(connection, () =>
      inTransaction(connection, async () => {
        await connection.unsafe(
          `insert into ${copyOf(table)} (${columns}) select ${columns} from ${table} ${until}
           order by ${names} ${locking} on conflict do nothing`,
          keys,
        );
        await connection`
          update partition_copies set after = ${key}, copied = ${copied} where table_name = ${table}`;
      }),
    );
    after = key;
    tell(copied);
  }
}

interface Content {
  rows: number;
  digest: string;
}

/** How many rows, and a sum over the digests of all of them, in one snapshot of both tables. */
export async function compareContents(
  connection: Connection,
  { table, columns }: TableShape,
): Promise<{ original: Content; copy: Content }> {
  const contentOf = async (name: string) => {
    const [content] = await connection.unsafe<[Content]>(
      `select count(*) as rows, coalesce(sum(hashtextextended(row(${columns.map(quoted).join(', ')})::text, 0)::numeric), 0)::text as digest
       from ${name}`,
    );
    return content;
  };
  await connection.unsafe('begin isolation level repeatable read read only');
  try {
    return { original: await contentOf(table), copy: await contentOf(copyOf(table)) };
  } finally {
    await connection.unsafe('rollback');
  }
}
