import { createHash } from 'node:crypto';
import { readIsDistributed } from '../../db/layout.ts';
import { type Database, transaction } from '../../db/open.ts';
import { NODE_FUNCTIONS, ROUTED_FUNCTIONS } from '../../storage/citus/functions.ts';

/**
 * As in the schema, but in a form that Citus copies to every node, including one that is added later: it depends on no
 * table by name. The table is on each of them (`db/roles/machines.ts`). Nothing that a caller creates can shadow it.
 */
const CURRENT_TENANT = `do $make$ begin
  execute format($form$
    create or replace function current_tenant() returns id language plpgsql stable parallel safe security definer as $body$
    declare
      bound text := current_setting('svc.tenant', true);
      merchant text := split_part(bound, ' ', 1);
    begin
      return (select merchant from %I.tenant_seal k
              where split_part(bound, ' ', 2)
                      = encode(sha256(k.key || sha256(k.key || convert_to(merchant, 'UTF8'))), 'hex'));
    end $body$
  $form$, current_schema());
end $make$`;

const FUNCTIONS = [CURRENT_TENANT, ...NODE_FUNCTIONS];
/** Raised with every change of a function: a process of an earlier release that restarts leaves newer ones alone. */
export const FUNCTIONS_VERSION = 8;
export const FUNCTIONS_DIGEST = createHash('sha256').update(FUNCTIONS.join('\n')).digest('hex');

/** The functions that run on the merchants' nodes, and a mark of their version. */
export function functionStatements(): string[] {
  return [...FUNCTIONS, `comment on function say_events(id, text) is '${FUNCTIONS_VERSION}'`];
}

/** Calls of these are routed to the node of their first argument. */
export function routingStatements(colocation: string): string[] {
  return ROUTED_FUNCTIONS.map(
    (signature) =>
      `select create_distributed_function('${signature}', 'merchant', colocate_with := '${colocation}')`,
  );
}

/** One arbitrary number, the same in every process. */
const LOCK = 7_264_911_006;

/**
 * A release brings its functions, which earlier ones can work with: they are replaced before its first process works.
 */
export async function renewFunctions(owner: Database): Promise<void> {
  if (!(await readIsDistributed(owner))) return;
  await transaction(owner, async (tx) => {
    await tx`select pg_advisory_xact_lock(${LOCK})`;
    const [known] = await tx<{ version: string | null }[]>`
      select obj_description('say_events(id, text)'::regprocedure, 'pg_proc') as version`;
    if (Number(known?.version ?? 0) >= FUNCTIONS_VERSION) return;
    for (const statement of functionStatements()) await tx.unsafe(statement);
  });
}
