import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { defineCommand, EXIT, type Io, LocalError } from '../command.ts';
import { createOutput, listing } from '../output.ts';
import { checkedProfileName, profileKeyFile } from '../profile.ts';
import type { Narration } from './narration.ts';
import { writeProjectFiles } from './project-files.ts';
import { checkName, forgetWorld, keepWorld, type RunningWorld, WORLD_NAME, WORLD_OPTION } from './running.ts';
import type { Seeded } from './seed.ts';
import type { Surroundings } from './surroundings.ts';

export const commands = [
  defineCommand({
    name: 'dev',
    summary: 'run a service with everything around it, ready for a first payment',
    options: {
      ...WORLD_OPTION,
      folder: { type: 'string', placeholder: 'path', summary: 'where .env and .mcp.json go [this folder]' },
      'no-files': { type: 'boolean', summary: 'write neither .env nor .mcp.json' },
    },
    details: [
      'A merchant with a verified domain and two payees, an active agent with its key, a simulated wallet that is connected',
      'to it, a name server, a mail viewer and a receiver of webhooks, on free ports of this machine. The profile dev',
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
      let isSeeded = false;
      const say = (text: string) => void (isSeeded && output.step({ type: 'note', text }, text));
      const world = await startSeeded(io.signal, SILENT, say);
      let files: ReturnType<typeof writeProjectFiles> | undefined;
      try {
        const { link_code } = await world.wallet.devices.createLinkCode({ signal: io.signal });
        isSeeded = true;
        keepWorld(io, name, world.running, { profile: profileOf(world), seed: world.key.seed });
        if (!values['no-files'])
          files = writeProjectFiles(resolve(values.folder ?? '.'), variables(io, name, world), name);
        output.result(
          { type: 'ready', ...told(world), link_code, files: files?.files ?? [] },
          banner(world, name, link_code, files?.files ?? []),
        );
        await untilEnded(io.signal, world.around);
        if (!io.signal.aborted) throw new LocalError('service_ended', 'The service stopped unexpectedly.');
      } finally {
        output.note('Stopping …');
        files?.remove();
        forgetWorld(io, name);
        await world.stop();
      }
      return EXIT.ok;
    },
  }),
];

/** A service with its surroundings and everything that a first payment needs. */
interface SeededWorld extends Seeded {
  around: Surroundings;
  running: RunningWorld;
  /** Ends it; its data are temporary. */
  stop(): Promise<void>;
}

const SILENT: Narration = { fetchAs: () => fetch, tell: () => undefined, giveUp: () => undefined };

/** What starts a service is loaded only here: every other command starts faster without. */
export async function startSeeded(
  signal: AbortSignal,
  narration: Narration,
  say: (text: string) => void,
): Promise<SeededWorld> {
  const [{ startSurroundings }, { seed }] = await Promise.all([
    import('./surroundings.ts'),
    import('./seed.ts'),
  ]);
  const dataDir = await mkdtemp(join(tmpdir(), 'payassent-dev-'));
  let around: Surroundings | undefined;
  const stop = async (): Promise<void> => {
    await around?.stop();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 3 });
  };
  try {
    around = await startSurroundings({ dataDir, signal, say });
    const { service, viewer, webhooks } = around;
    narration.tell('service', { url: service.url }, `${service.url}   a service of its own`);
    const seeded = await seed(around, signal, narration);
    const running: RunningWorld = {
      pid: process.pid,
      service: service.url,
      viewer: viewer.url,
      webhooks: webhooks.url,
      merchant: seeded.persona,
      payees: seeded.payees,
    };
    return { ...seeded, around, running, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function untilEnded(signal: AbortSignal, { service }: Surroundings): Promise<void> {
  return new Promise((ended) => {
    if (signal.aborted) ended();
    signal.addEventListener('abort', () => ended(), { once: true });
    service.child.once('exit', () => ended());
  });
}

/** What the profile of the world holds: every command works with it. */
function profileOf({ running, merchant, ...seeded }: SeededWorld) {
  const cookie = merchant.sessions.cookie();
  return {
    base_url: running.service,
    agent_id: seeded.agentId,
    kid: seeded.kid,
    connection_id: seeded.connectionId,
    connection_token: seeded.connectionToken,
    device_id: seeded.deviceId,
    device_token: seeded.deviceToken,
    ...(cookie === undefined ? {} : { session_cookie: cookie }),
  };
}

function variables(
  io: Io,
  name: string,
  { running, around, ...seeded }: SeededWorld,
): Record<string, string> {
  return {
    PAYASSENT_BASE_URL: running.service,
    PAYASSENT_AGENT_ID: seeded.agentId,
    PAYASSENT_KID: seeded.kid,
    PAYASSENT_KEY_FILE: profileKeyFile(io, name),
    PAYASSENT_CONNECTION_ID: seeded.connectionId,
    PAYASSENT_CONNECTION_TOKEN: seeded.connectionToken,
    PAYASSENT_RECIPIENT_ID: running.payees[0]?.recipient_id ?? '',
    PAYASSENT_WEBHOOK_SECRET: around.webhooks.secrets[0] ?? '',
  };
}

/** No secret: the profile and .env have them. */
function told({ running, agentId, connectionId }: SeededWorld) {
  return { ...running, agent_id: agentId, connection_id: connectionId, wallet: `${running.service}/wallet` };
}

function banner(
  { running, agentId, connectionId }: SeededWorld,
  name: string,
  linkCode: string,
  files: readonly string[],
): string {
  const { service, viewer, webhooks, merchant, payees } = running;
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
    ['Agent', `${agentId}   active, with its key`],
    ['Wallet', `${connectionId}   simulated, connected`],
    ['In a browser', `${service}/wallet   join the same wallet with ${linkCode}`],
    ['Profile', `${name}   every command works with --profile ${name}`],
    ...files.map((file): [string, string] => ['File', relative('.', file)]),
  ];
  return `\n${listing(rows, '  ')}\n\n  Now, in another terminal: payassent try\n  Ctrl-C ends it; nothing is left.\n`;
}
