import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { temporaryFolder } from '../../stage/ending.ts';
import { freePort } from '../../stage/free-port.ts';
import { count, describeMachine, publish, say, today } from '../../stage/report.ts';
import { ROOT } from '../../stage/root.ts';
import type { ServiceProcess } from '../../stage/service/killable.ts';
import { createAuthority } from '../../stage/surroundings/certificates.ts';
import { SECOND } from '../crowd.ts';
import { command } from '../operator/data-runs.ts';
import { type Load, missingAcknowledgements, startLoad } from '../operator/load.ts';
import { openSite, type Site } from '../operator/site.ts';
import { HAPROXY, missingPrograms, startHaproxy } from '../programs.ts';
import { buildOlderRelease } from './older-release.ts';

const PROCESSES = 4;
/** Longer than HAProxy needs to notice that a process is not ready. */
const DRAIN_S = 3;
/** Marks the process that trusts the drill's own authority. */
const INSIDE = 'PAYASSENT_DRILL_CLUSTER';

interface ClusterOptions {
  /** From the release before this schema; the newest when absent. */
  before: number | undefined;
  publish: boolean;
}

/** 0 when a rolling update over a schema change fails no call that the SDK does not absorb. */
export async function clusterDrill(options: ClusterOptions): Promise<number> {
  const inside = process.env[INSIDE];
  if (inside !== undefined) return roll(inside, options);
  const missing = missingPrograms(HAPROXY);
  if (missing !== undefined) {
    say(`The drill cannot be done here. ${missing}`);
    return 2;
  }
  const folder = await temporaryFolder('drill-cluster');
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
}

async function roll(folder: string, { before, publish: isPublished }: ClusterOptions): Promise<number> {
  const older = buildOlderRelease(join(folder, 'older'), before);
  if (!older) {
    say('The drill cannot be done here: it needs the history of this clone, to build the release before.');
    return 2;
  }
  say(`built ${older.commit.slice(0, 8)}, schema ${older.schema}`);
  const ports = await Promise.all(Array.from({ length: PROCESSES }, freePort));
  const doorPort = await freePort();
  const url = `https://127.0.0.1:${doorPort}`;
  startDoor(folder, doorPort, ports);
  const site = await openSite('cluster', { url });
  const startSlot = (slot: number, release: string) => startOn(site, ports[slot] ?? 0, release);
  const running: ServiceProcess[] = [];
  try {
    for (const slot of ports.keys()) running.push(await startSlot(slot, older.folder));
    const load = startLoad({ url, stage: await site.newStage(), clients: 8, maxRetries: 3 });
    const faults = await update(site, running, load, startSlot);
    const told = await load.stop();
    const db = site.db();
    const lost = await missingAcknowledgements(db, [told]);
    await db.end();
    const all = [...faults, ...lost, ...told.wrong, ...told.late, ...told.givenUp];
    for (const fault of all.slice(0, 8)) say(`  ! ${fault}`);
    const summary = `${PROCESSES} processes, schema ${older.schema} to ${older.newest}: ${count(told.attempts)} attempts, ${count(told.acknowledged.size)} requests acknowledged, ${lost.length} lost, ${told.unavailable} × 503 and ${told.cut} cut connections that the SDK repeated, ${told.givenUp.length} calls that it gave up, ${all.length} errors.`;
    say(summary);
    const text = `${today()}, machine: ${describeMachine()}, load ${loadavg()[0]?.toFixed(0)}. ${summary}`;
    if (isPublished) await publish('drills', 'cluster', text);
    return all.length === 0 ? 0 : 1;
  } finally {
    await site.close();
  }
}

/** Expand, then one process after the other to the new code; both versions work side by side for a while. */
async function update(
  site: Site,
  running: ServiceProcess[],
  load: Load,
  startSlot: (slot: number, release: string) => Promise<ServiceProcess>,
): Promise<string[]> {
  await pause(5 * SECOND);
  say('the schema is brought up to date while the older code runs');
  const code = await command(['migrate'], site);
  await pause(5 * SECOND);
  for (const slot of running.keys()) {
    if (slot === PROCESSES / 2) {
      say(`half of them are new; ${load.told.acknowledged.size} acknowledged so far`);
      await pause(15 * SECOND);
    }
    await running[slot]?.stop();
    running[slot] = await startSlot(slot, ROOT);
    await pause(2 * SECOND);
  }
  say(`all are new; ${load.told.acknowledged.size} acknowledged so far`);
  await pause(10 * SECOND);
  return code === 0 ? [] : [`migrate ended with ${code}`];
}

function startOn(site: Site, port: number, release: string): Promise<ServiceProcess> {
  const env = {
    DATABASE_URL: site.databaseUrl,
    SVC_TRUSTED_PROXIES: '127.0.0.1',
    SVC_DRAIN_S: String(DRAIN_S),
    // One connection does all of it: its own limit would be the slowest part.
    SVC_RATE_LIMITS: 'off',
  };
  return site.start(env, { port, main: join(release, 'server/dist/main.js') });
}

/** TLS ends here. A process that is not ready gets nothing new, and what it has it may finish. */
function startDoor(folder: string, port: number, ports: readonly number[]): void {
  const servers = ports.map((each, slot) => `  server s${slot} 127.0.0.1:${each} check`);
  startHaproxy(
    folder,
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
}
