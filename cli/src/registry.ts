import type { Command } from './command.ts';

type Load = () => Promise<{ commands: readonly Command[] }>;

const merchant: Load = () => import('./commands/merchant.ts');
const setup: Load = () => import('./commands/merchant-setup.ts');
const requests: Load = () => import('./commands/requests.ts');
const creation: Load = () => import('./commands/request-create.ts');
const webhooks: Load = () => import('./webhooks/index.ts');
const host: Load = () => import('./commands/host.ts');

/** In the order of the help. Each file is loaded when one of its commands is used, so that all of them start fast. */
const TABLE: readonly (readonly [Load, ...names: string[]])[] = [
  [() => import('./dev/index.ts'), 'dev'],
  [() => import('./dev/clock.ts'), 'dev clock'],
  [() => import('./dev/try.ts'), 'try'],
  [() => import('./dev/trigger.ts'), 'trigger'],
  [() => import('./commands/init.ts'), 'init'],
  [webhooks, 'listen'],
  [() => import('./commands/agent.ts'), 'keys generate', 'keys prove', 'agent token'],
  [() => import('./commands/connect.ts'), 'connect'],
  [creation, 'request create'],
  [requests, 'request get'],
  [() => import('./commands/request-watch.ts'), 'request watch'],
  [requests, 'request evidence', 'request list', 'request withdraw'],
  [creation, 'request preview'],
  [requests, 'payees list'],
  [() => import('./wallet/index.ts'), 'wallet connect-key', 'wallet simulate'],
  [() => import('./commands/mcp.ts'), 'mcp'],
  [webhooks, 'webhooks listen'],
  [merchant, 'merchant link', 'merchant sign-in'],
  [setup, 'merchant domain add', 'merchant domain verify', 'merchant domain list'],
  [setup, 'merchant payee add', 'merchant payee list', 'merchant agent add', 'merchant agent list'],
  [setup, 'merchant key add'],
  [setup, 'merchant webhook add', 'merchant webhook verify', 'merchant webhook list'],
  [merchant, 'sessions list', 'sessions end', 'passkeys list', 'passkeys remove', 'passkeys confirm'],
  [() => import('./commands/operators.ts'), 'operators list', 'operators invite', 'operators role'],
  [() => import('./commands/operators.ts'), 'operators remove'],
  [() => import('./commands/operators.ts'), 'approvals list', 'approvals approve', 'approvals reject'],
  [() => import('./commands/verify.ts'), 'verify'],
  [() => import('./monitor/index.ts'), 'monitor'],
  [
    () => import('./commands/profiles.ts'),
    'profiles list',
    'profiles show',
    'profiles set',
    'profiles delete',
  ],
  [host, 'serve', 'migrate', 'distribute'],
  [() => import('./commands/doctor.ts'), 'doctor'],
  [() => import('./commands/stats.ts'), 'stats'],
  [() => import('./commands/backup.ts'), 'backup', 'restore', 'upgrade-database'],
  [() => import('./commands/master-keys.ts'), 'keys status', 'keys rotate', 'keys abandon'],
  [() => import('./commands/suspend.ts'), 'suspend', 'unsuspend', 'team reset-passkeys'],
  [() => import('./commands/doctor.ts'), 'audit verify'],
  [completion, 'completion'],
  [host, 'config'],
];

export const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = Object.fromEntries(
  TABLE.flatMap(([load, ...names]) => names.map((name) => [name, () => commandOf(load, name)])),
);

async function commandOf(load: Load, name: string): Promise<Command> {
  const found = (await load()).commands.find((command) => command.name === name);
  if (!found) throw new Error(`The command ${name} is not in the module that the table names`);
  return found;
}

/** It lists the very table that it is in. */
async function completion() {
  const { completionOf } = await import('./commands/completion.ts');
  return { commands: [completionOf(() => Promise.all(Object.values(COMMANDS).map((load) => load())))] };
}
