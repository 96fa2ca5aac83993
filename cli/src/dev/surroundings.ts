import { join } from 'node:path';
import { freePort } from './free-port.ts';
import { type LoopbackServer, startLoopbackServer } from './loopback-server.ts';
import { type LocalMail, watchMailFolder } from './mail-folder.ts';
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
}

/**
 * On the usual ports, or on free ones when any of these is taken. The receiver's is opened first and kept: of several
 * that start at once, one has all of them, and the others learn it before they start a service.
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
  { dataDir, say, signal }: SurroundingsOptions,
): Promise<Surroundings> {
  const stops: (() => unknown)[] = [];
  const stopAll = async (): Promise<void> => {
    for (const each of stops.toReversed()) await each();
  };
  let stopping: Promise<void> | undefined;
  const stop = (): Promise<void> => (stopping ??= stopAll());
  try {
    const webhooks = await startWebhookReceiver({
      port: ports.webhooks,
      onWebhook: (webhook) => say(`webhook  ${describeWebhook(webhook)}`),
    });
    stops.push(webhooks.close);
    const names = new Map<string, string>();
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
      webhooks.setClockOffset(now.getTime() - Date.now());
      return now;
    };
    const viewer = await startLoopbackServer(viewerPages({ mails, names, moveClock }), ports.viewer);
    stops.push(viewer.close);
    let isReady = false;
    const service = await spawnService(
      {
        SVC_PORT: String(ports.service),
        SVC_DATA_DIR: data,
        SVC_DNS_SERVERS: nameServer.address,
        SVC_LOG_LEVEL: 'warn',
      },
      // What it prints at the start is for those who run it alone.
      { isMovable: true, signal, onOutput: (text) => void (isReady && say(text.trimEnd())) },
    );
    isReady = true;
    stops.push(() => endInOrder(service));
    return { service, names, mails, viewer, webhooks, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** By a server of this process, or by the service, which says it in its own words. */
function isPortTaken(error: unknown): boolean {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === 'EADDRINUSE' || /\bPort \d+ on \S+ is taken\b/.test(message);
}

/** Whoever wrote it, it cannot move the cursor of the console. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ');
}
