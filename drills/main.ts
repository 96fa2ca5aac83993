import { operatorDrill } from './operator/index.ts';

const HELP = `npm run drill -- operator [--only <name>] [--publish]

  operator   Faults that an operator meets, under load: nothing acknowledged is lost, every call is answered in its time.
  --only     One of the runs.
  --publish  Writes the figures into docs/DRILLS.md.
`;

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
// Each service that is made here ends with this process.
process.setMaxListeners(0);
const [name, ...rest] = process.argv.slice(2);
if (name === 'operator') {
  const only = rest.includes('--only') ? rest[rest.indexOf('--only') + 1] : undefined;
  process.exitCode = await operatorDrill({ only, publishes: rest.includes('--publish') });
} else {
  process.stdout.write(HELP);
  process.exitCode = name === '--help' ? 0 : 2;
}
