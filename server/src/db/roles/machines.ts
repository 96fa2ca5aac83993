import type postgres from '../../../vendor/postgres/src/index.js';

/**
 * Policies on the nodes of a distributed database check there which merchant a transaction is bound to, so each node
 * has the seal. Repeated at each start: a node may have been added.
 */
export async function sealMachines(connection: postgres.ReservedSql<{ bigint: number }>): Promise<void> {
  const [seal] = await connection<{ key: string }[]>`select encode(key, 'hex') as key from tenant_seal`;
  if (!seal) throw new Error('The database has no seal of tenants.');
  const rows = await connection<{ nodename: string; nodeport: number; success: boolean; result: string }[]>`
    select nodename, nodeport, success, result from run_command_on_workers(${sealing(seal.key)})`;
  // A node that is down was sealed before, or will be by the next start: until then it shows a tenant no row.
  const refused = rows.find(({ success, result }) => !success && !AWAY.test(result));
  if (refused)
    throw new Error(
      `The machine ${refused.nodename}:${refused.nodeport} did not take the seal of tenants: ${refused.result}`,
    );
}

const AWAY = /^failed to connect|connection (not open|to the remote node)|server closed the connection/;
const NOT_LET_IN = /pg_hba\.conf|authentication failed|no password supplied|role ".*" does not exist/;

/** Whether a node rejected the role that the coordinator accepted. */
export function isShutOut(error: unknown): boolean {
  return NOT_LET_IN.test((error as Error).message);
}

/** One statement; its table is not managed by Citus. */
const sealing = (key: string) => `
  do $sealing$ begin
    set local citus.enable_ddl_propagation = off;
    create table if not exists tenant_seal (key bytea not null check (length(key) = 32));
    create unique index if not exists tenant_seal_is_one on tenant_seal ((true));
    insert into tenant_seal values ('\\x${key}') on conflict ((true))
      do update set key = excluded.key where tenant_seal.key <> excluded.key;
  end $sealing$`;
