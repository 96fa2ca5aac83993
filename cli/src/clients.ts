import { existsSync } from 'node:fs';
import {
  AgentClient,
  type AgentKey,
  agentKeyFromPem,
  agentKeyFromSeed,
  type ClientOptions,
  ConnectionClient,
  memoryStore,
  type Store,
  systemClock,
  WalletClient,
} from '@payassent/sdk';
import {
  type Args,
  type Command,
  defineCommand,
  type Io,
  type Options,
  type Outcome,
  UsageError,
} from './command.ts';
import { isReadableByOthers } from './private-file.ts';
import { keptKeyFile, profileKeyFile, readProfile, updateProfile } from './profile.ts';
import {
  given,
  readInput,
  readSecret,
  readSettings,
  required,
  SERVICE_OPTIONS,
  type Settings,
  setting,
} from './settings.ts';

export const AGENT_OPTIONS = {
  'agent-id': { type: 'string', placeholder: 'agt_…', summary: 'the agent [PAYASSENT_AGENT_ID, profile]' },
  kid: {
    type: 'string',
    placeholder: 'name',
    summary: "the key's registered name [PAYASSENT_KID, profile]",
  },
  'key-file': {
    type: 'string',
    placeholder: 'path',
    summary: 'the private key, seed or PEM, - for stdin [PAYASSENT_KEY_FILE, profile]',
  },
} as const satisfies Options;

export const CONNECTION_OPTIONS = {
  'connection-token': {
    type: 'string',
    placeholder: 'svc_ct_…',
    summary: '- for stdin [PAYASSENT_CONNECTION_TOKEN, profile]',
  },
  'connection-token-file': { type: 'string', placeholder: 'path', summary: 'a file with the token' },
} as const satisfies Options;

export const DEVICE_OPTIONS = {
  'device-token': {
    type: 'string',
    placeholder: 'svc_dt_…',
    summary: '- for stdin [PAYASSENT_DEVICE_TOKEN, profile]; without any, a new wallet is enrolled',
  },
  'device-token-file': { type: 'string', placeholder: 'path', summary: 'a file with the token' },
} as const satisfies Options;

/** Reports retries on stderr, to explain the delay. */
export function clientOptions(io: Io, { baseUrl, profile }: Settings, isJson: boolean): ClientOptions {
  if (isClearText(baseUrl))
    throw new UsageError(
      'The address is http on another machine: tokens would travel in the clear. Use https',
    );
  return {
    baseUrl,
    ...(io.fetch ? { fetch: io.fetch } : {}),
    // Of a dev world whose clock was moved, also by this very command: what is signed here is as old there.
    clock: { ...systemClock, now: () => systemClock.now() + Number(profile.clock_offset_ms ?? 0) },
    ...(isJson
      ? {}
      : {
          onRetry: ({ call, delayMs, code }) =>
            io.stderr.write(`${call}: ${code}; trying again in ${delayMs} ms\n`),
        }),
  };
}

/** The SDK refuses it too, but its error names an SDK setting that this command does not have. */
function isClearText(baseUrl: string): boolean {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  return url?.protocol === 'http:' && !['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
}

type AgentValues = Args<typeof AGENT_OPTIONS>['values'];

interface AgentSettings {
  agentId: string;
  kid: string;
  key: AgentKey;
  keyFile: string | undefined;
}

export async function readAgent(io: Io, settings: Settings, values: AgentValues): Promise<AgentSettings> {
  const { profile } = settings;
  const agentId = setting(io, profile, {
    option: values['agent-id'],
    env: 'PAYASSENT_AGENT_ID',
    member: 'agent_id',
  });
  const kid = setting(io, profile, { option: values.kid, env: 'PAYASSENT_KID', member: 'kid' });
  return {
    agentId: required(agentId, '--agent-id (or PAYASSENT_AGENT_ID, or agent_id in the profile)'),
    kid: required(kid, '--kid (or PAYASSENT_KID, or kid in the profile)'),
    ...(await readKey(io, settings, values)),
  };
}

/** The private key: from a file, or its text from PAYASSENT_KEY. */
async function readKey(
  io: Io,
  { profile, profileName }: Settings,
  values: AgentValues,
): Promise<{ key: AgentKey; keyFile: string | undefined }> {
  const stated = setting(io, {}, { option: values['key-file'], env: 'PAYASSENT_KEY_FILE' });
  const inline = stated === undefined ? io.env['PAYASSENT_KEY'] || undefined : undefined;
  const keyFile =
    inline === undefined ? (stated ?? profile.key_file ?? ownKeyFile(io, profileName)) : undefined;
  const text =
    inline ??
    (await readInput(io, required(keyFile, '--key-file (or PAYASSENT_KEY_FILE, or PAYASSENT_KEY)')));
  if (keyFile !== undefined && keyFile !== '-' && isReadableByOthers(keyFile))
    io.stderr.write(`${keyFile} can be read by others on this machine; run: chmod 600 ${keyFile}\n`);
  try {
    const key = text.includes('-----BEGIN') ? agentKeyFromPem(text) : agentKeyFromSeed(text);
    return { key, keyFile };
  } catch (error) {
    throw new UsageError(`${keyFile ?? 'PAYASSENT_KEY'}: ${(error as Error).message}`);
  }
}

/** The agent's connection in the profile, with what it takes to act in it again. Returns the profile's file. */
export function keepConnection(
  io: Io,
  { profileName, baseUrl }: Settings,
  { agentId, kid, keyFile }: AgentSettings,
  connection: { connection_id: string; connection_token: string },
): string {
  return updateProfile(io, profileName, {
    base_url: baseUrl,
    agent_id: agentId,
    kid,
    ...(keyFile === undefined || keyFile === '-' ? {} : { key_file: keptKeyFile(keyFile) }),
    ...connection,
  });
}

/** Where `keys generate` puts it, when it has. */
function ownKeyFile(io: Io, profileName: string): string | undefined {
  const path = profileKeyFile(io, profileName);
  return existsSync(path) ? path : undefined;
}

/** Wrong settings that the SDK notices are wrong usage here. */
export function orUsage<T>(make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError) throw new UsageError(error.message);
    throw error;
  }
}

export async function openAgent(
  io: Io,
  settings: Settings,
  values: AgentValues,
  isJson: boolean,
): Promise<{ agent: AgentClient; settings: AgentSettings }> {
  const agentSettings = await readAgent(io, settings, values);
  const { agentId, kid, key } = agentSettings;
  const options = { ...clientOptions(io, settings, isJson), agentId, kid, key };
  // What it connects is kept by the command, in the profile.
  const agent = orUsage(() => new AgentClient({ ...options, store: memoryStore() }));
  return { agent, settings: agentSettings };
}

type ConnectionValues = Args<typeof CONNECTION_OPTIONS>['values'];

/**
 * Acts within the connection. Where the profile also knows the agent and its key, the agent's own token is collected
 * and stored after a rotation, and every call proves the key.
 */
export async function openConnection(
  io: Io,
  settings: Settings,
  values: ConnectionValues,
  isJson: boolean,
): Promise<ConnectionClient> {
  const { profile, profileName } = settings;
  const stated = await readSecret(
    io,
    {},
    {
      name: 'connection-token',
      option: values['connection-token'],
      file: values['connection-token-file'],
      env: 'PAYASSENT_CONNECTION_TOKEN',
    },
  );
  const options = clientOptions(io, settings, isJson);
  if (stated !== undefined)
    return orUsage(() => new ConnectionClient({ ...options, connectionToken: stated }));
  const { connection_id: connectionId, agent_id: agentId, kid, key_file } = profile;
  const connectionToken = required(
    profile.connection_token,
    `a connection; run payassent connect, or give --connection-token (profile ${profileName} has none)`,
  );
  const hasKey = (key_file ?? ownKeyFile(io, profileName)) !== undefined;
  if (connectionId === undefined || !agentId || !kid || !hasKey)
    return orUsage(() => new ConnectionClient({ ...options, connectionToken }));
  const { key } = await readKey(io, settings, {});
  const store = profileStore(io, profileName);
  const agent = orUsage(() => new AgentClient({ ...options, agentId, kid, key, store }));
  return agent.connection({ connectionId, connectionToken });
}

interface ConnectionCommand<O extends Options> extends Omit<Command, 'options' | 'run'> {
  options?: O;
  /** Checks the command line; what it returns acts within the connection. */
  run(io: Io, args: Args<O>): ConnectionAct | Promise<ConnectionAct>;
}

type ConnectionAct = (client: ConnectionClient, options: { signal: AbortSignal }) => Promise<Outcome>;

export function connectionCommand<const O extends Options>(command: ConnectionCommand<O>): Command {
  return defineCommand({
    ...command,
    options: { ...SERVICE_OPTIONS, ...CONNECTION_OPTIONS, ...command.options },
    async run(io, args) {
      const settings = readSettings(io, args.values);
      const act = await command.run(io, args as Args<O>);
      return act(await openConnection(io, settings, args.values, args.isJson), { signal: io.signal });
    },
  });
}

/** Stores the connection's token in the profile; keys and cursors are stored in separate files here. */
function profileStore(io: Io, profileName: string): Store {
  // Its mode was complained about when it was first read.
  const quiet = { env: io.env, stderr: { write: () => undefined } };
  const onlyToken = (name: string) => {
    if (!name.startsWith('token/')) throw new Error(`A profile cannot keep ${name}`);
  };
  return {
    get(name) {
      onlyToken(name);
      return readProfile(quiet, profileName).connection_token;
    },
    set(name, connection_token) {
      onlyToken(name);
      updateProfile(quiet, profileName, { connection_token });
    },
    delete: onlyToken,
  };
}

type DeviceValues = Args<typeof DEVICE_OPTIONS>['values'];

/** The wallet of the profile. Without one a new wallet is enrolled and kept there. */
export async function openWallet(
  io: Io,
  settings: Settings,
  values: DeviceValues,
  isJson: boolean,
): Promise<{ wallet: WalletClient; enrolledInto: string | undefined }> {
  const { profile, profileName, baseUrl } = settings;
  const deviceToken = await readSecret(io, profile, {
    name: 'device-token',
    option: values['device-token'],
    file: values['device-token-file'],
    env: 'PAYASSENT_DEVICE_TOKEN',
    member: 'device_token',
  });
  const options = clientOptions(io, settings, isJson);
  if (deviceToken !== undefined)
    return {
      wallet: orUsage(
        () => new WalletClient({ ...options, ...given({ deviceId: profile.device_id }), deviceToken }),
      ),
      enrolledInto: undefined,
    };
  // The check of the address belongs to usage, the enrolment itself to the service.
  orUsage(() => new WalletClient({ ...options, deviceToken: 'svc_dt_' }));
  const input = { name: 'Simulated wallet', platform: 'cli' };
  const enrolled = await WalletClient.enrol(options, input, { signal: io.signal });
  const enrolledInto = updateProfile(io, profileName, {
    base_url: baseUrl,
    device_id: enrolled.device.device_id,
    device_token: enrolled.token,
    ...(enrolled.recovery_code === null ? {} : { recovery_code: enrolled.recovery_code }),
  });
  return { wallet: enrolled.client, enrolledInto };
}
