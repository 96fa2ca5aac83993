import { join } from 'node:path';
import { type Database, openDatabase } from '../../../server/src/db/open.ts';
import { type Cluster, onServer, openServer, serverAt, startPrimary } from '../../stage/database/servers.ts';
import { temporaryFolder } from '../../stage/ending.ts';
import { createTcpProxy, type TcpProxy } from '../../stage/faults/tcp-proxy.ts';
import { freePort } from '../../stage/free-port.ts';
import { type PaymentStage, paymentStage } from '../../stage/people/payments.ts';
import { createCaller } from '../../stage/service/client.ts';
import {
  createServiceProcess,
  type ServiceOptions,
  type ServiceProcess,
  settingsFor,
} from '../../stage/service/killable.ts';
import {
  startDnsServer,
  startSmtpServer,
  type TestDnsServer,
  type TestSmtpServer,
} from '../../stage/surroundings/surroundings.ts';

/** A PostgreSQL of Debian's, a proxy before it, mail, names, and services that are made for each run. */
export interface Site {
  folder: string;
  cluster: Cluster;
  proxy: TcpProxy;
  smtp: TestSmtpServer;
  dns: TestDnsServer;
  /** The service that these settings request, started and ready. The port, and so the address, stays the same. */
  start(env?: Record<string, string>, options?: Partial<ServiceOptions>): Promise<ServiceProcess>;
  /** The same, before it is started. */
  make(env?: Record<string, string>, options?: Partial<ServiceOptions>): ServiceProcess;
  /** The settings of every service and command of the site. */
  settings: Record<string, string>;
  url: string;
  /** Of PostgreSQL itself, by its socket, and past the proxy over TCP. */
  socketUrl: string;
  databaseUrl: string;
  stage(): Promise<PaymentStage>;
  /** One more, where another database is behind the address. */
  newStage(): Promise<PaymentStage>;
  db(): Database;
  /** A new, empty database of the same server. */
  another(name: string): Promise<{ url: string; db: Database }>;
  /** From here on this server has the data. */
  moveTo(cluster: Cluster): void;
  close(): Promise<void>;
}

const READY_MS = 90_000;
const urlAt = ({ port }: Cluster, database: string) => `postgres://postgres@127.0.0.1:${port}/${database}`;

/** Of one drill: the address that callers use may be a proxy's. */
export async function openSite(
  name: string,
  {
    clusterFolder,
    settings,
    url: door,
  }: { clusterFolder?: string; settings?: Record<string, string>; url?: string },
): Promise<Site> {
  const folder = await temporaryFolder(`drill-${name}`);
  const cluster = await startPrimary(clusterFolder ?? join(folder, 'postgres'), settings);
  const [smtp, dns, port] = [await startSmtpServer(), await startDnsServer(), await freePort()];
  const socketUrl = `postgres://postgres:drill@localhost:${cluster.port}/postgres?host=${encodeURIComponent(cluster.folder)}`;
  const proxy = await createTcpProxy(socketUrl);
  const clusters = [cluster];
  const server = serverAt(() => clusters.at(-1)?.port ?? 0, 'postgres');
  const url = door ?? `http://127.0.0.1:${port}`;
  const services: ServiceProcess[] = [];
  let staged: PaymentStage | undefined;
  const shared = {
    ...settingsFor({ url, smtp, dns, folder }),
    DATABASE_URL: proxy.url,
    SVC_DRAIN_S: '0',
  };
  const make: Site['make'] = (env = {}, options = {}) => {
    const all = { ...shared, ...env };
    const service = createServiceProcess({ name: `${services.length}`, folder, port, ...options, env: all });
    services.push(service);
    return service;
  };
  const newStage = () => paymentStage({ call: createCaller(url), smtp, dns, url });
  return {
    folder,
    cluster,
    proxy,
    smtp,
    dns,
    settings: shared,
    url,
    socketUrl,
    databaseUrl: urlAt(cluster, 'postgres'),
    make,
    async start(env, options) {
      const service = make(env, options);
      await service.start();
      await service.untilHealthy(READY_MS);
      return service;
    },
    newStage,
    async stage() {
      staged ??= await newStage();
      return staged;
    },
    db: () => openServer(server, 1),
    async another(database) {
      await onServer(server, (db) => db.unsafe(`create database ${database}`));
      const url = urlAt(clusters.at(-1) ?? cluster, database);
      return { url, db: openDatabase({ url }, { pool: 1, patient: true }) };
    },
    moveTo: (next) => void clusters.push(next),
    async close() {
      for (const service of services) await service.stop();
      for (const each of clusters) await each.kill();
      await Promise.all([smtp.close(), dns.close(), proxy.close()]);
    },
  };
}
