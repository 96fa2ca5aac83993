import type postgres from '../../../vendor/postgres/src/index.js';

/**
 * Policies on the machines of a distributed database ask there which merchant a transaction is bound to, so each has the
 * seal and the function that checks it. Repeated at each start: a machine may have been added.
 */
export async function sealMachines(connection: postgres.ReservedSql<{ bigint: number }>): Promise<void> {
  const [known] = await connection<{ key: string; definition: string }[]>`
    select encode(key, 'hex') as key, pg_get_functiondef('current_tenant()'::regprocedure) as definition
    from tenant_seal`;
  if (!known) throw new Error('The database has no seal of tenants.');
  const rows = await connection<{ nodename: string; nodeport: number; success: boolean; result: string }[]>`
    select nodename, nodeport, success, result from run_command_on_workers(${sealing(known)})`;
  const refused = rows.find(({ success }) => !success);
  if (refused)
    throw new Error(
      `The machine ${refused.nodename}:${refused.nodeport} did not take the seal of tenants: ${refused.result}`,
    );
}

/** One statement, whose objects Citus does not look after. */
const sealing = ({ key, definition }: { key: string; definition: string }) => `
  do $sealing$ begin
    set local citus.enable_ddl_propagation = off;
    create table if not exists tenant_seal (key bytea not null check (length(key) = 32));
    create unique index if not exists tenant_seal_is_one on tenant_seal ((true));
    insert into tenant_seal values ('\\x${key}') on conflict ((true)) do update set key = excluded.key;
    execute $definition$${definition}$definition$;
  end $sealing$`;
