import { join } from 'node:path';
import type { DnsRecords } from '../dns-server.ts';
import {
  type LoopbackAnswer,
  type LoopbackRequest,
  type LoopbackServer,
  plainAnswer,
  startLoopbackServer,
} from '../loopback-server.ts';
import { type ReceivedMail, readMail } from '../mail-catcher.ts';
import { startWorld, type World } from '../world.ts';
import { jsonAnswer } from './html.ts';
import { keep, keepLine, readKept, readLines } from './kept-file.ts';
import { mailViewer } from './mail-viewer.ts';
import { describeWebhook, receiverPages } from './receiver-pages.ts';

/** Where everything is, for guides and people alike. */
export const DEV_PORTS = { service: 8787, dns: 8853, smtp: 8825, viewer: 8826, webhooks: 8827 } as const;

export interface DevWorldOptions {
  /** Kept: a second start on it has everything that the first one had. */
  dataDir: string;
  ports?: Record<keyof typeof DEV_PORTS, number>;
  /** Lets `PUT /clock` of the viewer move the clock of the service. */
  isMovable?: boolean;
  /** One line for the console. */
  say(text: string): void;
  signal?: AbortSignal;
}

export interface DevWorld {
  world: World;
  viewer: LoopbackServer;
  stop(): Promise<void>;
}

interface KeptMail {
  at: string;
  from: string;
  to: string[];
  raw: string;
}

const MAILS_SHOWN = 200;

/** The surroundings on fixed ports, with what was published, mailed and agreed on kept from one start to the next. */
export async function startDevWorld(options: DevWorldOptions): Promise<DevWorld> {
  const { dataDir, ports = DEV_PORTS, say, signal } = options;
  const files = {
    records: join(dataDir, 'dns.json'),
    secrets: join(dataDir, 'webhook-secrets.json'),
    mails: join(dataDir, 'mails.jsonl'),
  };
  let isReady = false;
  const keepSecrets = (): void => keep(files.secrets, world.webhooks.secrets);
  const world = await startWorld({
    ports,
    service: {
      dataDir: join(dataDir, 'service'),
      isMovable: options.isMovable ?? false,
      env: { SVC_LOG_LEVEL: 'warn' },
      // Its own words at the start are for those who run it alone.
      onOutput: (text) => void (isReady && say(text.trimEnd())),
    },
    webhooks: {
      secret: readKept<string[]>(files.secrets, []),
      serve: receiverPages({
        received: () => world.webhooks.received,
        secretCount: () => world.webhooks.secrets.length,
        addSecret(secret) {
          world.webhooks.addSecret(secret);
          keepSecrets();
        },
        clearSecrets() {
          world.webhooks.clearSecrets();
          keepSecrets();
        },
        failOnce: (containing) => world.webhooks.failOnce(containing),
      }),
    },
    ...(signal ? { signal } : {}),
  });
  try {
    isReady = true;
    world.webhooks.onWebhook((webhook) => say(`webhook  ${describeWebhook(webhook)}`));
    for (const { name, type, values } of readKept<DnsRecords[]>(files.records, []))
      world.dns.set(name, type, values);
    const mails = await readKeptMails(files.mails);
    const takeMail = (mail: ReceivedMail): void => {
      const { at, from, to, raw } = mail;
      mails.push(mail);
      keepLine(files.mails, { at: at.toISOString(), from, to, raw } satisfies KeptMail);
      say(`mail     ${viewer.url}/mails/${mails.length}  ${oneLine(`${to.join(', ')}: ${mail.subject}`)}`);
    };
    const onRecords = (): void => keep(files.records, world.dns.records());
    const pages = mailViewer({ mails, dns: world.dns, onRecords });
    const viewer = await startLoopbackServer(
      (request) => (request.path === '/clock' ? moveClock(world, request) : pages(request)),
      { port: ports.viewer },
    );
    world.mail.mails.forEach(takeMail);
    world.mail.onMail(takeMail);
    return {
      world,
      viewer,
      async stop() {
        await viewer.close();
        await world.stop();
      },
    };
  } catch (error) {
    await world.stop();
    throw error;
  }
}

/** By so many milliseconds as the body says; 0 asks for the time. */
async function moveClock(
  { service, webhooks }: World,
  { method, body }: LoopbackRequest,
): Promise<LoopbackAnswer> {
  const text = body.toString('utf8').trim();
  if (method !== 'PUT' || !/^-?\d{1,12}$/.test(text))
    return plainAnswer(400, 'PUT the milliseconds by which to move the clock.');
  const now = await service.advance(Number(text));
  const offset_ms = now.getTime() - Date.now();
  webhooks.setClockOffset(offset_ms);
  return jsonAnswer({ now: now.toISOString(), offset_ms });
}

/** No matter who wrote it, it cannot move the cursor of the console. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ');
}

async function readKeptMails(file: string): Promise<ReceivedMail[]> {
  const kept = readLines<KeptMail>(file).slice(-MAILS_SHOWN);
  return Promise.all(
    kept.map(({ at, from, to, raw }) => readMail(Buffer.from(raw, 'utf8'), { from, to, at: new Date(at) })),
  );
}
