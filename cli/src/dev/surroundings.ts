import { join } from 'node:path';
import { LocalError } from '../command.ts';
import { SIMULATED_NETWORK, simulateChain } from './chain.ts';
import { freePort } from './free-port.ts';
import { type LoopbackServer, startLoopbackServer } from './loopback-server.ts';
import { type LocalMail, watchMailFolder } from './mail-folder.ts';
import { emptyMemory, type KeptWorld, type Memory } from './memory.ts';
import { startNameServer } from './name-server.ts';
import { endInOrder, type SpawnedService, spawnService } from './service.ts';
import { viewerPages } from './viewer.ts';
import { describeWebhook, startWebhookReceiver, type WebhookReceiver } from './webhook-receiver.ts';

/** Where guides expect everything. */
export const USUAL_PORTS = { service: 8787, viewer: 8826, webhooks: 8827 } as const;

/** A service and everything it needs around it, on this machine. */
export interface Surroundings {
  service: SpawnedService;
  /** TXT records by name, as the service finds them. */
  names: Map<string, string>;
  /** In the order in which they were sent. */
  mails: readonly LocalMail[];
  /** Mail, names and the clock. */
  viewer: LoopbackServer;
  webhooks: WebhookReceiver;
  /** Repeated calls wait for the same end. */
  stop(): Promise<void>;
}

interface SurroundingsOptions {
  dataDir: string;
  /** One line for the console. */
  say(text: string): void;
  /** Gives up the start, and ends what was started. */
  signal: AbortSignal;
  /** A session of the merchant's owner; returns its cookie. */
  openSession?(): Promise<string>;
  /** What is known from an earlier start. It is kept up to date. */
  memory?: Memory;
  /** Once something of it was changed by a person or a program. */
  onChange?(): void;
}

/** On the ports of an earlier start. */
export async function startAgain(
  { service, viewer, webhooks }: KeptWorld,
  options: SurroundingsOptions & { memory: Memory },
): Promise<Surroundings> {
  const portOf = (url: string) => Number(new URL(url).port);
  try {
    const ports = { service: portOf(service), viewer: portOf(viewer), webhooks: portOf(webhooks) };
    return await startOn(ports, options);
  } catch (error) {
    if (!isPortTaken(error)) throw error;
    const all = [service, viewer, webhooks].join(', ');
    throw new LocalError(
      'port_taken',
      `This world needs its previous addresses: ${all}`,
      'Free their ports.',
    );
  }
}

/**
 * On the usual ports, or on free ones when any of these is taken. The receiver's is opened first and kept: of several
 * worlds that start concurrently, one gets all ports, and the others notice it before they start a service.
 */
export async function startSurroundings(options: SurroundingsOptions): Promise<Surroundings> {
  try {
    return await startOn(USUAL_PORTS, options);
  } catch (error) {
    if (!isPortTaken(error)) throw error;
    return startOn({ service: await freePort(), viewer: 0, webhooks: 0 }, options);
  }
}

/** When a part fails to start, nothing is left running. */
export async function startOn(
  ports: Record<keyof typeof USUAL_PORTS, number>,
  options: SurroundingsOptions,
): Promise<Surroundings> {
  const { dataDir, say, signal, openSession = noMerchant } = options;
  const { memory = emptyMemory(), onChange = () => undefined } = options;
  const { names, secrets, sent } = memory;
  const stops: (() => unknown)[] = [];
  const stopAll = async (): Promise<void> => {
    for (const each of stops.toReversed()) await each();
  };
  let stopping: Promise<void> | undefined;
  const stop = (): Promise<void> => (stopping ??= stopAll());
  try {
    const webhooks = await startWebhookReceiver({
      port: ports.webhooks,
      secrets,
      clockOffsetMs: () => memory.clockOffsetMs,
      onChange,
      onWebhook: (webhook) => say(`webhook  ${describeWebhook(webhook)}`),
    });
    stops.push(webhooks.close);
    const nameServer = await startNameServer((name, type) => {
      const value = names.get(name);
      return value === undefined ? 'NXDOMAIN' : type === 'TXT' ? [value] : [];
    });
    stops.push(nameServer.close);
    const data = join(dataDir, 'service');
    const { mails, stop: stopMail } = watchMailFolder(join(data, 'mail'), ({ to, subject }, number) =>
      say(`mail     ${viewer.url}/mails/${number}  ${oneLine(`${to.join(', ')}: ${subject}`)}`),
    );
    stops.push(stopMail);
    const moveClock = async (ms: number): Promise<Date> => {
      const now = await service.advance(ms);
      memory.clockOffsetMs = now.getTime() - Date.now();
      return now;
    };
    const chain = simulateChain(sent, () => service.advance(0));
    const horizon = await startLoopbackServer(chain.pages);
    stops.push(horizon.close);
    const pages = viewerPages({ mails, names, chain, moveClock, openSession, onChange });
    const viewer = await startLoopbackServer(pages, ports.viewer);
    stops.push(viewer.close);
    let isReady = false;
    const service = await spawnService(
      {
        SVC_PORT: String(ports.service),
        SVC_DATA_DIR: data,
        SVC_DNS_SERVERS: nameServer.address,
        SVC_OBSERVE: `${SIMULATED_NETWORK}=${horizon.url}`,
        SVC_LOG_LEVEL: 'warn',
      },
      // What it prints at the start is for those who run it alone.
      {
        isMovable: true,
        clockOffsetMs: memory.clockOffsetMs,
        signal,
        onOutput: (text) => void (isReady && say(text.trimEnd())),
      },
    );
    isReady = true;
    stops.push(() => endInOrder(service));
    return { service, names, mails, viewer, webhooks, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function noMerchant(): Promise<never> {
  return Promise.reject(new Error('No merchant signed up here'));
}

/** The error of a server of this process, or the output of the service. */
function isPortTaken(error: unknown): boolean {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === 'EADDRINUSE' || /\bPort \d+ on \S+ is taken\b/.test(message);
}

/** Whatever its source, it cannot move the cursor of the console. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ');
}
