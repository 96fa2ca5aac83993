import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { freePort, refuseTakenPort } from './free-port.ts';

export type Env = Readonly<Record<string, string | undefined>>;

/** The compiled service in a process of its own. */
export interface SpawnedService {
  /** Where it listens, which is not its base URL when that names a proxy. */
  readonly address: string;
  /** Its base URL. */
  readonly url: string;
  readonly child: ChildProcess;
  /** Everything it has printed. */
  output(): string;
  /** Moves the clock of a service that was started with `isMovable`; answers its time. */
  advance(durationMs: number): Promise<Date>;
  /** Sends a signal, SIGTERM unless stated, and waits for the end; answers the exit code. */
  end(signal?: NodeJS.Signals): Promise<number | null>;
}

export interface SpawnOptions {
  readyWithinMs?: number;
  /**
   * Its own process group, so that a Ctrl-C in the terminal reaches only the program that started it, which then ends
   * it in order. The service itself watches that program and ends when it is gone.
   */
  isDetached?: boolean;
  /** Starts the service of a dev world, whose clock can be moved. */
  isMovable?: boolean;
  /** Gives up waiting, and ends what was started. */
  signal?: AbortSignal;
  /** Hears what is printed, as it comes. */
  onOutput?: (text: string) => void;
}

export interface ServiceOptions extends Omit<SpawnOptions, 'isDetached'> {
  /** A free one unless stated. */
  port?: number;
  /** Kept. Without it the data lives in a temporary folder, which `stop` removes. */
  dataDir?: string;
  /** `host:port` of the name server. */
  dns?: string;
  /** `smtp://…` of the mail server. */
  smtp?: string;
  /** The public address, when it is not the one it listens on. */
  baseUrl?: string;
  /** Further settings of the service; they win. */
  env?: Env;
}

export interface ServiceProcess extends SpawnedService {
  readonly dataDir: string;
  /** Ends the service and removes its data if they were temporary. Repeated calls wait for the same end. */
  stop(): Promise<void>;
}

const MAIL_FROM = 'PayAssent <no-reply@payassent.example>';
/** The service itself needs at most 15 s to end in order. */
const STOP_PATIENCE_MS = 20_000;
const READY_WITHIN_MS = 60_000;

/** A whole service with an embedded database, data of its own, and the given surroundings. */
export async function startServiceProcess(options: ServiceOptions = {}): Promise<ServiceProcess> {
  const port = options.port ?? (await freePort());
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'payassent-')));
  const removeData = async (): Promise<void> => {
    if (options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true, maxRetries: 3 });
  };
  const env: Env = {
    SVC_PORT: String(port),
    SVC_DATA_DIR: dataDir,
    SVC_BASE_URL: options.baseUrl,
    SVC_DNS_SERVERS: options.dns,
    SVC_SMTP_URL: options.smtp,
    SVC_MAIL_FROM: options.smtp === undefined ? undefined : MAIL_FROM,
    ...options.env,
  };
  const { readyWithinMs = READY_WITHIN_MS, signal, onOutput, isMovable = false } = options;
  let service: SpawnedService;
  try {
    service = await spawnService(env, {
      isDetached: true,
      isMovable,
      readyWithinMs,
      ...(signal ? { signal } : {}),
      ...(onOutput ? { onOutput } : {}),
    });
  } catch (error) {
    await removeData();
    throw error;
  }
  let stopping: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    await endInOrder(service);
    await removeData();
  };
  return {
    ...service,
    dataDir,
    stop() {
      stopping ??= stop();
      return stopping;
    },
  };
}

/** The service with exactly this environment; resolves when `/health` is 200, rejects when its port is taken. */
export async function spawnService(env: Env, options: SpawnOptions = {}): Promise<SpawnedService> {
  options.signal?.throwIfAborted();
  const port = Number(env['SVC_PORT'] ?? 8787);
  // Another process that listens there already would answer in its place. What is no port the service refuses in its own words.
  if (Number.isInteger(port) && port > 0 && port < 65_536) await refuseTakenPort(port);
  const child = spawn(process.execPath, [serviceMain(options.isMovable ? 'dev.js' : 'main.js')], {
    env: { ...inherited(), ...(options.isDetached ? { npm_lifecycle_event: 'world' } : {}), ...env },
    stdio: ['ignore', 'pipe', 'pipe', ...(options.isMovable ? (['ipc'] as const) : [])],
    detached: options.isDetached ?? false,
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      options.onOutput?.(chunk);
    });
  }
  const exited = once(child, 'exit');
  const address = `http://127.0.0.1:${port}`;
  const service: SpawnedService = {
    address,
    url: env['SVC_BASE_URL'] ?? address,
    child,
    output: () => text,
    async advance(advanceMs) {
      if (!child.connected) throw new Error('The clock of this service cannot be moved');
      const answered = once(child, 'message');
      child.send({ advanceMs });
      const [{ now }] = (await answered) as [{ now: string }];
      return new Date(now);
    },
    async end(signal = 'SIGTERM') {
      if (!hasEnded(child)) child.kill(signal);
      await exited;
      return child.exitCode;
    },
  };
  try {
    await untilReady(service, options);
  } catch (error) {
    await endInOrder(service);
    throw error;
  }
  return service;
}

/** What a program needs of its surroundings; settings of a service that is somebody else's stay outside. */
function inherited(): Env {
  const names = ['PATH', 'TMPDIR', 'TEMP', 'TMP', 'SystemRoot', 'NODE_EXTRA_CA_CERTS'];
  return Object.fromEntries(names.map((name) => [name, process.env[name]]));
}

function serviceMain(file: string): string {
  const manifest = createRequire(import.meta.url).resolve('@payassent/server/package.json');
  return join(dirname(manifest), 'dist', file);
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

async function endInOrder(service: SpawnedService): Promise<void> {
  const timer = setTimeout(() => service.child.kill('SIGKILL'), STOP_PATIENCE_MS);
  await service.end();
  clearTimeout(timer);
}

async function untilReady(service: SpawnedService, options: SpawnOptions): Promise<void> {
  const { readyWithinMs = READY_WITHIN_MS, signal } = options;
  const deadline = Date.now() + readyWithinMs;
  while (Date.now() < deadline) {
    signal?.throwIfAborted();
    if (hasEnded(service.child)) throw new Error(`The service ended:\n${service.output()}`);
    const health = await fetch(`${service.address}/health`).catch(() => undefined);
    await health?.body?.cancel();
    if (health?.status === 200 && !hasEnded(service.child)) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`The service was not ready in time:\n${service.output()}`);
}
