import { endAll } from './stage/ending.ts';
import { type Command, helpOf, readOptions } from './stage/options.ts';

/** The tools of this workspace, each loaded only when it is requested. */
const COMMANDS: Record<string, () => Promise<{ default: Command }>> = {
  torture: () => import('./torture/main.ts'),
  mutations: () => import('./torture/mutations/main.ts'),
  failover: () => import('./drills/failover.ts'),
  drill: () => import('./drills/main.ts'),
  bench: () => import('./bench/main.ts'),
};

/** Runs a command with its arguments; returns the exit code. */
async function main([name = '', ...args]: readonly string[]): Promise<number> {
  const load = COMMANDS[name];
  if (!load) {
    process.stderr.write(`node proof/run.mjs <${Object.keys(COMMANDS).join(' | ')}> [options]\n`);
    return 2;
  }
  const { default: command } = await load();
  if (args.includes('--help')) {
    process.stdout.write(helpOf(command));
    return 0;
  }
  let given: ReturnType<typeof readOptions>;
  try {
    given = readOptions(command.options, args);
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${helpOf(command)}`);
    return 2;
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => void endAll().then(() => process.exit(130)));
  // Each process that is started ends with this one.
  process.setMaxListeners(0);
  try {
    return await command.run(given.values, given.words);
  } finally {
    await endAll();
  }
}

process.exitCode = await main(process.argv.slice(2));
