/**
 * A database distributed by merchant over several nodes (docs/decisions/0015-many-machines.md): how its statements find
 * their node, and the statements that differ there. Loaded only where a database is distributed; nothing imports it but
 * the detection of layouts in `db/layout.ts` and the command that distributes a database.
 */
import type { Layout } from '../../db/layout.ts';
import { ofMerchant } from './node-statement.ts';
import { noteShards } from './shards.ts';
import { statements } from './statements.ts';

export const onCitus: Layout = {
  ofMerchant,
  async byMerchant(sql, items, merchantOf, work) {
    const groups = new Map<string, number[]>();
    items.forEach((item, n) => {
      const merchantId = merchantOf(item);
      groups.set(merchantId, [...(groups.get(merchantId) ?? []), n]);
    });
    const results: Awaited<ReturnType<typeof work>>[number][] = [];
    await Promise.all(
      [...groups].map(async ([merchantId, places]) => {
        const own = places.map((n) => items[n] as (typeof items)[number]);
        const found = await work(ofMerchant(sql, merchantId), own, merchantId);
        places.forEach((n, index) => {
          results[n] = found[index] as (typeof found)[number];
        });
      }),
    );
    return results;
  },
  across: async (sql, find, work) =>
    Promise.all((await find()).map((merchantId) => work(ofMerchant(sql, merchantId), merchantId))),
  connectionKey: 'merchant_id, connection_id',
  passingOver: (sql) => sql``,
  holding: (sql) => sql``,
  withoutIndex: (sql, column) => sql`${sql(column)}`,
  begin: noteShards,
  bindTenant(sql, tenant) {
    // The setting reaches the nodes only in this form, which takes no parameters.
    const literal = tenant.replaceAll("'", "''");
    sql
      .unsafe(`set local citus.propagate_set_commands = 'local'; set local svc.tenant = '${literal}'`)
      .execute();
  },
  statements,
};
