import type { Command } from './command.ts';

/** Every command, in the order of the help. Each is loaded when it is used, so that all of them start fast. */
export const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  'keys generate': async () => (await import('./commands/keys-generate.ts')).keysGenerate,
  'keys prove': async () => (await import('./commands/keys-prove.ts')).keysProve,
  'agent token': async () => (await import('./commands/agent-token.ts')).agentToken,
  connect: async () => (await import('./commands/connect.ts')).connect,
  'request create': async () => (await import('./commands/request-create.ts')).requestCreate,
  'request get': async () => (await import('./commands/request-get.ts')).requestGet,
  'request watch': async () => (await import('./commands/request-watch.ts')).requestWatch,
  'wallet connect-key': async () => (await import('./commands/wallet-connect-key.ts')).walletConnectKey,
  'wallet simulate': async () => (await import('./commands/wallet-simulate.ts')).walletSimulate,
  'webhooks listen': async () => (await import('./commands/webhooks-listen.ts')).webhooksListen,
  'profiles list': async () => (await import('./commands/profiles.ts')).profilesList,
  'profiles show': async () => (await import('./commands/profiles.ts')).profilesShow,
  'profiles set': async () => (await import('./commands/profiles.ts')).profilesSet,
  'profiles delete': async () => (await import('./commands/profiles.ts')).profilesDelete,
  demo: async () => (await import('./demo/index.ts')).demoCommand,
  serve: async () => (await import('./commands/operator.ts')).serve,
  migrate: async () => (await import('./commands/operator.ts')).migrate,
  'keys status': async () => (await import('./commands/master-keys.ts')).keysStatus,
  'keys rotate': async () => (await import('./commands/master-keys.ts')).keysRotate,
  'keys abandon': async () => (await import('./commands/master-keys.ts')).keysAbandon,
  suspend: async () => (await import('./commands/suspend.ts')).suspend,
  unsuspend: async () => (await import('./commands/suspend.ts')).unsuspend,
  'audit verify': async () => (await import('./commands/audit-verify.ts')).auditVerify,
  config: async () => (await import('./commands/operator.ts')).config,
};
