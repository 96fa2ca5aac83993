import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '@payassent/world';
import { paymentStage } from '../../stage/people/payments.ts';
import { ROOT } from '../../stage/root.ts';
import { createCaller } from '../../stage/service/client.ts';
import { createAuthority } from '../../stage/surroundings/certificates.ts';
import { describeMachine } from '../../torture/run/report.ts';
import { createServiceProcess, type ServiceProcess } from '../../torture/run/service-process.ts';
import { missingAcknowledgements } from '../acknowledged.ts';
import { type Load, startLoad } from '../operator/load.ts';
import { openSite, type Site } from '../operator/site.ts';
import { publishDrill } from '../publish.ts';
import { buildOlderRelease } from './older-release.ts';

const SECOND = 1_000;
const PROCESSES = 4;
const READY_MS = 90 * SECOND;
/** Longer than HAProxy needs to notice that a process is not ready. */
const DRAIN_S = 3;
const HAPROXY = '/usr/sbin/haproxy';
/** Marks the process that trusts the drill's own authority. */
const INSIDE = 'PAYASSENT_DRILL_CLUSTER';
const say = (text: string) => process.stdout.write(`${text}\n`);

export interface ClusterOptions {
  /** From the release before this schema; the newest when absent. */
  before: number | undefined;
  publishes: boolean;
}

/** 0 when a rolling update over a schema change fails no call that the SDK does not absorb. */
export async function clusterDrill(options: ClusterOptions): Promise<number> {
  const inside = process.env[INSIDE];
  if (inside !== undefined) return roll(inside, options);
  if (!existsSync(HAPROXY)) {
    say('The drill cannot be done here. Install first: apt-get install --no-install-recommends haproxy');
    return 2;
  }
  const folder = await mkdtemp(join(tmpdir(), 'payassent-drill-cluster-'));
  await chmod(folder, 0o711);
  try {
    const authority = await createAuthority();
    const { key, cert } = await authority.issue(['127.0.0.1']);
    writeFileSync(join(folder, 'authority.crt'), authority.cert);
    writeFileSync(join(folder, 'door.pem'), `${cert}\n${key}\n`, { mode: 0o600 });
    const child = spawn(process.execPath, process.argv.slice(1), {
      env: { ...process.env, [INSIDE]: folder, NODE_EXTRA_CA_CERTS: join(folder, 'authority.crt') },
      stdio: 'inherit',
    });
    const [code] = await once(child, 'exit');
    return code ?? 1;
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function roll(folder: string, { before, publishes }: ClusterOptions): Promise<number> {
  const older = buildOlderRelease(join(folder, 'older'), before);
  if (!older) {
    say('The drill cannot be done here: it needs the history of this clone, to build the release before.');
    return 2;
  }
  say(`built ${older.commit.slice(0, 8)}, schema ${older.schema}`);
  const site = await openSite('cluster');
  await site.startCluster();
  const ports = await Promise.all(Array.from({ length: PROCESSES }, freePort));
  const doorPort = await freePort();
  const door = startDoor(folder, doorPort, ports);
  const url = `https://127.0.0.1:${doorPort}`;
  const place = { site, folder, url, ports };
  const running: ServiceProcess[] = [];
  try {
    for (const slot of ports.keys()) running.push(await startSlot(place, slot, older.folder));
    const stage = await paymentStage({ call: createCaller(url), smtp: site.smtp, dns: site.dns, url });
    const load = startLoad({ url, stage, clients: 8, maxRetries: 3 });
    const faults = await update(place, running, load);
    const told = await load.stop();
    const db = site.db();
    const lost = await missingAcknowledgements(db, [told]);
    await db.end();
    const all = [...faults, ...lost, ...told.wrong, ...told.late, ...told.givenUp];
    for (const fault of all.slice(0, 8)) say(`  ! ${fault}`);
    const summary = `${PROCESSES} processes, schema ${older.schema} to ${older.newest}: ${told.attempts.toLocaleString('en')} attempts, ${told.acknowledged.size.toLocaleString('en')} requests acknowledged, ${lost.length} lost, ${told.unavailable} × 503 and ${told.cut} cut connections that the SDK repeated, ${told.givenUp.length} calls that it gave up, ${all.length} faults.`;
    say(summary);
    if (publishes)
      await publishDrill(
        'cluster',
        `${new Date().toISOString().slice(0, 10)}, machine: ${describeMachine()}, load ${loadavg()[0]?.toFixed(0)}. ${summary}`,
      );
    return all.length === 0 ? 0 : 1;
  } finally {
    for (const each of running) await each.stop();
    door.kill('SIGKILL');
    await site.close();
  }
}

interface Place {
  site: Site;
  folder: string;
  url: string;
  ports: readonly number[];
}

/** Expand, then one process after the other to the new code; both versions work side by side for a while. */
async function update(place: Place, running: ServiceProcess[], load: Load): Promise<string[]> {
  const replace = async (slot: number) => {
    await running[slot]?.stop();
    running[slot] = await startSlot(place, slot, ROOT);
    await pause(2 * SECOND);
  };
  await pause(5 * SECOND);
  say('the schema is brought up to date beside the older code');
  const migrated = spawn(process.execPath, [join(ROOT, 'cli/dist/main.js'), 'migrate'], {
    env: { PATH: process.env['PATH'], ...settings(place) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = await once(migrated, 'exit');
  await pause(5 * SECOND);
  for (const slot of place.ports.keys()) {
    if (slot === PROCESSES / 2) {
      say(`half of them are new; ${load.told.acknowledged.size} acknowledged so far`);
      await pause(15 * SECOND);
    }
    await replace(slot);
  }
  say(`all are new; ${load.told.acknowledged.size} acknowledged so far`);
  await pause(10 * SECOND);
  return code === 0 ? [] : [`migrate ended with ${code}`];
}

function settings({ site, folder, url }: Place): Record<string, string> {
  return {
    SVC_BASE_URL: url,
    DATABASE_URL: `postgres://postgres@127.0.0.1:${site.cluster.port}/postgres`,
    SVC_MASTER_KEY: Buffer.alloc(32, 9).toString('base64'),
    SVC_SMTP_URL: site.smtp.url,
    SVC_MAIL_FROM: 'PayAssent <no-reply@payassent.example>',
    SVC_DNS_SERVERS: site.dns.address,
    SVC_DATA_DIR: join(folder, 'data'),
    SVC_TRUSTED_PROXIES: '127.0.0.1',
    SVC_DRAIN_S: String(DRAIN_S),
    // One connection does all of it: its own limit would be the slowest part.
    SVC_RATE_LIMITS: 'off',
  };
}

async function startSlot(place: Place, slot: number, release: string): Promise<ServiceProcess> {
  const service = createServiceProcess({
    name: String(slot),
    main: join(release, 'server/dist/main.js'),
    folder: place.folder,
    port: place.ports[slot] ?? 0,
    env: settings(place),
  });
  await service.start();
  await service.untilHealthy(READY_MS);
  return service;
}

/** TLS ends here. A process that is not ready gets nothing new, and what it has it may finish. */
function startDoor(folder: string, port: number, ports: readonly number[]) {
  const servers = ports.map((each, slot) => `  server s${slot} 127.0.0.1:${each} check`);
  const file = join(folder, 'haproxy.cfg');
  writeFileSync(
    file,
    `defaults
  mode http
  timeout connect 2s
  timeout client 90s
  timeout server 90s
  timeout check 2s
  option redispatch 1
  retries 3
frontend door
  bind 127.0.0.1:${port} ssl crt ${join(folder, 'door.pem')}
  option forwardfor
  http-request set-header X-Forwarded-Proto https
  default_backend services
backend services
  option httpchk GET /ready
  http-check expect status 200
  default-server inter 500ms fall 1 rise 1
${servers.join('\n')}
`,
  );
  const child = spawn(HAPROXY, ['-db', '-f', file], { stdio: 'ignore' });
  process.once('exit', () => child.kill('SIGKILL'));
  return child;
}
