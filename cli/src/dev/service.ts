import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { refuseTakenPort } from './free-port.ts';

/** The compiled service in a separate process. */
export interface SpawnedService {
  /** The address that it binds, which is not its base URL when that names a proxy. */
  readonly address: string;
  /** Its base URL. */
  readonly url: string;
  readonly child: ChildProcess;
  /** Everything it has printed. */
  output(): string;
  /** Moves the clock of a service that was started with `isMovable`; returns its time. */
  advance(durationMs: number): Promise<Date>;
  /** Sends a signal, SIGTERM unless stated, and waits for the end; returns the exit code. */
  end(signal?: NodeJS.Signals): Promise<number | null>;
}

export interface SpawnOptions {
  readyWithinMs?: number;
  /**
   * The service of `payassent dev`, whose clock can be moved. It has its own process group, so that a Ctrl-C in the
   * terminal reaches only the program that started it, which then ends it in order. The service itself watches that
   * program and ends when it is gone.
   */
  isMovable?: boolean;
  /** How far the clock of such a service is ahead from the start. */
  clockOffsetMs?: number;
  /** Gives up waiting, and ends what was started. */
  signal?: AbortSignal;
  /** Is called with what is printed, as it comes. */
  onOutput?: (text: string) => void;
}

/** The service itself needs at most 15 s to end in order. */
const STOP_PATIENCE_MS = 20_000;
const READY_WITHIN_MS = 60_000;
const READY = 'ready';

/** The service with exactly this environment; resolves when `/health` is 200, rejects when its port is taken. */
export async function spawnService(
  env: Readonly<Record<string, string | undefined>>,
  options: SpawnOptions = {},
): Promise<SpawnedService> {
  const { isMovable = false, clockOffsetMs = 0 } = options;
  options.signal?.throwIfAborted();
  const port = Number(env['SVC_PORT'] ?? 8787);
  // Another process on this port would respond in its place. The service itself reports values that are not ports.
  if (Number.isInteger(port) && port > 0 && port < 65_536) await refuseTakenPort(port);
  const child = spawn(
    process.execPath,
    [serviceMain(isMovable ? 'dev.js' : 'main.js'), ...(isMovable ? [String(clockOffsetMs)] : [])],
    {
      env: { ...inherited(), ...(isMovable ? { npm_lifecycle_event: 'dev' } : {}), ...env },
      stdio: ['ignore', 'pipe', 'pipe', ...(isMovable ? (['ipc'] as const) : [])],
      detached: isMovable,
    },
  );
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      options.onOutput?.(chunk);
    });
  }
  const exited = once(child, 'exit');
  // The service responds in order and its messages carry no id: one message at a time.
  let lastMove: Promise<unknown> = Promise.resolve();
  const move = async (advanceMs: number): Promise<Date> => {
    const moved = once(child, 'message');
    child.send({ advanceMs });
    const [{ now }] = (await moved) as [{ now: string }];
    return new Date(now);
  };
  const address = `http://127.0.0.1:${port}`;
  const service: SpawnedService = {
    address,
    url: env['SVC_BASE_URL'] ?? address,
    child,
    output: () => text,
    async advance(advanceMs) {
      if (!child.connected) throw new Error('The clock of this service cannot be moved');
      const moved = lastMove.then(() => move(advanceMs));
      lastMove = moved.catch(() => undefined);
      return moved;
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

/** What a program needs of its surroundings; settings of another service stay outside. */
function inherited(): Record<string, string | undefined> {
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

export async function endInOrder(service: SpawnedService): Promise<void> {
  const timer = setTimeout(() => service.child.kill('SIGKILL'), STOP_PATIENCE_MS);
  await service.end();
  clearTimeout(timer);
}

async function untilReady(service: SpawnedService, options: SpawnOptions): Promise<void> {
  const { readyWithinMs = READY_WITHIN_MS, signal } = options;
  const deadline = Date.now() + readyWithinMs;
  let last = '';
  while (Date.now() < deadline) {
    signal?.throwIfAborted();
    if (hasEnded(service.child)) throw new Error(`The service ended:\n${service.output()}`);
    last = await fetch(`${service.address}/health`).then(
      async (health) => (health.ok ? READY : `${health.status} ${await health.text()}`),
      (error: Error) => `${error.message} ${String(error.cause ?? '')}`,
    );
    if (last === READY && !hasEnded(service.child)) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(
    `The service was not ready within ${readyWithinMs / 1_000} s, its health was last: ${last}\n${service.output()}`,
  );
}
