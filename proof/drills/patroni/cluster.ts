import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { findPrograms } from '../../stage/database/servers.ts';
import { HAPROXY, startHaproxy } from '../programs.ts';
import { lastWords, type Machine, openMachine } from './machines.ts';

export const HOSTS = { db1: '10.17.0.11', db2: '10.17.0.12', db3: '10.17.0.13' } as const;
export const PROGRAMS = {
  '/usr/bin/patroni': 'patroni',
  '/usr/bin/etcd': 'etcd-server',
  '/usr/lib/python3/dist-packages/etcd/__init__.py': 'python3-etcd',
  ...HAPROXY,
  '/usr/bin/pg_createcluster': 'postgresql',
  '/sbin/ip': 'iproute2',
} as const;

/** Where HAProxy leads to the primary. */
const DOOR_PORT = 5000;
const WHOLE_MS = 240_000;

/** One machine as Patroni's REST interface lists it. */
interface Member {
  name: string;
  role: string;
  state: string;
}

export interface PatroniCluster {
  machines: readonly Machine[];
  port: number;
  leader(): Promise<string | undefined>;
  machine(name: string): Machine;
  /** A leader, two that follow it, one of them synchronously. */
  untilWhole(): Promise<void>;
  untilAnotherLeads(than: string): Promise<string>;
  switchOver(from: string): Promise<void>;
  /** Who is what, and the last lines of every log. */
  describe(): Promise<string>;
  /** After `kill`. */
  startAgain(machine: Machine): void;
}

/**
 * Three machines with PostgreSQL, Patroni and etcd on each, and HAProxy before them. A commit is acknowledged when two
 * have it: strictly synchronous, so that also a cluster of one remaining machine acknowledges nothing that only it has.
 */
export async function startPatroni(root: string): Promise<PatroniCluster> {
  const programs = findPrograms();
  const machines = Object.entries(HOSTS).map(([name, address]) => openMachine(root, name, address));
  const startAgain = (machine: Machine) => {
    machine.start('/usr/bin/etcd', etcdArguments(machine));
    machine.start('/usr/bin/patroni', [patroniFile(machine, programs)]);
  };
  for (const machine of machines) startAgain(machine);
  startDoor(root);
  const members = async (): Promise<Member[]> => {
    const found = await Promise.all(machines.map(({ address }) => ask(address)));
    // A machine that is cut off may still hold an outdated view: at least two must agree.
    const texts = found.filter((list) => list !== undefined).map((list) => JSON.stringify(list));
    const agreed = texts.find((text) => texts.filter((other) => other === text).length >= 2);
    return agreed === undefined ? [] : JSON.parse(agreed);
  };
  const leader = async () => (await members()).find(({ role }) => role === 'leader')?.name;
  const machine = (name: string) => {
    const found = machines.find((each) => each.name === name);
    if (!found) throw new Error(`there is no machine ${name}`);
    return found;
  };
  const until = async <T>(what: string, look: () => Promise<T | undefined>): Promise<T> => {
    const endMs = performance.now() + WHOLE_MS;
    while (performance.now() < endMs) {
      const found = await look();
      if (found !== undefined) return found;
      await pause(250);
    }
    throw new Error(`${what} within ${WHOLE_MS / 1000} s`);
  };
  return {
    machines,
    port: DOOR_PORT,
    leader,
    machine,
    startAgain,
    async describe() {
      const known = await Promise.all(machines.map(({ address }) => ask(address)));
      return [JSON.stringify(known, null, 2), ...machines.map(lastWords)].join('\n');
    },
    async untilWhole() {
      await until('the cluster was not whole', async () => {
        const list = await members();
        const primary = list.find(({ role }) => role === 'leader');
        const hasSynchronous = list.some(({ role }) => role === 'sync_standby');
        // A machine that is still rewinding calls itself running: what counts is who streams from the leader.
        return primary && hasSynchronous && hasTwoFollowers(machine(primary.name)) ? true : undefined;
      });
    },
    untilAnotherLeads: (than) =>
      until('no other machine led', async () => {
        const name = await leader();
        return name === than ? undefined : name;
      }),
    async switchOver(from) {
      await until('no switchover was accepted', async () => {
        const response = await fetch(`http://${machine(from).address}:8008/switchover`, {
          method: 'POST',
          body: JSON.stringify({ leader: from }),
        });
        await response.text();
        return response.ok ? true : undefined;
      });
    },
  };
}

function hasTwoFollowers(primary: Machine): boolean {
  const fails = "select 1 / (count(*) = 2)::int from pg_stat_replication where state = 'streaming'";
  return primary.run('psql', ['-h', '127.0.0.1', '-U', 'postgres', '-c', fails, 'postgres'], 5_000);
}

async function ask(address: string): Promise<Member[] | undefined> {
  try {
    const response = await fetch(`http://${address}:8008/cluster`, { signal: AbortSignal.timeout(2_000) });
    const { members } = (await response.json()) as { members: Member[] };
    return members
      .map(({ name, role, state }) => ({ name, role, state }))
      .toSorted((a, b) => a.name.localeCompare(b.name));
  } catch {
    return undefined;
  }
}

function etcdArguments({ name, address, folder }: Machine): string[] {
  const peers = Object.entries(HOSTS).map(([each, at]) => `${each}=http://${at}:2380`);
  return [
    `--name=${name}`,
    `--data-dir=${join(folder, 'etcd')}`,
    `--listen-client-urls=http://${address}:2379,http://127.0.0.1:2379`,
    `--advertise-client-urls=http://${address}:2379`,
    `--listen-peer-urls=http://${address}:2380`,
    `--initial-advertise-peer-urls=http://${address}:2380`,
    `--initial-cluster=${peers.join(',')}`,
    '--initial-cluster-state=new',
    '--initial-cluster-token=drill',
    '--heartbeat-interval=250',
    '--election-timeout=2500',
    // A machine that was cut off must not depose the leader of etcd when it is back.
    '--pre-vote=true',
    '--enable-v2=true',
  ];
}

/** JSON is YAML. */
function patroniFile({ name, address, folder }: Machine, programs: string): string {
  const everywhere = ['local all all trust', 'host all all all trust', 'host replication all all trust'];
  const password = 'drill';
  const settings = {
    scope: 'payassent',
    name,
    restapi: { listen: `${address}:8008`, connect_address: `${address}:8008` },
    // Not `etcd3`: through it Patroni 3.0.2 led again by a lock it only remembered, when its network was back.
    etcd: { hosts: Object.values(HOSTS).map((at) => `${at}:2379`) },
    bootstrap: {
      dcs: {
        ttl: 20,
        loop_wait: 3,
        retry_timeout: 5,
        // Failover does not wait for a primary whose PostgreSQL was killed.
        master_start_timeout: 0,
        primary_start_timeout: 0,
        synchronous_mode: true,
        synchronous_mode_strict: true,
        postgresql: {
          use_pg_rewind: true,
          use_slots: true,
          parameters: { max_connections: 60, wal_log_hints: 'on', wal_keep_size: '256MB' },
          pg_hba: everywhere,
        },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, 'data-checksums'],
      pg_hba: everywhere,
    },
    postgresql: {
      listen: `${address},127.0.0.1:5432`,
      connect_address: `${address}:5432`,
      data_dir: join(folder, 'data'),
      bin_dir: programs,
      pgpass: join(folder, 'pgpass'),
      authentication: {
        superuser: { username: 'postgres', password },
        replication: { username: 'replicator', password },
        rewind: { username: 'rewind', password },
      },
      parameters: { unix_socket_directories: folder },
      remove_data_directory_on_rewind_failure: true,
      remove_data_directory_on_diverged_timelines: true,
    },
    watchdog: { mode: 'off' },
  };
  const file = join(folder, 'patroni.yml');
  writeFileSync(file, JSON.stringify(settings, null, 2));
  return file;
}

/** Queries Patroni for the leader, and disconnects the clients of a machine that has lost the role. */
function startDoor(root: string): void {
  const servers = Object.entries(HOSTS).map(
    ([name, address]) => `  server ${name} ${address}:5432 check port 8008`,
  );
  startHaproxy(
    root,
    `defaults
  mode tcp
  timeout connect 3s
  timeout client 30m
  timeout server 30m
  timeout check 2s
listen primary
  bind 127.0.0.1:${DOOR_PORT}
  option httpchk GET /primary
  http-check expect status 200
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${servers.join('\n')}
`,
  );
}
