import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { type Cluster, onServer, startPrimary, startStandby } from '@payassent/proof/database/servers';
import { type StreamProxy, startProxy } from '@payassent/proof/faults/tcp-proxy';
import { logKeysOf } from '@payassent/proof/log/public-log';
import { startWitness, type TestWitness } from '@payassent/proof/log/witness';
import { type PaymentStage, paymentStage, pendingRequest } from '@payassent/proof/people/payments';
import { startHorizons } from '@payassent/proof/people/settlements';
import { activeEndpoint } from '@payassent/proof/people/webhooks';
import { type Caller, createCaller } from '@payassent/proof/service/client';
import { createServiceProcess, type ServiceProcess, settingsFor } from '@payassent/proof/service/killable';
import { freePort } from '@payassent/proof/service/service';
import { startHttpReceiver, type TestReceiver } from '@payassent/proof/surroundings/http-receiver';
import type { StandInHorizon } from '@payassent/proof/surroundings/stand-in-horizon';
import {
  startDnsServer,
  startSmtpServer,
  type TestDnsServer,
  type TestSmtpServer,
} from '@payassent/proof/surroundings/surroundings';

/** A service of two workers with every part that it may have, each of which can be taken away. */
export interface Site {
  primary: Cluster;
  standby: Cluster;
  service: ServiceProcess;
  call: Caller;
  stage: PaymentStage;
  /** A request from before. */
  requestId: string;
  smtp: TestSmtpServer;
  dns(): TestDnsServer;
  witness: TestWitness;
  horizon: StandInHorizon;
  hooks: TestReceiver;
  /** Between the service and the part. */
  doors: Record<'smtp' | 'witness' | 'horizon' | 'hooks', StreamProxy>;
  stopDns(): Promise<void>;
  startDns(): Promise<void>;
  close(): Promise<void>;
}

const READY_MS = 120_000;
/** So small that it fills up immediately. */
const SMALL_WAL = { max_wal_size: '48MB', min_wal_size: '32MB' };

export async function openSite(folder: string): Promise<Site> {
  // PostgreSQL does not run as root, and may not reach the folder that the tests keep their files in.
  const own = await mkdtemp('/tmp/parts-');
  await chmod(own, 0o755);
  const primary = await startPrimary(folder, SMALL_WAL);
  const standby = await startStandby(primary, 'sync');
  const [smtp, hooks, chain] = [await startSmtpServer(), await startHttpReceiver(), await startHorizons(1)];
  const witness = await startWitness('witness.example', new Uint8Array(32).fill(1));
  const [horizon] = chain.horizons as [StandInHorizon];
  let dns = await startDnsServer();
  const dnsPort = Number(dns.address.split(':').at(-1));
  const doorTo = (url: string) => startProxy(() => ({ port: Number(new URL(url).port) }));
  const doors = {
    smtp: await doorTo(smtp.url),
    witness: await doorTo(witness.receiver.url),
    horizon: await doorTo(horizon.receiver.url),
    hooks: await doorTo(hooks.url),
  };
  const at = (door: StreamProxy) => `http://127.0.0.1:${door.port}`;
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const service = createServiceProcess({
    name: 'parts',
    folder: own,
    port,
    env: {
      ...settingsFor({ url, smtp, dns, folder: own }),
      DATABASE_URL: `postgres://postgres@127.0.0.1:${primary.port}/postgres`,
      SVC_SMTP_URL: `smtp://127.0.0.1:${doors.smtp.port}`,
      SVC_LOG_WITNESSES: witness.setting.replace(witness.receiver.url, at(doors.witness)),
      SVC_OBSERVE: `stellar_testnet=${at(doors.horizon)}`,
      SVC_WORKERS: '2',
      SVC_DRAIN_S: '0',
    },
  });
  await service.start();
  await service.untilHealthy(READY_MS);
  const pooled = createCaller(url);
  // A separate connection for each call: one that is open to a worker that hangs would last until the client's
  // time-out.
  const call: Caller = (method, path, sent = {}) =>
    pooled(method, path, { ...sent, headers: { connection: 'close', ...sent.headers } });
  const [logKey] = await logKeysOf(url);
  if (!logKey) throw new Error('no key of the log is published');
  witness.trust(logKey);
  const stage = await paymentStage({ call, smtp, dns, url });
  await activeEndpoint({ call }, stage.merchant, { ...hooks, url: at(doors.hooks) });
  const { request_id: requestId } = await pendingRequest({ call }, stage);
  return {
    primary,
    standby,
    service,
    call,
    stage,
    requestId,
    smtp,
    dns: () => dns,
    witness,
    horizon,
    hooks,
    doors,
    stopDns: () => dns.close(),
    async startDns() {
      dns = await startDnsServer({ port: dnsPort });
    },
    async close() {
      await service.kill();
      await Promise.all([primary.kill(), standby.kill()]);
      await Promise.all([smtp.close(), hooks.close(), chain.close(), witness.receiver.close(), dns.close()]);
      await Promise.all(Object.values(doors).map((door) => door.close().catch(() => {})));
      await rm(own, { recursive: true, force: true });
    },
  };
}

export async function setStandbyMode({ primary }: Site, mode: 'sync' | 'async'): Promise<void> {
  const names = mode === 'sync' ? 'FIRST 1 (standby)' : '';
  await onServer(primary, async (db) => {
    await db.unsafe(`alter system set synchronous_standby_names = '${names}'`);
    await db`select pg_reload_conf()`;
  });
}
