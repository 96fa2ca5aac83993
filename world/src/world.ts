import { type DnsServer, startDnsServer } from './dns-server.ts';
import { type MailCatcher, startMailCatcher } from './mail-catcher.ts';
import { type ServiceOptions, type ServiceProcess, startServiceProcess } from './service-process.ts';
import {
  startWebhookReceiver,
  type WebhookReceiver,
  type WebhookReceiverOptions,
} from './webhook-receiver.ts';

/** A service and everything it needs around it, on this machine. */
export interface World {
  dns: DnsServer;
  mail: MailCatcher;
  webhooks: WebhookReceiver;
  service: ServiceProcess;
  /** Stops all of it; temporary data are removed. Repeated calls wait for the same end. */
  stop(): Promise<void>;
}

export interface WorldOptions {
  /** Free ones unless stated. */
  ports?: { service?: number; dns?: number; smtp?: number; webhooks?: number };
  /** Of the service; without a `dataDir` its data are temporary. */
  service?: Omit<ServiceOptions, 'port' | 'dns' | 'smtp' | 'signal'>;
  webhooks?: Omit<WebhookReceiverOptions, 'port'>;
  /** Gives up the start, and ends what was started. */
  signal?: AbortSignal;
}

/** Starts the surroundings, then the service among them. When a part fails to start, nothing is left running. */
export async function startWorld(options: WorldOptions = {}): Promise<World> {
  const { ports = {}, signal } = options;
  const stops: (() => Promise<void>)[] = [];
  const stopAll = async (): Promise<void> => {
    for (const stop of stops.splice(0).toReversed()) await stop();
  };
  try {
    const dns = await startDnsServer(portOf(ports.dns));
    stops.push(() => dns.close());
    const mail = await startMailCatcher(portOf(ports.smtp));
    stops.push(() => mail.close());
    const webhooks = await startWebhookReceiver({ ...options.webhooks, ...portOf(ports.webhooks) });
    stops.push(() => webhooks.close());
    const service = await startServiceProcess({
      ...options.service,
      ...portOf(ports.service),
      dns: dns.address,
      smtp: mail.url,
      ...(signal ? { signal } : {}),
    });
    stops.push(() => service.stop());
    let stopping: Promise<void> | undefined;
    return {
      dns,
      mail,
      webhooks,
      service,
      stop() {
        stopping ??= stopAll();
        return stopping;
      },
    };
  } catch (error) {
    await stopAll();
    throw error;
  }
}

function portOf(port: number | undefined): { port?: number } {
  return port === undefined ? {} : { port };
}
