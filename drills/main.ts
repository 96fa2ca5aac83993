import { citusDrill } from './citus/index.ts';
import { clusterDrill } from './cluster/index.ts';
import { operatorDrill } from './operator/index.ts';
import { patroniDrill } from './patroni/index.ts';

const HELP = `npm run drill -- operator [--only <name>] [--publish]
npm run drill -- pgbouncer
npm run drill -- cluster [--publish]
npm run drill -- patroni [--failovers <n>] [--only <kind>] [--publish] [--keep]
npm run drill -- citus [--preload <libraries>]

  operator     Faults that an operator meets, under load: nothing acknowledged is lost, every call is answered in its time.
  pgbouncer    The part of it that goes through PgBouncer, in session and in transaction mode.
  cluster      A rolling update of four processes over a schema change, behind HAProxy with TLS, under load.
  patroni      Three PostgreSQL under Patroni, etcd and HAProxy, in network namespaces: 20 failovers under torture's clients.
  citus        Whether Citus does what docs/decisions/0015-many-machines.md builds on. The service itself is not in it yet.
  --failovers  Another number of them.
  --only       One of the runs, or one kind of failover.
  --publish    Writes the figures into docs/DRILLS.md.
  --preload    Instead of citus: the libraries that each machine loads at its start.
  --keep       Keeps the folder with the logs and what the clients were told.
`;

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
// Each service that is made here ends with this process.
process.setMaxListeners(0);
const [name, ...rest] = process.argv.slice(2);
const optionOf = (option: string) => (rest.includes(option) ? rest[rest.indexOf(option) + 1] : undefined);
const publishes = rest.includes('--publish');
if (name === 'operator') {
  process.exitCode = await operatorDrill({ only: optionOf('--only'), publishes });
} else if (name === 'pgbouncer') {
  process.exitCode = await operatorDrill({ only: name, publishes: false });
} else if (name === 'patroni') {
  process.exitCode = await patroniDrill({
    failovers: Number(optionOf('--failovers') ?? 20),
    only: optionOf('--only'),
    publishes,
    keeps: rest.includes('--keep'),
  });
} else if (name === 'citus') {
  process.exitCode = await citusDrill({ preload: optionOf('--preload') });
} else if (name === 'cluster') {
  process.exitCode = await clusterDrill({ publishes });
} else {
  process.stdout.write(HELP);
  process.exitCode = name === '--help' ? 0 : 2;
}
