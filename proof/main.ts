/** Where each command of `node proof/run.mjs` begins: it gets its arguments and answers the exit code. */
const COMMANDS: Record<string, () => Promise<{ main(args: string[]): Promise<number> }>> = {
  torture: () => import('./torture/main.ts'),
  mutations: () => import('./torture/mutations/main.ts'),
  failover: () => import('./torture/failover/main.ts'),
  drill: () => import('./drills/main.ts'),
  bench: () => import('./bench/main.ts'),
};

export async function main([name = '', ...args]: readonly string[]): Promise<number> {
  const load = COMMANDS[name];
  if (name !== 'bench')
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
  if (!load) {
    process.stderr.write(`node proof/run.mjs <${Object.keys(COMMANDS).join(' | ')}> [options]\n`);
    return 2;
  }
  return (await load()).main(args);
}
