import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { openWallet } from '../clients.ts';
import { defineCommand, EXIT, type Io, LocalError, UsageError } from '../command.ts';
import { createOutput, listing } from '../output.ts';
import {
  checkedProfileName,
  hasProfile,
  profileDataFolder,
  profileKeyFile,
  readProfile,
} from '../profile.ts';
import { readSettings, type Settings } from '../settings.ts';
import { emptyMemory, type Memory, readMemory, writeMemory } from './memory.ts';
import type { Narration } from './narration.ts';
import { writeProjectFiles } from './project-files.ts';
import {
  checkName,
  forgetWorld,
  keepWorld,
  type RunningWorld,
  WORLD_NAME,
  WORLD_OPTION,
  withoutVariables,
} from './running.ts';
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
      keep: {
        type: 'boolean',
        summary: 'keep the data at the end, and continue with them at the next start',
      },
    },
    details: [
      'A merchant with a verified domain and two payees, an active agent with its key, a simulated wallet that is connected',
      'to it, a name server, a mail viewer and a receiver of webhooks, on free ports of this machine. The profile dev',
      'has every credential, so that all other commands work with --profile dev. .env and .mcp.json keep what else is in',
      'them, and git ignores them. Runs until Ctrl-C; then nothing is left, or with --keep everything for the next start',
      'with --keep. With --json one line per step: ready, then note.',
      '',
      '  payassent dev                        in one terminal',
      '  payassent try                        in another: request, approve, confirm, verify',
      '  payassent dev clock +1h              move its clock',
    ].join('\n'),
    async run(io, { values, isJson }) {
      const name = checkedProfileName(values.profile ?? WORLD_NAME);
      checkName(io, name);
      const { keep = false } = values;
      const dataFolder = profileDataFolder(io, name);
      if (!keep && existsSync(dataFolder))
        throw new UsageError(
          `World ${name} is kept: continue it with --keep, name another with --profile, or delete ${dataFolder}`,
        );
      const output = createOutput(io, isJson);
      output.note('Starting a service and its surroundings …');
      let isReady = false;
      const say = (text: string) => void (isReady && output.step({ type: 'note', text }, text));
      const world = await (keep ? startKept(io, name, say) : start(io, name, say));
      let files: ReturnType<typeof writeProjectFiles> | undefined;
      try {
        const settings = readSettings(withoutVariables(io), { profile: name });
        const { wallet } = await openWallet(withoutVariables(io), settings, {}, isJson);
        const { link_code } = await wallet.devices.createLinkCode({ signal: io.signal });
        isReady = true;
        if (!values['no-files'])
          files = writeProjectFiles(resolve(values.folder ?? '.'), variables(io, name, world), name);
        for (const file of files?.tracked ?? [])
          output.note(`${file} is followed by git: do not commit it while this world runs.`);
        const next = `${io.typed ?? 'payassent'} try${name === WORLD_NAME ? '' : ` --profile ${name}`}`;
        const told = { link_code, next, files: files?.files ?? [] };
        output.result(
          { type: 'ready', ...publicPart(settings, world.running), ...told },
          banner(settings, world.running, { ...told, keep }),
        );
        await untilEnded(io.signal, world.around);
        if (!io.signal.aborted) throw new LocalError('service_ended', 'The service stopped unexpectedly.');
      } finally {
        output.note('Stopping …');
        // What cannot be deleted must not keep the world running.
        try {
          forgetWorld(io, name, { keep });
          files?.remove();
        } finally {
          await world.stop();
        }
      }
      return EXIT.ok;
    },
  }),
];

type Say = (text: string) => void;

/** A world that other commands find. */
interface StartedWorld {
  around: Surroundings;
  running: RunningWorld;
  stop(): Promise<void>;
}

/** Its data are temporary, unless a place for them is given. */
async function start(io: Io, name: string, say: Say, place?: Place): Promise<StartedWorld> {
  const world = await startSeeded(io.signal, SILENT, say, place);
  return orStop(world, () =>
    keepWorld(io, name, world.running, { profile: profileOf(world), seed: world.key.seed }),
  );
}

/** A world that other commands cannot find is ended: it would keep this process. */
async function orStop<Of extends StartedWorld>(world: Of, publish: () => void): Promise<Of> {
  try {
    publish();
    return world;
  } catch (error) {
    await world.stop();
    throw error;
  }
}

/** As it was when it was stopped; for the first time a new one. */
async function startKept(io: Io, name: string, say: Say): Promise<StartedWorld> {
  const { startAgain } = await import('./surroundings.ts');
  const dataDir = profileDataFolder(io, name);
  const kept = readMemory(dataDir);
  if (!kept) {
    const memory = emptyMemory();
    let isComplete = false;
    const onChange = () => void (isComplete && write());
    const started = await start(io, name, say, { dataDir, memory, onChange });
    const { pid: _, ...running } = started.running;
    const write = () => writeMemory(dataDir, running, memory);
    return orStop(started, () => {
      write();
      isComplete = true;
    });
  }
  if (!hasProfile(io, name))
    throw new UsageError(`The profile of the kept world ${name} is gone: delete ${dataDir} to begin another`);
  const { world, memory } = kept;
  const onChange = () => writeMemory(dataDir, world, memory);
  const around = await withSessions(io.signal, (openSession) =>
    startAgain(world, { dataDir, signal: io.signal, say, openSession, memory, onChange }),
  );
  const running = { ...world, pid: process.pid };
  return orStop({ around, running, stop: around.stop }, () => keepWorld(io, name, running, undefined));
}

/** A service with its surroundings and everything that a first payment needs. */
interface SeededWorld extends Seeded, StartedWorld {}

/** Where the data go that a world keeps. */
interface Place {
  dataDir: string;
  memory: Memory;
  onChange(): void;
}

const SILENT: Narration = { fetchAs: () => fetch, tell: () => undefined, giveUp: () => undefined };

/** What starts a service is loaded only here: every other command starts faster without. */
export async function startSeeded(
  signal: AbortSignal,
  narration: Narration,
  say: Say,
  place?: Place,
): Promise<SeededWorld> {
  const [{ startSurroundings }, { seed }] = await Promise.all([
    import('./surroundings.ts'),
    import('./seed.ts'),
  ]);
  const dataDir = place?.dataDir ?? (await mkdtemp(join(tmpdir(), 'payassent-dev-')));
  let around: Surroundings | undefined;
  const stop = async (): Promise<void> => {
    await around?.stop();
    if (!place) await rm(dataDir, { recursive: true, force: true, maxRetries: 3 });
  };
  try {
    around = await withSessions(signal, (openSession) =>
      startSurroundings({ ...place, dataDir, signal, say, openSession }),
    );
    const { service, viewer, webhooks } = around;
    narration.tell('service', { url: service.url }, `${service.url}   a separate service`);
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
    // What was begun and not finished is of no use to a later start.
    await rm(dataDir, { recursive: true, force: true, maxRetries: 3 });
    throw error;
  }
}

/** Lets the surroundings sign the owner in. Commands that find a session ended at the same moment share the next one. */
async function withSessions(
  signal: AbortSignal,
  startWith: (openSession: () => Promise<string>) => Promise<Surroundings>,
): Promise<Surroundings> {
  const { signIn } = await import('./seed.ts');
  let opening: Promise<string> | undefined;
  const around = await startWith(() => {
    opening ??= signIn(around, signal).finally(() => {
      opening = undefined;
    });
    return opening;
  });
  return around;
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

function variables(io: Io, name: string, { running, around }: StartedWorld): Record<string, string> {
  const { agent_id = '', kid = '', connection_id = '', connection_token = '' } = readProfile(io, name);
  return {
    PAYASSENT_BASE_URL: running.service,
    PAYASSENT_AGENT_ID: agent_id,
    PAYASSENT_KID: kid,
    PAYASSENT_KEY_FILE: profileKeyFile(io, name),
    PAYASSENT_CONNECTION_ID: connection_id,
    PAYASSENT_CONNECTION_TOKEN: connection_token,
    PAYASSENT_RECIPIENT_ID: running.payees[0]?.recipient_id ?? '',
    PAYASSENT_WEBHOOK_SECRET: around.webhooks.secrets[0] ?? '',
    PAYASSENT_MAIL_URL: running.viewer,
    PAYASSENT_WEBHOOKS_URL: running.webhooks,
  };
}

/** No secret: the profile and .env have them. */
function publicPart({ profile: { agent_id, connection_id } }: Settings, running: RunningWorld) {
  return { ...running, agent_id, connection_id, wallet: `${running.service}/wallet` };
}

function banner(
  { profile, profileName: name }: Settings,
  running: RunningWorld,
  told: { link_code: string; next: string; files: readonly string[]; keep: boolean },
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
    ['Agent', `${profile.agent_id}   active, with its key`],
    ['Wallet', `${profile.connection_id}   simulated, connected`],
    ['In a browser', `${service}/wallet   join the same wallet with ${told.link_code}`],
    ['Profile', `${name}   every command works with --profile ${name}`],
    ...told.files.map((file): [string, string] => ['File', relative('.', file)]),
  ];
  const end = told.keep ? 'Ctrl-C ends it; --keep continues it later.' : 'Ctrl-C ends it; nothing is left.';
  return `\n${listing(rows, '  ')}\n\n  Now, in another terminal, in this folder: ${told.next}\n  ${end}\n`;
}
