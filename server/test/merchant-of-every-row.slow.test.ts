// Slow: migrates a filled database of an earlier release.
import { isDistributedRun } from '@payassent/proof/database/layout';
import { databaseBefore } from '@payassent/proof/database/older-database';
import { expect, it } from 'vitest';
import type { Database } from '../src/db/open.ts';

const TABLES = [
  'connection_tokens',
  'connection_heads',
  'agent_payment_heads',
  'transaction_contexts',
  'agent_tokens',
];
/** More than the migration fills in at a time. */
const CONNECTIONS = 2_500;

/** Connections of two merchants in turn, without anything that hangs on them. */
async function seedConnections(db: Database): Promise<void> {
  await db.begin(async (tx) => {
    // The merchants, agents and wallets that they refer to do not matter here.
    await tx`set local session_replication_role = replica`;
    await tx`
      insert into agents (agent_id, merchant_id, name, runtime, environment, allowed_scopes, status, created_at, updated_at)
      select 'agt_' || n, 'mer_' || n, 'Bot', 'x', 'x', '{}', 'active', now(), now() from generate_series(0, 1) n`;
    await tx`
      insert into connections (connection_id, merchant_id, agent_id, wallet_id, status, scopes, created_at, updated_at)
      select 'con_' || lpad(n::text, 6, '0'), 'mer_' || n % 2, 'agt_' || n % 2, 'wal_1', 'active', '{}', now(), now()
      from generate_series(1, ${CONNECTIONS}::int) n`;
  });
}

/** One row in each table for each connection or agent, as the version before wrote them: without the merchant. */
async function writeAsBefore(db: Database, generation: number): Promise<void> {
  await db`
    insert into connection_tokens (token_hash, connection_id, generation, key_id, created_at, ended_at)
    select connection_id || ' ' || ${generation}::int, connection_id, ${generation}, 'k', now(), now() from connections`;
  for (const heads of ['connection_heads', 'agent_payment_heads'])
    await db`
      insert into ${db(heads)} as h (connection_id, last_sequence) select connection_id, 7 from connections
      on conflict (connection_id) do update set last_sequence = h.last_sequence + 1`;
  await db`
    insert into transaction_contexts (connection_id, transaction_id, revision, content, created_at)
    select connection_id, 'txn_1', ${generation}, '{"title":"Order"}', now() from connections`;
  await db`
    insert into agent_tokens (token_hash, agent_id, credential_id, created_at, expires_at)
    select agent_id || ${generation}::int, agent_id, 'crd_1', now(), now() from agents`;
}

/** Rows that do not have the merchant of their connection or agent. */
async function strangers(db: Database): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of TABLES) {
    const [parent, key] =
      table === 'agent_tokens' ? ['agents', 'agent_id'] : ['connections', 'connection_id'];
    const [row] = await db<{ n: number }[]>`
      select count(*)::int as n from ${db(table)} t left join ${db(parent)} p on p.${db(key)} = t.${db(key)}
      where t.merchant_id is distinct from p.merchant_id`;
    if (row?.n !== 0) counts[table] = row?.n ?? -1;
  }
  return counts;
}

// Upgrades a schema from before there was a way to distribute it.
it.skipIf(isDistributedRun)(
  'an upgrade gives every row the merchant of its connection or agent, and loses none',
  async () => {
    const { db, upgrade } = await databaseBefore('merchant_of_every_row');
    await seedConnections(db);
    await writeAsBefore(db, 1);
    await upgrade();
    expect(await strangers(db)).toEqual({});
    for (const table of TABLES) {
      const [row] = await db<{ n: number }[]>`select count(*)::int as n from ${db(table)}`;
      expect([table, row?.n]).toEqual([table, table === 'agent_tokens' ? 2 : CONNECTIONS]);
    }
    const [sum] = await db<
      { n: number }[]
    >`select sum(last_sequence)::int as n from connection_heads where last_sequence = 7`;
    expect(sum?.n).toBe(7 * CONNECTIONS);
  },
);

// Upgrades a schema from before there was a way to distribute it.
it.skipIf(isDistributedRun)(
  'what a process of the version before writes afterwards has its merchant too',
  async () => {
    const { db, upgrade } = await databaseBefore('merchant_of_every_row');
    await seedConnections(db);
    await upgrade();
    await writeAsBefore(db, 1);
    await writeAsBefore(db, 2);
    expect(await strangers(db)).toEqual({});
    const [tokens] = await db<{ n: number }[]>`select count(*)::int as n from connection_tokens`;
    expect(tokens?.n).toBe(2 * CONNECTIONS);
  },
);

// Upgrades a schema from before there was a way to distribute it.
it.skipIf(isDistributedRun)(
  'a row of no connection does not stop an upgrade, and belongs to no merchant',
  async () => {
    const { db, upgrade } = await databaseBefore('merchant_of_every_row');
    await db`insert into connection_heads (connection_id) values ('con_lost')`;
    await upgrade();
    expect(await db`select merchant_id from connection_heads`).toEqual([{ merchant_id: '' }]);
  },
);

// Upgrades a schema from before there was a way to distribute it.
it.skipIf(isDistributedRun)('no table takes a row without a merchant, and contexts stay final', async () => {
  const { db, upgrade } = await databaseBefore('merchant_of_every_row');
  await seedConnections(db);
  await writeAsBefore(db, 1);
  await upgrade();
  for (const table of TABLES) await expect(db`update ${db(table)} set merchant_id = null`).rejects.toThrow();
  await expect(db`insert into connection_heads (connection_id) values ('con_lost')`).rejects.toThrow(
    'null value in column "merchant_id"',
  );
  for (const change of [
    db`merchant_id = 'mer_9'`,
    db`content = '{}'`,
    db`revision = 2`,
    db`created_at = now() + interval '1 day'`,
  ])
    await expect(db`update transaction_contexts set ${change}`).rejects.toThrow('contexts cannot be changed');
});

// Upgrades a schema from before there was a way to distribute it.
it.skipIf(isDistributedRun)(
  'while the merchants of contexts are filled in, nothing else of them can be changed',
  async () => {
    const { db, upgrade } = await databaseBefore('merchants_filled_in');
    await seedConnections(db);
    await db`alter table transaction_contexts disable trigger transaction_contexts_have_a_merchant`;
    await writeAsBefore(db, 1);
    await db`alter table transaction_contexts enable trigger transaction_contexts_have_a_merchant`;
    await expect(db`update transaction_contexts set merchant_id = 'mer_0', content = '{}'`).rejects.toThrow(
      'contexts cannot be changed',
    );
    await upgrade();
    expect(await strangers(db)).toEqual({});
  },
);
