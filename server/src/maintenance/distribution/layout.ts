import { readIsDistributed } from '../../db/machine.ts';
import type { Database } from '../../db/open.ts';
import type { Connection } from '../partitions/connection.ts';

interface Machine {
  host: string;
  port: number;
  /** Of each table. */
  shards: number;
}

export interface DatabaseLayout {
  /** Of each table, over all machines. */
  shards: number;
  machines: Machine[];
}

/** Where the shards lie; undefined when the database is not distributed. */
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
