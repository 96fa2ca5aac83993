import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { CONFIG_VARIABLES } from '../../../server/src/config/index.ts';
import { SQL_FOLDER } from '../../../server/src/context.ts';
import { migrate } from '../../../server/src/db/migrate.ts';
import type { Database } from '../../../server/src/db/open.ts';
import { partitionTables } from '../../../server/src/maintenance/partitions/index.ts';
import { openServer, placeOf, type Server, startEmbedded, urlOf } from '../../stage/database/servers.ts';
import { type StreamProxy, startProxy } from '../../stage/faults/tcp-proxy.ts';
import { freePort } from '../../stage/free-port.ts';
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
import { type Chain, OBSERVED, startChain } from './chain.ts';
import { type History, openHistory } from './history.ts';
import { createLyingHost, type LyingHost } from './host.ts';
import type { Random } from './random.ts';
import { type Receivers, startReceivers } from './receivers.ts';
import { createRecorder, type Recorder } from './recorder.ts';
import { createIssuedSecrets, type IssuedSecrets } from './redact.ts';

/** A process of the service with a proxy before it and another between it and its database. */
export interface Member {
  process: ServiceProcess;
  front: StreamProxy;
  back: StreamProxy;
}

export interface Stage {
  folder: string;
  history: History;
  secrets: IssuedSecrets;
  recorder: Recorder;
  receivers: Receivers;
  /** The chain that observers query. */
  chain: Chain;
  postgres: Server;
  /** The runner's direct connection to the tables, bypassing every proxy. */
  db: Database;
  members: readonly Member[];
  smtp: TestSmtpServer;
  dns: TestDnsServer;
  host: LyingHost;
  /** The process that guards changed payees, as away from loopback; undefined where the service knows no such rule. */
  guardedDoor: string | undefined;
  /** The address that assertions name. */
  url: string;
  close(): Promise<void>;
}

const POOL = 4;
const PAYEE_CHANGE = 'SVC_PAYEE_CHANGE';

export async function setStage(
  folder: string,
  random: Random,
  options: { server?: Server; members?: readonly string[]; partitions?: number } = {},
): Promise<Stage> {
  await mkdir(folder, { recursive: true });
  const history = openHistory(join(folder, 'history.jsonl'));
  const secrets = createIssuedSecrets();
  const [receivers, chain, smtp, dns, postgres] = await Promise.all([
    startReceivers(join(folder, 'receipts.jsonl'), random.child('receivers')),
    startChain(random.child('chain')),
    startSmtpServer(),
    startDnsServer(),
    options.server ??
      startEmbedded(join(folder, 'database'), (message) => history.fault('postgres', message)),
  ]);
  const db = openServer(postgres, 2);
  if (options.partitions) {
    await migrate(db, SQL_FOLDER);
    await partitionTables(db, options.partitions);
  }
  const url = `http://127.0.0.1:${await freePort()}`;
  const shared = {
    ...settingsFor({ url, smtp, dns, folder }),
    SVC_ENABLED_NETWORKS: `stellar_testnet,${OBSERVED.network}`,
    SVC_OBSERVE: chain.observe,
    SVC_DB_POOL: String(POOL),
    SVC_LOG_LEVEL: 'info',
  };
  const members: Member[] = [];
  const names = options.members ?? ['a', 'b'];
  // One process only, so that merchants who have nothing but a session can move their payees through the other.
  const guardedDoor = PAYEE_CHANGE in CONFIG_VARIABLES ? names.at(-1) : undefined;
  for (const name of names) {
    const onOwnEnd = (how: string) => history.fault('service ended unexpectedly', { name, how });
    const env = { ...shared, ...(name === guardedDoor ? { [PAYEE_CHANGE]: 'guarded' } : {}) };
    const settings = { name, folder, env, onOwnEnd };
    members.push(await addMember(settings, postgres, random.child(`member ${name}`)));
  }
  const doors = () =>
    members.map(({ process: { name }, front }) => ({ name, url: `http://127.0.0.1:${front.port}` }));
  const stage: Stage = {
    folder,
    history,
    secrets,
    recorder: createRecorder(history, secrets, doors),
    receivers,
    chain,
    postgres,
    db,
    members,
    smtp,
    dns,
    host: createLyingHost(history),
    guardedDoor,
    url,
    close: () => closeStage(stage),
  };
  // One after the other: the first makes the tables.
  for (const { process } of members) {
    await process.start();
    await process.untilHealthy(60_000);
  }
  return stage;
}

async function addMember(
  options: Omit<ServiceOptions, 'port'>,
  server: Server,
  random: Random,
): Promise<Member> {
  const port = await freePort();
  const back = await startProxy(() => server.target(), random.child('database'));
  const front = await startProxy(() => ({ port }), random.child('clients'));
  const target = placeOf({ ...server, target: () => ({ port: back.port }) });
  const env = { ...options.env, DATABASE_URL: urlOf(target) };
  return { process: createServiceProcess({ ...options, port, env }), front, back };
}

async function closeStage(stage: Stage): Promise<void> {
  await Promise.all(stage.members.map(({ process }) => process.stop()));
  await Promise.all(stage.members.flatMap(({ front, back }) => [front.close(), back.close()]));
  await stage.db.end({ timeout: 5 });
  await stage.postgres.stop();
  const { smtp, dns, receivers, chain, history } = stage;
  await Promise.all([smtp, dns, receivers, chain, history].map((part) => part.close()));
}
