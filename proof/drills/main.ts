import { citusDrill } from './citus/index.ts';
import { clusterDrill } from './cluster/index.ts';
import { operatorDrill } from './operator/index.ts';
import { patroniDrill } from './patroni/index.ts';

const HELP = `npm run drill -- operator [--only <name>] [--publish]
npm run drill -- pgbouncer
npm run drill -- cluster [--before <schema>] [--publish]
npm run drill -- patroni [--failovers <n>] [--only <kind>] [--publish] [--keep]
npm run drill -- citus [--turns <n>] [--suite <paths>] [--preload <libraries>] [--costs] [--publish]

  operator     Faults that an operator meets, under load: nothing acknowledged is lost, every call is answered in its time.
  pgbouncer    The part of it that goes through PgBouncer, in session and in transaction mode.
  cluster      A rolling update of four processes over a schema change, behind HAProxy with TLS, under load.
  patroni      Three PostgreSQL under Patroni, etcd and HAProxy, in network namespaces: 20 failovers under torture's clients.
  citus        A coordinator and two workers: the tests of the service, then torture's clients while a shard moves, a merchant
               gets a shard of its own, and machines are killed.
  --before     From the release before this schema, instead of the newest.
  --failovers  Another number of them.
  --only       One of the runs, or one kind of failover.
  --publish    Writes the figures into docs/DRILLS.md.
  --turns      How often each of these happens (2).
  --suite      Which tests, by their paths; "none" leaves them out (server).
  --preload    Instead of citus: the libraries that each machine loads at its start.
  --costs      Also processor time of each machine for each call, beside one PostgreSQL alone.
  --keep       Keeps the folder with the logs and what the clients were told.
`;

export async function main([name, ...rest]: readonly string[]): Promise<number> {
  // Each service that is made here ends with this process.
  process.setMaxListeners(0);
  const optionOf = (option: string) => (rest.includes(option) ? rest[rest.indexOf(option) + 1] : undefined);
  const publishes = rest.includes('--publish');
  if (name === 'operator') {
    return await operatorDrill({ only: optionOf('--only'), publishes });
  } else if (name === 'pgbouncer') {
    return await operatorDrill({ only: name, publishes: false });
  } else if (name === 'patroni') {
    return await patroniDrill({
      failovers: Number(optionOf('--failovers') ?? 20),
      only: optionOf('--only'),
      publishes,
      keeps: rest.includes('--keep'),
    });
  } else if (name === 'citus') {
    const suite = optionOf('--suite') ?? 'server';
    return await citusDrill({
      turns: Number(optionOf('--turns') ?? 2),
      suite: suite === 'none' ? [] : suite.split(','),
      preload: optionOf('--preload'),
      measures: rest.includes('--costs'),
      publishes,
    });
  } else if (name === 'cluster') {
    const before = optionOf('--before');
    return await clusterDrill({
      before: before === undefined ? undefined : Number(before),
      publishes,
    });
  } else {
    process.stdout.write(HELP);
    return name === '--help' ? 0 : 2;
  }
}
