import { isDistributed } from './layout.ts';
import { MIRROR, MIRRORED } from './mirror.ts';
import type { Database, Sql } from './open.ts';
import { asText, Text, writeText } from './text.ts';

/**
 * For statements about one merchant. On a distributed database they run on the merchant's machine: every table there is
 * named with the merchant, and what belongs to the coordinator is read from the copy that the machine has. Elsewhere it
 * is `sql` itself.
 */
export function ofMerchant<Any extends Sql>(sql: Any, merchantId: string): Any {
  if (!isDistributed(sql)) return sql;
  const run = (first: TemplateStringsArray | string, ...values: unknown[]) =>
    new MachineStatement(sql, merchantId, writeText(first, ...values));
  const { json, array, typed, types } = sql;
  return Object.assign(run, { json, array, typed, types, unsafe: asText }) as unknown as Any;
}

/** Part of another statement, or sent when it is awaited. */
class MachineStatement extends Text {
  readonly #sql: Sql;
  readonly #merchantId: string;

  constructor(sql: Sql, merchantId: string, { strings, values }: Text) {
    super(strings, values);
    this.#sql = sql;
    this.#merchantId = merchantId;
  }

  // biome-ignore lint/suspicious/noThenProperty: it takes the place of a statement of the driver, which is sent in this way.
  then(...callbacks: Parameters<Promise<unknown>['then']>): Promise<unknown> {
    const text = onMachine(this, writeText`${this.#merchantId}`);
    return this.#sql(text.template(), ...(text.values as never[])).then(...callbacks);
  }
}

/** Two rows that are compared by their merchants are rows of the one that the statement is about. */
const COMPARED = /(?<=\b\w+\.merchant_id = )\w+\.merchant_id\b/;
const OF_THE_COORDINATOR = new RegExp(`(?<=\\b(?:from|join) )(?=(?:${MIRRORED.join('|')})\\b)`, 'g');

/** The text as the machine of `merchant` runs it. */
export function onMachine({ strings, values }: Text, merchant: Text): Text {
  let text = asText('');
  strings.forEach((string, index) => {
    const [first = '', ...others] = string.replaceAll(OF_THE_COORDINATOR, `${MIRROR}.`).split(COMPARED);
    text = others.reduce<Text>(
      (sum, part) => writeText`${sum}${merchant}${asText(part)}`,
      writeText`${text}${asText(first)}`,
    );
    if (index < values.length) text = writeText`${text}${values[index]}`;
  });
  return text;
}

/** Works on items merchant by merchant, at the same time, and answers in the order of the items. */
export async function byMerchant<Item, Result>(
  items: readonly Item[],
  merchantOf: (item: Item) => string,
  work: (merchantId: string, items: readonly Item[]) => Promise<readonly Result[]>,
): Promise<Result[]> {
  const groups = new Map<string, number[]>();
  items.forEach((item, n) => {
    const merchantId = merchantOf(item);
    groups.set(merchantId, [...(groups.get(merchantId) ?? []), n]);
  });
  const results: Result[] = [];
  await Promise.all(
    [...groups].map(async ([merchantId, places]) => {
      const found = await work(
        merchantId,
        places.map((n) => items[n] as Item),
      );
      places.forEach((n, index) => {
        results[n] = found[index] as Result;
      });
    }),
  );
  return results;
}

export async function readIsDistributed(sql: Database): Promise<boolean> {
  const [extension] = await sql`select from pg_extension where extname = 'citus'`;
  if (!extension) return false;
  const rows = await sql`select from pg_dist_partition where logicalrelid = 'payment_requests'::regclass`;
  return rows.length > 0;
}

/**
 * For a look over all merchants at rows that are changed next: those that somebody holds are left to them. Over several
 * machines nothing can be locked in this way, so the change looks once more whether a row is still what it was.
 */
export function passingOver(sql: Sql, alias?: string) {
  if (isDistributed(sql)) return sql``;
  return alias === undefined ? sql`for update skip locked` : sql`for update of ${sql(alias)} skip locked`;
}

/** The same for rows that are waited for. */
export function holding(sql: Sql) {
  return isDistributed(sql) ? sql`` : sql`for update`;
}
