import type { Sql } from '../../db/open.ts';

interface Cosignature {
  vkey: string;
  size: number;
  line: string;
}

export async function readCosignatures(sql: Sql, origin: string): Promise<Cosignature[]> {
  return sql<Cosignature[]>`
    select vkey, size, cosignature as line from log_witnesses
    where origin = ${origin} and cosignature is not null order by vkey`;
}

/**
 * The size that the witness knows, when it is this caller's turn to call it; undefined when there is nothing to send.
 */
export async function claimWitness(
  sql: Sql,
  witness: { vkey: string; origin: string },
  moment: { now: Date; until: Date },
): Promise<{ size: number } | undefined> {
  const { vkey, origin } = witness;
  const [row] = await sql<{ size: number }[]>`
    insert into log_witnesses as w (vkey, origin, try_at)
    select ${vkey}, ${origin}, ${moment.until} from log_head where size > 0
    on conflict (vkey, origin) do update set try_at = ${moment.until}
      where w.try_at <= ${moment.now} and (w.cosignature is null or w.size < (select h.size from log_head h))
    returning w.size`;
  return row;
}

export async function recordCosignature(
  sql: Sql,
  { vkey, origin }: { vkey: string; origin: string },
  cosigned: { size: number; line: string },
  now: Date,
): Promise<void> {
  await sql`
    update log_witnesses set size = ${cosigned.size}, cosignature = ${cosigned.line}, try_at = ${now}
    where vkey = ${vkey} and origin = ${origin} and size <= ${cosigned.size}`;
}

/** The witness has another size than recorded, or did not respond. */
export async function recordTry(
  sql: Sql,
  { vkey, origin }: { vkey: string; origin: string },
  next: { size: number; tryAt: Date },
): Promise<void> {
  await sql`
    update log_witnesses
    set size = ${next.size}, try_at = ${next.tryAt}, cosignature = case when size = ${next.size} then cosignature end
    where vkey = ${vkey} and origin = ${origin}`;
}
