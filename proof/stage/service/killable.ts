import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { ROOT } from '../root.ts';
import type { TestDnsServer, TestSmtpServer } from '../surroundings/surroundings.ts';

export interface ServiceOptions {
  name: string;
  /** For its log and its clock. */
  folder: string;
  env: Record<string, string>;
  port: number;
  /** Of another release; the compiled service of this one unless stated. */
  main?: string;
  /** A module that is loaded before the service, and receives the messages that are sent to the process. */
  companion?: URL;
  /** Called when it ended although no test ended it. */
  onOwnEnd?(how: string): void;
}

/** One process of the compiled service that can be killed, started again and shown another time of day. */
export interface ServiceProcess {
  readonly name: string;
  readonly port: number;
  readonly logFile: string;
  isRunning(): boolean;
  pid(): number;
  start(): Promise<void>;
  kill(): Promise<void>;
  stop(): Promise<void>;
  setClock(offsetMs: number): void;
  untilHealthy(withinMs: number): Promise<void>;
  /** Sends a question to the companion and returns its response. */
  ask(question: string): Promise<unknown>;
}

/** What a service needs to know of its surroundings, away from the defaults of a developer's machine. */
export function settingsFor(around: {
  url: string;
  smtp: TestSmtpServer;
  dns: TestDnsServer;
  folder: string;
}): Record<string, string> {
  return {
    SVC_BASE_URL: around.url,
    SVC_MASTER_KEY: Buffer.alloc(32, 9).toString('base64'),
    SVC_SMTP_URL: around.smtp.url,
    SVC_MAIL_FROM: 'PayAssent <no-reply@payassent.example>',
    SVC_DNS_SERVERS: around.dns.address,
    SVC_DATA_DIR: join(around.folder, 'service-data'),
  };
}

const CLOCK = pathToFileURL(join(ROOT, 'proof/stage/faults/moved-clock.mjs'));
/** As `npm start`, the image and the unit have it. */
const NODE_FLAGS = ['--max-semi-space-size=32'];
/** The service itself needs at most 15 s to end in order. */
const STOP_PATIENCE_MS = 20_000;

export function createServiceProcess(options: ServiceOptions): ServiceProcess {
  const clockFile = join(options.folder, `clock-${options.name}`);
  const logFile = join(options.folder, `service-${options.name}.log`);
  writeFileSync(clockFile, '0');
  let child: ChildProcess | undefined;
  let isEnding = false;
  // Whatever ends the runner, nothing of the run stays behind.
  process.once('exit', () => child?.kill('SIGKILL'));
  const isRunning = () => child !== undefined && child.exitCode === null && child.signalCode === null;
  const end = async (signal: NodeJS.Signals) => {
    const ending = child;
    if (!ending || !isRunning()) return;
    const exited = once(ending, 'exit');
    isEnding = true;
    ending.kill(signal);
    const killer = setTimeout(() => ending.kill('SIGKILL'), STOP_PATIENCE_MS);
    await exited;
    clearTimeout(killer);
  };
  return {
    name: options.name,
    port: options.port,
    logFile,
    isRunning,
    pid: () => child?.pid ?? 0,
    async start() {
      const log = createWriteStream(logFile, { flags: 'a' });
      isEnding = false;
      const before = [CLOCK, ...(options.companion ? [options.companion] : [])];
      const imports = before.flatMap(({ href }) => ['--import', href]);
      const main = options.main ?? join(ROOT, 'server/dist/main.js');
      child = spawn(process.execPath, [...NODE_FLAGS, ...imports, main], {
        env: {
          PATH: process.env['PATH'] ?? '',
          ...(process.env['TMPDIR'] ? { TMPDIR: process.env['TMPDIR'] } : {}),
          PROOF_CLOCK_FILE: clockFile,
          SVC_PORT: String(options.port),
          ...options.env,
        },
        stdio: ['ignore', 'pipe', 'pipe', ...(options.companion ? (['ipc'] as const) : [])],
      });
      child.stdout?.pipe(log, { end: false });
      child.stderr?.pipe(log, { end: false });
      child.once('exit', (code, signal) => {
        log.end();
        if (!isEnding) options.onOwnEnd?.(`${signal ?? code}`);
      });
    },
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
    setClock: (offsetMs) => writeFileSync(clockFile, String(offsetMs)),
    async untilHealthy(withinMs) {
      const deadline = Date.now() + withinMs;
      while (Date.now() < deadline) {
        const health = await fetch(`http://127.0.0.1:${options.port}/health`).catch(() => undefined);
        await health?.arrayBuffer().catch(() => undefined);
        if (health?.status === 200) return;
        if (!isRunning()) throw new Error(`process ${options.name} ended; see ${logFile}`);
        await pause(20);
      }
      throw new Error(`process ${options.name} is not healthy; see ${logFile}`);
    },
    async ask(question) {
      if (!child) throw new Error(`process ${options.name} does not run`);
      const answered = once(child, 'message');
      child.send(question);
      return (await answered)[0];
    },
  };
}
