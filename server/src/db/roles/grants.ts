import { createHash } from 'node:crypto';
import { MIRROR, MIRRORED } from '../mirror.ts';
import type { Sql } from '../open.ts';
import { groupName, quoted } from './names.ts';

/** A table as the catalogue describes it. */
export interface TableFacts {
  name: string;
  columns: string[];
  /** Columns that a trigger refuses to change. */
  final_columns: string[];
  /** A trigger refuses every update. */
  is_final: boolean;
  /** A trigger refuses deletes. */
  is_kept: boolean;
  has_row_security: boolean;
  /** Is in shards on the machines of the merchants. */
  is_distributed: boolean;
  sequences: string[];
}

/** Increment when the statements below change their meaning. */
const RULES = 11;

/** Only the owner. */
const OWNER_ONLY = new Set(['tenant_seal', 'role_grants', 'master_keys']);
/** Secrets of wallets and of sign-in: no route of a merchant, agent or connection needs them. */
const NOT_FOR_TENANTS = new Set([
  'account_networks',
  'agent_assertions',
  'connection_proofs',
  'device_tokens',
  'email_links',
  'operator_passkeys',
  'passkey_cancellations',
  'passkey_challenges',
  'passkey_counters',
  'pending_changes',
  'push_subscriptions',
  'used_authorizations',
  'wallet_codes',
  'wallet_pseudonym_key',
  // The chain over all merchants' audit entries; a trigger of the owner's fills the queue.
  'audit_chain',
  'audit_chain_head',
  'audit_chain_queue',
  'suspended_domains',
  // The unpublished parts of log entries concern only their parties.
  'evidence_bundles',
  'log_entries',
  'log_hashes',
  'log_head',
  'log_queue',
  'log_witnesses',
  'observation_backfills',
  // Which payments of a transaction a record took: read and written by observers alone.
  'settlement_claims',
]);
/** Every act appends to them, and can neither read nor delete. */
const ADDED_TO_BY_TENANTS = new Set(['log_queue']);
/** Written by observers alone: no merchant writes what the chain shows. */
const READ_BY_TENANTS = new Set(['observations', 'settlements']);
/**
 * A row here acts for its connection or agent: a token opens it, a context is pinned by its requests. So a merchant's
 * own id in the row does not yet prove that the connection belongs to that merchant.
 */
const PARENT_IS_CHECKED = new Set([
  'agent_payment_heads',
  'agent_tokens',
  'connection_heads',
  'connection_tokens',
  'transaction_contexts',
]);
/**
 * Written by the owner alone: the host's suspensions, the public keys at each start, and by triggers the versions of
 * what a merchant's agents may do.
 */
const WRITTEN_BY_OWNER = new Set(['suspended_domains', 'signing_keys', 'merchant_standings']);
const OWNER_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  merchants: ['suspended_at'],
  agents: ['suspended_by_installation_at', 'merchant_suspended_at'],
  recipient_versions: ['merchant_suspended_at'],
};

/**
 * What triggers reject is read from the catalogue, so that a migration declares once what is final: a trigger that
 * calls a function named `refuse_…`.
 */
export async function readTables(
  sql: Sql,
  names: readonly string[],
  hasMachines: boolean,
): Promise<TableFacts[]> {
  const isDistributed = hasMachines
    ? sql`exists (select from pg_dist_partition p where p.logicalrelid = c.oid and p.partmethod = 'h')`
    : sql`false`;
  return sql<TableFacts[]>`
    with refusals as (
      select t.tgrelid, t.tgtype, t.tgattr::int2[] as columns
      from pg_trigger t join pg_proc f on f.oid = t.tgfoid
      where f.proname like 'refuse\\_%' and t.tgenabled <> 'D' and not t.tgisinternal
    )
    select c.relname::text as name, c.relrowsecurity as has_row_security, ${isDistributed} as is_distributed,
      array(select a.attname::text from pg_attribute a
            where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped order by a.attnum) as columns,
      array(select distinct a.attname::text from refusals r
            join pg_attribute a on a.attrelid = c.oid and a.attnum = any(r.columns)
            where r.tgrelid = c.oid and r.tgtype & 16 <> 0 order by 1) as final_columns,
      exists (select from refusals r
              where r.tgrelid = c.oid and r.tgtype & 16 <> 0 and cardinality(r.columns) = 0) as is_final,
      exists (select from refusals r where r.tgrelid = c.oid and r.tgtype & 8 <> 0) as is_kept,
      array(select s.relname::text from pg_depend d join pg_class s on s.oid = d.objid and s.relkind = 'S'
            where d.refobjid = c.oid and d.deptype = 'a' order by 1) as sequences
    from pg_class c
    where c.relnamespace = (select oid from pg_namespace where nspname = current_schema()) and c.relkind in ('r', 'p')
      and c.relname = any(${names as string[]}::text[])
    order by c.relname`;
}

/** Equal as long as granting again would change nothing. */
export function fingerprintOf(tables: readonly TableFacts[], groups: readonly { oid: number }[]): string {
  const facts = tables.map(({ has_row_security: _, ...rest }) => rest);
  const text = JSON.stringify([RULES, groups.map(({ oid }) => oid), facts]);
  return createHash('sha256').update(text).digest('hex');
}

/** Sets all rights of the two groups on a table, whatever was granted before. One transaction, one table. */
export function tableStatements(database: string, table: TableFacts, all: readonly TableFacts[]): string[] {
  const name = quoted(table.name);
  const [service, tenant] = groupsOf(database);
  const statements = [`revoke all on ${name} from ${service}, ${tenant}`];
  if (OWNER_ONLY.has(table.name)) return statements;
  const isClosed = NOT_FOR_TENANTS.has(table.name) || READ_BY_TENANTS.has(table.name);
  const allowed = isClosed ? service : `${service}, ${tenant}`;
  // Triggers write to a node as the role that caused them: in one transaction Citus lets one role write there.
  if (WRITTEN_BY_OWNER.has(table.name) && !table.is_distributed)
    statements.push(`grant select on ${name} to ${allowed}`);
  else statements.push(...writeStatements(database, table, allowed));
  const scope = tenantScope(table, all);
  return scope === undefined ? statements : [...statements, ...policyStatements(database, table, scope)];
}

function writeStatements(database: string, table: TableFacts, allowed: string): string[] {
  const name = quoted(table.name);
  const [, tenant] = groupsOf(database);
  const statements = [`grant select, insert${table.is_kept ? '' : ', delete'} on ${name} to ${allowed}`];
  if (READ_BY_TENANTS.has(table.name)) statements.push(`grant select on ${name} to ${tenant}`);
  if (ADDED_TO_BY_TENANTS.has(table.name)) statements.push(`grant insert on ${name} to ${tenant}`);
  const untouchable = [...table.final_columns, ...(OWNER_COLUMNS[table.name] ?? [])];
  const changeable = table.columns.filter((column) => !untouchable.includes(column));
  if (!table.is_final && changeable.length > 0)
    statements.push(`grant update (${changeable.map(quoted).join(', ')}) on ${name} to ${allowed}`);
  for (const sequence of table.sequences)
    statements.push(`grant usage on sequence ${quoted(sequence)} to ${allowed}`);
  return statements;
}

function policyStatements(database: string, table: TableFacts, scope: string): string[] {
  const name = quoted(table.name);
  return [
    ...(table.has_row_security ? [] : [`alter table ${name} enable row level security`]),
    ...wallStatements(database, name, scope),
  ];
}

function wallStatements(database: string, name: string, scope: string): string[] {
  const [service, tenant] = groupsOf(database);
  return [
    `drop policy if exists every_tenant on ${name}`,
    `create policy every_tenant on ${name} to ${service} using (true) with check (true)`,
    `drop policy if exists one_tenant on ${name}`,
    `create policy one_tenant on ${name} to ${tenant} using (${scope}) with check (${scope})`,
  ];
}

/** Citus accepts no subquery in a policy. */
const OWN_ON_MACHINES = 'merchant_id = current_tenant()';

/** The rows of the bound merchant; undefined for tables that belong to no merchant. */
function tenantScope(table: TableFacts, all: readonly TableFacts[]): string | undefined {
  // The merchant is part of every key there, so that a row about another merchant's connection is visible to no other
  // merchant.
  if (table.is_distributed) return OWN_ON_MACHINES;
  // In a subquery, so that it is computed once for a statement and not for each row.
  const own = table.columns.includes('merchant_id') ? 'merchant_id = (select current_tenant())' : undefined;
  if (own !== undefined && !PARENT_IS_CHECKED.has(table.name)) return own;
  for (const [parent, key] of [
    ['connections', 'connection_id'],
    ['agents', 'agent_id'],
  ] as const) {
    const isThere = all.some(({ name }) => name === parent);
    if (isThere && table.name !== parent && table.columns.includes(key)) {
      // The parent is read under its own policy.
      const ofOwn = `exists (select from ${parent} parent where parent.${key} = ${quoted(table.name)}.${key})`;
      return own === undefined ? ofOwn : `${own} and ${ofOwn}`;
    }
  }
  return own;
}

/** A policy that reads another table never comes before the one of that table. */
export function parentsFirst(tables: readonly TableFacts[]): TableFacts[] {
  const rank = ({ name, columns }: TableFacts) =>
    columns.includes('merchant_id') && !PARENT_IS_CHECKED.has(name) ? 0 : 1;
  return [...tables].sort((a, b) => rank(a) - rank(b));
}

/** The groups' rights other than on tables. `schema` is where the tables are. */
export function schemaStatements(database: string, schema: string, isOurCluster: boolean): string[] {
  const [service, tenant] = groupsOf(database);
  const both = `${service}, ${tenant}`;
  return [
    `grant connect on database ${quoted(database)} to ${both}`,
    `grant usage on schema ${quoted(schema)} to ${both}`,
    `grant select on schema_migrations to ${both}`,
    `grant execute on function append_to_log to ${both}`,
    `grant execute on function forget_audit_events to ${service}`,
    `grant execute on function forget_unused_contexts to ${service}`,
    `grant execute on function extend_ranges, drop_first_range to ${service}`,
    `grant execute on function hold_standings to ${service}`,
    // In a shared cluster, PUBLIC's rights are not ours to change.
    ...(isOurCluster ? [`revoke temporary, connect on database ${quoted(database)} from public`] : []),
  ];
}

/** The same for what else a distributed database has. */
export function machineStatements(database: string): string[] {
  const [service, tenant] = groupsOf(database);
  const both = `${service}, ${tenant}`;
  const copies = MIRRORED.map((table) => `${MIRROR}.${table}`);
  return [
    `grant usage on schema ${MIRROR} to ${both}`,
    // A statement that changes no row causes a commit in two phases.
    `grant select, delete on distributed_commits to ${both}`,
    // Triggers keep the copies equal, as the role that caused them.
    ...copies.map((table) => `grant select, insert, update, delete on ${table} to ${both}`),
    `grant select, insert, delete on log_outbox to ${service}`,
    `grant insert on log_outbox to ${tenant}`,
    ...[...copies, 'log_outbox'].flatMap((table) => [
      `alter table ${table} enable row level security`,
      ...wallStatements(database, table, OWN_ON_MACHINES),
    ]),
  ];
}

function groupsOf(database: string): [string, string] {
  return [quoted(groupName(database, 'service')), quoted(groupName(database, 'tenant'))];
}
