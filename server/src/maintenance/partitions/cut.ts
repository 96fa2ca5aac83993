import { DAY_MS } from '../../lib/clock.ts';
import type { Connection } from './connection.ts';

/** What grows with every request and is kept: partitioned by merchant, because keys hold forever and contain it. */
const BY_MERCHANT = ['payment_requests', 'payment_request_events'] as const;
/**
 * What is deleted after a time: partitioned into time ranges, each of which is dropped as a whole
 * (0047_ranges_of_time.sql).
 */
const BY_TIME = ['webhook_messages', 'webhook_deliveries', 'audit_events'] as const;

export const PARTITIONED_TABLES = [...BY_MERCHANT, ...BY_TIME] as const;

/** How a table is partitioned. */
export interface Cut {
  kind: 'hash' | 'range';
  column: string;
  partitions: { name: string; bounds: string }[];
  /** Rows are deleted while it is copied. */
  losesRows: boolean;
}

export async function cutOf(connection: Connection, table: string, partitions: number): Promise<Cut> {
  return (BY_MERCHANT as readonly string[]).includes(table)
    ? byMerchant(table, partitions)
    : byTime(connection, table);
}

function byMerchant(table: string, count: number): Cut {
  const width = String(count - 1).length;
  return {
    kind: 'hash',
    column: 'merchant_id',
    losesRows: false,
    partitions: Array.from({ length: count }, (_, n) => ({
      name: `${table}_p${String(n).padStart(width, '0')}`,
      bounds: `for values with (modulus ${count}, remainder ${n})`,
    })),
  };
}

interface RangeRule {
  key: string;
  prefix: string;
  days: number;
  kept_days: number;
}

/** One range for everything already due for deletion, then consecutive ones, and one for ids from outside this time. */
async function byTime(connection: Connection, table: string): Promise<Cut> {
  const [rule] = await connection<RangeRule[]>`
    select key, prefix, days, kept_days from ranged_tables() where name = ${table}`;
  if (!rule) throw new Error(`${table} has no rule for ranges of time.`);
  const today = Math.floor(Date.now() / DAY_MS);
  const ends: Date[] = [];
  for (let day = today - rule.kept_days; day <= today + rule.days; day += rule.days)
    ends.push(new Date(day * DAY_MS));
  const bounds = await connection<{ bound: string }[]>`
    select id_at(${rule.prefix}, moment) as bound from unnest(${ends.map((end) => end.toISOString())}::text[]::timestamptz[]) with ordinality e(moment, n)
    order by n`;
  return {
    kind: 'range',
    column: rule.key,
    losesRows: true,
    partitions: [
      ...ends.map((end, n) => ({
        name: `${table}_until_${end.toISOString().slice(0, 10).replaceAll('-', '')}`,
        bounds: `for values from (${n === 0 ? 'minvalue' : `'${bounds[n - 1]?.bound}'`}) to ('${bounds[n]?.bound}')`,
      })),
      { name: `${table}_default`, bounds: 'default' },
    ],
  };
}
