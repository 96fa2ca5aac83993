import type { Sql, Tx } from '../../db/open.ts';
import type { AuditRow } from './chain.ts';

export interface ChainHead {
  position: number;
  hash: Buffer;
  /** The last link that retention removed; the following ones are still there. */
  anchor_position: number;
  anchor_hash: Buffer;
  published_hash: Buffer | null;
  published_at: Date | null;
}

export async function readHead(sql: Sql): Promise<ChainHead> {
  const [head] = await sql<ChainHead[]>`select * from audit_chain_head`;
  if (!head) throw new Error('The row with the head of the audit chain is gone.');
  return head;
}

export async function hasQueued(sql: Sql): Promise<boolean> {
  const [row] = await sql<{ found: boolean }[]>`select exists (select from audit_chain_queue) as found`;
  return row?.found ?? false;
}

/** Undefined while another process extends the chain; the lock ends with its holder, even on a crash. */
export async function takeHead(tx: Tx): Promise<ChainHead | undefined> {
  const [head] = await tx<ChainHead[]>`select * from audit_chain_head for update skip locked`;
  return head;
}

/** For callers that need the head: waits for the holder, who releases it quickly. */
export async function lockHead(tx: Tx): Promise<ChainHead> {
  const [head] = await tx<ChainHead[]>`select * from audit_chain_head for update`;
  if (!head) throw new Error('The row with the head of the audit chain is gone.');
  return head;
}

/**
 * Committed entries without a link, taken off the queue. An entry that was deleted stays queued, for `audit verify` to
 * report.
 */
export async function takeQueued(tx: Tx, limit: number): Promise<AuditRow[]> {
  return tx<AuditRow[]>`
    with taken as (
      delete from audit_chain_queue where audit_event_id in (
        select q.audit_event_id from audit_chain_queue q join audit_events e using (audit_event_id)
        order by q.audit_event_id limit ${limit})
      returning audit_event_id
    )
    select e.* from taken join audit_events e using (audit_event_id) order by e.audit_event_id`;
}

interface Link {
  position: number;
  audit_event_id: string;
  hash: Buffer;
  linked_at: Date;
}

export async function appendLinks(tx: Tx, links: readonly Link[]): Promise<void> {
  const last = links.at(-1);
  if (!last) return;
  // As lists: one statement for any number of links.
  await tx`
    insert into audit_chain (position, audit_event_id, hash, linked_at)
    select i.position, i.audit_event_id, decode(i.hash, 'hex'), i.linked_at
    from unnest(${links.map(({ position }) => position)}::bigint[],
                ${links.map(({ audit_event_id }) => audit_event_id)}::text[],
                ${links.map(({ hash }) => hash.toString('hex'))}::text[],
                ${links.map(({ linked_at }) => linked_at.toISOString())}::text[]::timestamptz[])
      i(position, audit_event_id, hash, linked_at)`;
  await tx`update audit_chain_head set position = ${last.position}, hash = ${last.hash}`;
}

export async function publishHead(tx: Tx, now: Date): Promise<void> {
  await tx`update audit_chain_head set published_hash = hash, published_at = ${now} where position > 0`;
}

/** A link with its entry, whose members are all null once the entry is deleted. */
export type LinkedEntry = Link & Omit<AuditRow, 'type'> & { type: string | null };

export function entryOf(link: LinkedEntry): AuditRow | undefined {
  return link.type === null ? undefined : { ...link, type: link.type };
}

export function readLinks(sql: Sql, after: number, until: number, limit: number): Promise<LinkedEntry[]> {
  return sql<LinkedEntry[]>`
    select c.position, c.hash, c.linked_at, c.audit_event_id, e.merchant_id, e.wallet_id, e.device_id, e.type,
           e.actor_kind, e.actor_id, e.target_type, e.target_id, e.details, e.request_id, e.occurred_at
    from audit_chain c left join audit_events e on e.audit_event_id = c.audit_event_id
    where c.position > ${after} and c.position <= ${until}
    order by c.position limit ${limit}`;
}

interface EntryState {
  audit_event_id: string;
  is_linked: boolean;
  is_queued: boolean;
}

/** Every entry once, in the order of ids, with its position in the chain. */
export async function readEntryStates(sql: Sql, after: string, limit: number): Promise<EntryState[]> {
  return sql<EntryState[]>`
    select e.audit_event_id, c.position is not null as is_linked, q.audit_event_id is not null as is_queued
    from audit_events e
      left join audit_chain c on c.audit_event_id = e.audit_event_id
      left join audit_chain_queue q on q.audit_event_id = e.audit_event_id
    where e.audit_event_id > ${after}
    order by e.audit_event_id limit ${limit}`;
}

/** A queued entry that was deleted before it got its link. */
export async function findLostEntry(sql: Sql): Promise<string | undefined> {
  const [row] = await sql<{ audit_event_id: string }[]>`
    select q.audit_event_id from audit_chain_queue q
    where not exists (select from audit_events e where e.audit_event_id = q.audit_event_id)
    order by q.audit_event_id limit 1`;
  return row?.audit_event_id;
}
