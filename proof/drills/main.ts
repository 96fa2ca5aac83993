import { command, flag, number, text } from '../stage/options.ts';
import { say } from '../stage/report.ts';
import { citusDrill } from './citus/index.ts';
import { clusterDrill } from './cluster/index.ts';
import { operatorDrill } from './operator/index.ts';
import { patroniDrill } from './patroni/index.ts';
import { upgradeDrill } from './upgrade/index.ts';

const USAGE = `npm run drill -- <name> [options]

  operator   Faults that a host meets, under load: nothing acknowledged is lost, every call is answered in its time.
  pgbouncer  The part of it that goes through PgBouncer, in session and in transaction mode.
  cluster    A rolling update of four processes over a schema change, behind HAProxy with TLS, under load.
  upgrade    A database of schema 8 with many rows under calls: how long a call waits while it is brought up to date.
  patroni    Three PostgreSQL under Patroni, etcd and HAProxy, in network namespaces: failovers under torture's clients.
  citus      A coordinator and two workers: the tests of the service, then torture's clients while a shard moves, a merchant
             gets a shard of its own, and machines are killed.`;

const OPTIONS = {
  only: text('name', 'one of the runs of "operator", or one kind of failover of "patroni"', undefined),
  publish: flag('writes the figures into docs/proof/drills.md'),
  before: number('schema', 'cluster: from the release before this schema, instead of the newest', undefined),
  rows: number('n', 'upgrade: how many', 2_000_000),
  released: flag('upgrade: with every migration as it was released, for comparison'),
  failovers: number('n', 'patroni: how many', 20),
  keep: flag('patroni: keeps the folder with the logs and the responses of the clients'),
  turns: number('n', 'citus: how often each failure is injected', 2),
  suite: text('paths', 'citus: which tests; "none" leaves them out', 'server'),
  preload: text('libraries', 'citus: what each machine loads at its start instead of citus', undefined),
  costs: flag('citus: also processor time of each machine for each call, compared with one PostgreSQL alone'),
};

export default command(USAGE, OPTIONS, async (options, [name]) => {
  if (name === 'operator') return operatorDrill(options);
  if (name === 'pgbouncer') return operatorDrill({ only: name, publish: false });
  if (name === 'patroni') return patroniDrill(options);
  if (name === 'upgrade') return upgradeDrill(options);
  if (name === 'cluster') return clusterDrill(options);
  if (name === 'citus')
    return citusDrill({ ...options, suite: options.suite === 'none' ? [] : options.suite.split(',') });
  say('Which drill? See npm run drill -- --help');
  return 2;
});
