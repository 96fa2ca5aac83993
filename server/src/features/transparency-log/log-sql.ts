import type { Edge, Stretch, TileHash } from '@payassent/protocol/log';
import type { Sql, Tx } from '../../db/open.ts';
import { statementsOf } from '../../storage/index.ts';
import type { MadeEntry, QueuedEntry } from './entry-text.ts';

const HASH_BYTES = 32;

interface HeadRow {
  size: number;
  edge: Buffer;
}

export async function readEdge(sql: Sql): Promise<Edge> {
  const [head] = await sql<HeadRow[]>`select size, edge from log_head`;
  if (!head) throw new Error('The row with the head of the transparency log is gone.');
  return edgeOf(head);
}

/** Undefined while another process extends the log; the lock ends with its holder, even on a crash. */
export async function takeEdge(tx: Tx): Promise<Edge | undefined> {
  const [head] = await tx<HeadRow[]>`select size, edge from log_head for update skip locked`;
  return head && edgeOf(head);
}

function edgeOf({ size, edge }: HeadRow): Edge {
  const hashes: Uint8Array[] = [];
  for (let at = 0; at < edge.length; at += HASH_BYTES) hashes.push(edge.subarray(at, at + HASH_BYTES));
  return { size, hashes };
}

export async function hasQueued(sql: Sql): Promise<boolean> {
  const [row] = await sql<{ found: boolean }[]>`select exists (select from log_queue) as found`;
  return row?.found || ((await statementsOf(sql).outbox?.has(sql)) ?? false);
}

export async function takeQueued(tx: Tx, limit: number): Promise<QueuedEntry[]> {
  return tx<QueuedEntry[]>`
    with taken as (
      delete from log_queue where entry_id in (select entry_id from log_queue order by entry_id limit ${limit})
      returning *
    )
    select type, at, subject, content::text as content, salt from taken order by entry_id`;
}

/**
 * Entries, their hashes and the new head are one change: no reader ever sees a part of it. Rows go in as lists: with a
 * parameter per value each number of rows would be a new statement, parsed and planned again and cached by each
 * connection.
 */
export async function storeGrowth(
  tx: Tx,
  growth: { from: number; entries: readonly MadeEntry[]; made: readonly TileHash[]; edge: Edge },
): Promise<void> {
  const { from, entries, made, edge } = growth;
  await tx`
    insert into log_entries (position, type, subject, entry, salt, content)
    select ${from}::bigint + i.n - 1, i.type, i.subject, i.entry, decode(i.salt, 'hex'), i.content
    from unnest(${entries.map(({ type }) => type)}::text[], ${entries.map(({ subject }) => subject)}::text[],
                ${entries.map(({ entry }) => entry)}::text[],
                ${entries.map(({ salt }) => salt?.toString('hex') ?? null)}::text[],
                ${entries.map(({ content }) => content)}::text[])
      with ordinality i(type, subject, entry, salt, content, n)`;
  await tx`
    insert into log_hashes (level, position, hash)
    select i.level, i.position, substring(${Buffer.concat(made.map(({ hash }) => hash))}::bytea
      from ((i.n - 1) * ${HASH_BYTES}::int + 1)::int for ${HASH_BYTES}::int)
    from unnest(${made.map(({ level }) => level)}::int[], ${made.map(({ position }) => position)}::bigint[])
      with ordinality i(level, position, n)`;
  await tx`update log_head set size = ${edge.size}, edge = ${Buffer.concat(edge.hashes)}`;
}

/** The hashes of one tile from its beginning, as many as there are up to `width`. */
export async function readTile(sql: Sql, level: number, index: number, width: number): Promise<Uint8Array[]> {
  const first = index * 256;
  const rows = await sql<{ hash: Buffer }[]>`
    select hash from log_hashes
    where level = ${level} and position >= ${first} and position < ${first + width} order by position`;
  return rows.map((row) => row.hash);
}

export async function readEntries(sql: Sql, index: number, width: number): Promise<Uint8Array[]> {
  const first = index * 256;
  const rows = await sql<{ entry: string }[]>`
    select entry from log_entries where position >= ${first} and position < ${first + width} order by position`;
  return rows.map((row) => Buffer.from(row.entry, 'utf8'));
}

/**
 * The hashes of several ranges in one statement, each range complete or an error. The limit, which no range exceeds,
 * keeps the planner from reading the whole table once for all of them when the log is large.
 */
export async function readStretches(sql: Sql, stretches: readonly Stretch[]): Promise<Uint8Array[][]> {
  const rows = await sql<{ n: number; hash: Buffer }[]>`
    select i.n, h.hash
    from unnest(${stretches.map(({ level }) => level)}::int[], ${stretches.map(({ first }) => first)}::bigint[],
                ${stretches.map(({ first, count }) => first + count)}::bigint[]) with ordinality i(level, first, behind, n)
      cross join lateral (
        select position, hash from log_hashes
        where level = i.level and position >= i.first and position < i.behind
        order by position limit 128) h
    order by i.n, h.position`;
  const found: Uint8Array[][] = stretches.map(() => []);
  for (const { n, hash } of rows) found[n - 1]?.push(hash);
  if (found.some((hashes, n) => hashes.length !== stretches[n]?.count))
    throw new Error('The transparency log lacks a hash.');
  return found;
}

export interface SigningKeyRow {
  kid: string;
  use: 'evidence' | 'log';
  public_key: Buffer;
  created_at: Date;
  retired_at: Date | null;
}

export async function readSigningKeys(sql: Sql): Promise<SigningKeyRow[]> {
  return sql<SigningKeyRow[]>`
    select kid, use, public_key, created_at, retired_at from signing_keys
    order by retired_at is not null, created_at desc, kid`;
}

/** Entries about these subjects that are in the tree, in its order. */
export async function findEntries(
  sql: Sql,
  subjects: readonly string[],
): Promise<(MadeEntry & { position: number })[]> {
  return sql<(MadeEntry & { position: number })[]>`
    select position, type, subject, entry, salt, content from log_entries
    where subject = any(${[...subjects]}::text[]) order by position`;
}

/** Entries about these subjects that are not in the tree yet. */
export async function findQueued(sql: Sql, subjects: readonly string[]): Promise<QueuedEntry[]> {
  // What is integrated in between is found twice, never lost.
  const elsewhere = (await statementsOf(sql).outbox?.find(sql, subjects)) ?? [];
  const queued = await sql<QueuedEntry[]>`
    select type, at, subject, content::text as content, salt from log_queue
    where subject = any(${[...subjects]}::text[]) order by entry_id`;
  return [...queued, ...elsewhere];
}
