import { relative, resolve } from 'node:path';
import { defineCommand, type Io } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { LocalError } from '../local-error.ts';
import { createOutput, listing } from '../output.ts';
import { checkedProfileName, profileKeyFile } from '../profile.ts';
import { writeProjectFiles } from './project-files.ts';
import type { SeededWorld } from './start.ts';
import { checkName, forgetWorld, keepWorld, WORLD_NAME, WORLD_OPTION } from './world-file.ts';

export const dev = defineCommand({
  name: 'dev',
  summary: 'run a service with everything around it, ready for a first payment',
  options: {
    ...WORLD_OPTION,
    folder: { type: 'string', placeholder: 'path', summary: 'where .env and .mcp.json go [this folder]' },
    'no-files': { type: 'boolean', summary: 'write neither .env nor .mcp.json' },
  },
  details: [
    'A merchant with a verified domain and two payees, an active agent with its key, a simulated wallet that is connected',
    'to it, a name server, a mail catcher and a receiver of webhooks, on free ports of this machine. The profile dev',
    'has every credential, so that all other commands work with --profile dev. .env and .mcp.json keep what else is in',
    'them. Runs until Ctrl-C; then nothing is left. With --json one line per step: ready, then note.',
    '',
    '  payassent dev                        in one terminal',
    '  payassent try                        in another: ask, approve, confirm, verify',
    '  payassent dev clock +1h              move its clock',
  ].join('\n'),
  async run(io, { values, isJson }) {
    const name = checkedProfileName(values.profile ?? WORLD_NAME);
    checkName(io, name);
    const output = createOutput(io, isJson);
    output.note('Starting a service and its surroundings …');
    const { startSeededWorld, profileOf } = await import('./start.ts');
    const say = (text: string) => output.step({ type: 'note', text }, text);
    const seeded = await startSeededWorld({ signal: io.signal, say });
    let files: ReturnType<typeof writeProjectFiles> | undefined;
    try {
      const { seed } = seeded.connected.key;
      keepWorld(io, name, seeded.running, { profile: profileOf(seeded), seed });
      if (!values['no-files'])
        files = writeProjectFiles(resolve(values.folder ?? '.'), variables(io, name, seeded), name);
      output.result(
        { type: 'ready', ...told(seeded), files: files?.files ?? [] },
        banner(seeded, name, files),
      );
      await untilEnded(io.signal, seeded);
      if (!io.signal.aborted) throw new LocalError('service_ended', 'The service stopped unexpectedly.');
    } finally {
      output.note('Stopping …');
      files?.remove();
      forgetWorld(io, name);
      await seeded.stop();
    }
    return EXIT.ok;
  },
});

function untilEnded(signal: AbortSignal, { dev: { world } }: SeededWorld): Promise<void> {
  return new Promise((ended) => {
    if (signal.aborted) ended();
    signal.addEventListener('abort', () => ended(), { once: true });
    world.service.child.once('exit', () => ended());
  });
}

function variables(io: Io, name: string, seeded: SeededWorld): Record<string, string> {
  const { connected, running, dev: world } = seeded;
  return {
    PAYASSENT_BASE_URL: running.service,
    PAYASSENT_AGENT_ID: connected.agentId,
    PAYASSENT_KID: connected.kid,
    PAYASSENT_KEY_FILE: profileKeyFile(io, name),
    PAYASSENT_CONNECTION_ID: connected.connectionId,
    PAYASSENT_CONNECTION_TOKEN: connected.connectionToken,
    PAYASSENT_RECIPIENT_ID: running.payees[0]?.recipient_id ?? '',
    PAYASSENT_WEBHOOK_SECRET: world.world.webhooks.secrets[0] ?? '',
  };
}

/** No secret: the profile and .env have them. */
function told({ running, connected, linkCode }: SeededWorld) {
  const { agentId, connectionId } = connected;
  const wallet = `${running.service}/wallet`;
  return { ...running, agent_id: agentId, connection_id: connectionId, wallet, link_code: linkCode };
}

function banner(seeded: SeededWorld, name: string, files: { files: string[] } | undefined): string {
  const { service, viewer, webhooks, merchant, payees } = seeded.running;
  const rows: [string, string][] = [
    ['Service', `${service}   reference at /docs`],
    ['Portal', `${service}/portal   sign in as ${merchant.email}; the link comes by mail`],
    ['Mail, names', `${viewer}   every mail that the service sends`],
    ['Webhooks', `${webhooks}   receives, verifies and lists`],
    ['Merchant', `${merchant.name}, ${merchant.domain} (verified)`],
    ...payees.map(({ recipient_id, name: payee }): [string, string] => [
      'Payee',
      `${recipient_id}   ${payee}`,
    ]),
    ['Agent', `${seeded.connected.agentId}   active, with its key`],
    ['Wallet', `${seeded.connected.connectionId}   simulated, connected`],
    ['In a browser', `${service}/wallet   join the same wallet with ${seeded.linkCode}`],
    ['Profile', `${name}   every command works with --profile ${name}`],
    ...(files?.files ?? []).map((file): [string, string] => ['File', relative('.', file)]),
  ];
  return `\n${listing(rows, '  ')}\n\n  Now, in another terminal: payassent try\n  Ctrl-C ends it; nothing is left.\n`;
}
