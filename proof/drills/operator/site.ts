import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@payassent/world';
import { type Database, openDatabase } from '../../../server/src/db/open.ts';
import { createTcpProxy, type TcpProxy } from '../../stage/faults/tcp-proxy.ts';
import { type PaymentStage, paymentStage } from '../../stage/people/payments.ts';
import { ROOT } from '../../stage/root.ts';
import { createCaller } from '../../stage/service/client.ts';
import {
  startDnsServer,
  startSmtpServer,
  type TestDnsServer,
  type TestSmtpServer,
} from '../../stage/surroundings/surroundings.ts';
import {
  type Cluster,
  createCluster,
  findPrograms,
  initialise,
  serverUser,
} from '../../torture/failover/cluster.ts';
import { createServiceProcess, type ServiceProcess } from '../../torture/run/service-process.ts';

/** A PostgreSQL of Debian's, a proxy before it, mail, names, and a service that is made for each run. */
export interface Site {
  folder: string;
  cluster: Cluster;
  startCluster(settings?: Record<string, string>): Promise<void>;
  proxy: TcpProxy;
  smtp: TestSmtpServer;
  dns: TestDnsServer;
  /** The service that these settings ask for, started and ready. The port, and so the address, stays the same. */
  start(env?: Record<string, string>): Promise<ServiceProcess>;
  /** The same, before it is started. */
  make(env?: Record<string, string>): ServiceProcess;
  url: string;
  /** Of PostgreSQL itself, by its socket. */
  databaseUrl: string;
  stage(): Promise<PaymentStage>;
  /** One more, where another database is behind the address. */
  newStage(): Promise<PaymentStage>;
  db(): Database;
  dbAt(port: number): Database;
  /** A new, empty database of the same server. */
  another(name: string): Promise<{ url: string; db: Database }>;
  /** From here on this server has the data. */
  moveTo(port: number): void;
  onClose(action: () => Promise<void> | void): void;
  close(): Promise<void>;
}

const READY_MS = 90_000;

export async function openSite(name: string, options: { clusterFolder?: string } = {}): Promise<Site> {
  const folder = await mkdtemp(join(tmpdir(), `payassent-drill-${name}-`));
  await chmod(folder, 0o711);
  const clusterFolder = options.clusterFolder ?? join(folder, 'postgres');
  const place = { programs: findPrograms(), user: serverUser(), folder: clusterFolder, name: 'primary' };
  const cluster = createCluster({ ...place, port: await freePort() });
  initialise(cluster);
  const startCluster = (settings: Record<string, string> = {}) =>
    cluster.start({
      listen_addresses: '127.0.0.1',
      port: String(cluster.port),
      unix_socket_directories: clusterFolder,
      ...settings,
    });
  const [smtp, dns, port] = [await startSmtpServer(), await startDnsServer(), await freePort()];
  const databaseUrl = `postgres://postgres:drill@localhost:${cluster.port}/postgres?host=${encodeURIComponent(clusterFolder)}`;
  const proxy = await createTcpProxy(databaseUrl);
  const endings: (() => Promise<void> | void)[] = [];
  let serverPort = cluster.port;
  const url = `http://127.0.0.1:${port}`;
  const services: ServiceProcess[] = [];
  let staged: PaymentStage | undefined;
  const make = (env: Record<string, string> = {}) => {
    const service = createServiceProcess({
      name: `${services.length}`,
      main: join(ROOT, 'server/dist/main.js'),
      folder,
      port,
      env: {
        SVC_BASE_URL: url,
        DATABASE_URL: proxy.url,
        SVC_MASTER_KEY: Buffer.alloc(32, 9).toString('base64'),
        SVC_SMTP_URL: smtp.url,
        SVC_MAIL_FROM: 'PayAssent <no-reply@payassent.example>',
        SVC_DNS_SERVERS: dns.address,
        SVC_DATA_DIR: join(folder, 'data'),
        SVC_DRAIN_S: '0',
        ...env,
      },
    });
    services.push(service);
    return service;
  };
  const newStage = () => paymentStage({ call: createCaller(url), smtp, dns, url });
  return {
    folder,
    cluster,
    startCluster,
    proxy,
    smtp,
    dns,
    url,
    databaseUrl,
    make,
    async start(env) {
      const service = make(env);
      await service.start();
      await service.untilHealthy(READY_MS);
      return service;
    },
    newStage,
    async stage() {
      staged ??= await newStage();
      return staged;
    },
    db: () => openAt(serverPort),
    dbAt: openAt,
    async another(database) {
      const db = openAt(serverPort);
      await db.unsafe(`create database ${database}`);
      await db.end();
      const url = `postgres://postgres@127.0.0.1:${serverPort}/${database}`;
      return { url, db: openDatabase({ url }, { pool: 1, patient: true }) };
    },
    moveTo(port) {
      serverPort = port;
    },
    onClose: (action) => void endings.push(action),
    async close() {
      for (const service of services) await service.stop();
      await cluster.kill();
      await Promise.all([smtp.close(), dns.close(), proxy.close()]);
      for (const end of endings) await end();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function openAt(port: number): Database {
  const place = { host: '127.0.0.1', port, username: 'postgres', database: 'postgres' };
  return openDatabase(place, { pool: 1, patient: true });
}
