import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import { succeed } from '../people/merchants.ts';
import { type PaymentStage, pendingRequest, pollRequests, report } from '../people/payments.ts';
import type { Body } from '../service/client.ts';
import type { TestService } from '../service/service.ts';
import { type Pair, sideBySide } from './pair.ts';

interface Seen {
  connectionId: string;
  sequence: number;
  eventId: string;
}

/** None missed, none doubled, 1, 2, 3 … in the order in which they were read. Returns every violation. */
export function faultsOf(seen: readonly Seen[], expected: number): string[] {
  const faults: string[] = [];
  const next = new Map<string, number>();
  const known = new Set<string>();
  for (const { connectionId, sequence, eventId } of seen) {
    const due = next.get(connectionId) ?? 1;
    if (sequence !== due) faults.push(`${connectionId}: ${sequence} came where ${due} was due`);
    next.set(connectionId, sequence + 1);
    if (known.has(eventId)) faults.push(`${eventId} was read twice`);
    known.add(eventId);
  }
  if (known.size !== expected) faults.push(`${known.size} of ${expected} events were read`);
  return faults;
}

/** Writers decide requests of all connections; each decision is one event. */
async function write(
  pair: Pair,
  stages: readonly PaymentStage[],
  size: { writers: number; events: number },
): Promise<void> {
  let left = size.events;
  await sideBySide(size.writers, async (worker) => {
    for (let step = 0; left > 0; step += 1) {
      left -= 1;
      const stage = stages[(worker + step) % stages.length];
      if (!stage) throw new Error('no connection to write to');
      const { request_id } = await pendingRequest(pair, stage);
      await succeed(report(pair, stage, request_id, { status: step % 2 === 0 ? 'signed' : 'rejected' }));
    }
  });
}

const PAGE_SIZES = [500, 7, 100, 37];

/** Readers follow `next_cursor` on both processes while the writers write, and see every event exactly once. */
export async function writersAndPollers(
  pair: Pair,
  stages: readonly PaymentStage[],
  size: { writers: number; pollers: number; events: number },
): Promise<void> {
  let isWriting = true;
  const follow = async (poller: number): Promise<Seen[]> => {
    const seen: Seen[] = [];
    const cursors = new Map(stages.map((stage) => [stage.connectionId, 0]));
    for (;;) {
      const wasWriting = isWriting;
      let found = 0;
      for (const stage of stages) {
        const since = cursors.get(stage.connectionId) ?? 0;
        const wait = poller % 2 === 0 && wasWriting ? 1 : 0;
        const limit = PAGE_SIZES[poller % PAGE_SIZES.length] ?? 100;
        const page = (await succeed(pollRequests(pair, stage, { since, limit, wait }))).body;
        for (const event of page.events as Body[])
          seen.push({
            connectionId: event.connection_id,
            sequence: event.sequence,
            eventId: event.event_id,
          });
        found += page.events.length;
        cursors.set(stage.connectionId, page.next_cursor);
      }
      if (found === 0 && !wasWriting) return seen;
    }
  };
  const following = Promise.all(Array.from({ length: size.pollers }, (_none, poller) => follow(poller)));
  await write(pair, stages, size).finally(() => {
    isWriting = false;
  });
  for (const seen of await following) expect(faultsOf(seen, size.events)).toEqual([]);
}

/**
 * The same writers, read by a cursor that is wrong on purpose: a serial number taken when the event is written, not when
 * it commits. The check above must find what it loses, or it would prove nothing.
 */
export async function faultsOfSerialCursor(
  service: TestService,
  pair: Pair,
  stages: readonly PaymentStage[],
  size: { writers: number; events: number },
): Promise<string[]> {
  await service.db`create table serial_cursor (n bigserial primary key, event_id text not null)`.simple();
  await service.db`
    create function number_serially() returns trigger language plpgsql security definer as $$
    begin
      insert into serial_cursor (event_id) values (new.event_id);
      perform pg_sleep(random() * 0.05);
      return new;
    end $$;
    create trigger serial_cursor after insert on payment_request_events
      for each row execute function number_serially();`.simple();
  let isWriting = true;
  const follow = async (): Promise<Seen[]> => {
    const seen: Seen[] = [];
    let last = 0;
    for (;;) {
      const wasWriting = isWriting;
      const rows = await service.db<{ n: number; event_id: string }[]>`
        select n, event_id from serial_cursor where n > ${last} order by n limit 100`;
      for (const row of rows) seen.push({ connectionId: 'all', sequence: row.n, eventId: row.event_id });
      last = rows.at(-1)?.n ?? last;
      if (rows.length === 0 && !wasWriting) return seen;
      await pause(1);
    }
  };
  const following = follow();
  await write(pair, stages, size).finally(() => {
    isWriting = false;
  });
  const seen = await following;
  await service.db`drop trigger serial_cursor on payment_request_events; drop function number_serially;
    drop table serial_cursor;`.simple();
  return faultsOf(seen, size.events);
}
