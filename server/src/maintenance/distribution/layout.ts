import { readIsDistributed } from '../../db/layout.ts';
import type { Database, Sql } from '../../db/open.ts';
import { OperatorError } from '../../errors.ts';
import type { Connection } from '../partitions/connection.ts';
import { DISTRIBUTION_PLAN } from './plan.ts';

interface Machine {
  host: string;
  port: number;
  /** Of each table. */
  shards: number;
}

export interface DatabaseLayout {
  /** Of each table, over all nodes. */
  shards: number;
  machines: Machine[];
}

/** Where the shards are; undefined when the database is not distributed. */
export async function readLayout(connection: Connection): Promise<DatabaseLayout | undefined> {
  if (!(await readIsDistributed(connection as unknown as Database))) return undefined;
  const machines = await connection<Machine[]>`
    select n.nodename::text as host, n.nodeport::int as port, count(s.shardid)::int as shards
    from pg_dist_node n
      left join pg_dist_placement p on p.groupid = n.groupid
      left join pg_dist_shard s on s.shardid = p.shardid and s.logicalrelid = 'payment_requests'::regclass
    where n.noderole = 'primary'
    group by n.nodeid, n.nodename, n.nodeport, n.shouldhaveshards
    having n.shouldhaveshards or count(s.shardid) > 0
    order by n.nodeid`;
  return { shards: machines.reduce((sum, machine) => sum + machine.shards, 0), machines: [...machines] };
}

/** Those of the group that an earlier release, which distributed the database, left on the coordinator. */
export async function findLeftTables(sql: Sql): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select t.name from unnest(${[...DISTRIBUTION_PLAN.group]}::text[]) with ordinality as t(name, n)
    where not exists (select from pg_dist_partition p where p.logicalrelid = t.name::regclass)
    order by t.n`;
  return rows.map(({ name }) => name);
}

/** The service reads everything of a merchant's from the nodes. */
export async function refuseLeftTables(owner: Database): Promise<void> {
  if (!(await readIsDistributed(owner))) return;
  const left = await findLeftTables(owner);
  if (left.length > 0)
    throw new OperatorError(
      `An earlier release distributed this database and left tables on its coordinator: ${left.join(', ')}. Stop every ` +
        'process of the service, run "payassent distribute" of this release, and start them again.',
    );
}
