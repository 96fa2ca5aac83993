import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type Cluster,
  onServer,
  type Server,
  serverAt,
  startPrimary,
  startStandby,
} from '../stage/database/servers.ts';
import { temporaryFolder } from '../stage/ending.ts';
import { command, flag, text } from '../stage/options.ts';
import { describeMachine, publish, say, table, today } from '../stage/report.ts';
import { underCrowd, type Verdict } from './crowd.ts';

type Mode = 'synchronous' | 'asynchronous';

interface Outcome extends Verdict {
  mode: Mode;
  /** Calls that were acknowledged before the primary was killed. */
  acknowledgedBefore: number;
  /** From the kill to the first response of the service on the new primary. */
  awayMs: number;
}

const LOAD_MS = 10_000;
/** How long an asynchronous standby receives nothing before the primary is killed. */
const DEAF_MS = 4000;
const AFTER_MS = 6000;
const CLIENTS = 12;

const OPTIONS = {
  seed: text('text', 'repeats the choices of an earlier run', 'failover'),
  publish: flag('writes the figures into docs/proof/torture.md'),
};

export default command('npm run failover -- [options]', OPTIONS, async ({ seed, publish: isPublished }) => {
  const outcomes: Outcome[] = [];
  for (const mode of ['synchronous', 'asynchronous'] as const) {
    const outcome = await failOver(mode, seed);
    outcomes.push(outcome);
    say(
      `${mode} standby: ${outcome.acknowledgedBefore} acknowledged calls before the kill, away ${outcome.awayMs} ms, ` +
        `${outcome.lost} of ${outcome.compared} acknowledged records missing, ${outcome.violations - outcome.lost} other violations`,
    );
  }
  const [isSafe, isNoticed] = [outcomes[0]?.violations === 0, (outcomes[1]?.lost ?? 0) > 0];
  say(`${isSafe ? 'Nothing' : 'FAILED: something'} is lost with a synchronous standby.`);
  say(`${isNoticed ? '' : 'FAILED: '}The loss of an asynchronous one is ${isNoticed ? '' : 'not '}noticed.`);
  if (isPublished) await publishOutcomes(outcomes);
  return isSafe && isNoticed ? 0 : 1;
});

async function failOver(mode: Mode, seed: string): Promise<Outcome> {
  const folder = await temporaryFolder('failover');
  const primary = await startPrimary(join(folder, 'postgres'));
  const standby = await startStandby(primary, mode === 'synchronous' ? 'sync' : 'async');
  let current: Cluster = primary;
  const server: Server = serverAt(() => current.port, 'postgres');
  const place = { folder, server, seed, clients: CLIENTS };
  const { done, verdict } = await underCrowd(
    place,
    { tenants: 2, wallets: 3, links: 6 },
    async ({ history, members }) => {
      await pause(LOAD_MS);
      if (mode === 'asynchronous') {
        await deafen(standby);
        await pause(DEAF_MS);
      }
      history.fault('kill primary');
      await primary.kill();
      const killedAt = Date.now();
      const acknowledgedBefore = history.attempts.filter(
        ({ answer }) => answer && answer.status < 300,
      ).length;
      standby.promote();
      current = standby;
      await Promise.all(members.map(({ process }) => process.untilHealthy(60_000)));
      const awayMs = Date.now() - killedAt;
      await pause(AFTER_MS);
      return { acknowledgedBefore, awayMs };
    },
  );
  await standby.kill();
  return { mode, ...done, ...verdict };
}

/** The way between the two is broken: from here on the standby receives nothing, and no one waits for it. */
async function deafen(standby: Cluster): Promise<void> {
  await onServer(standby, async (db) => {
    await db.unsafe(`alter system set primary_conninfo = 'host=127.0.0.1 port=1 connect_timeout=1'`);
    await db`select pg_reload_conf()`;
  });
}

async function publishOutcomes(outcomes: readonly Outcome[]): Promise<void> {
  const head = [
    'Standby',
    'Calls acknowledged before the kill',
    'Records compared',
    'Missing afterwards',
    'Kill to healthy again',
  ];
  const rows = outcomes.map(({ mode, acknowledgedBefore, compared, lost, awayMs }) => [
    mode,
    acknowledgedBefore,
    compared,
    lost,
    `${(awayMs / 1000).toFixed(1)} s`,
  ]);
  const machine = describeMachine();
  const text = `${today()}, two service processes, ${CLIENTS} concurrent clients. Machine: ${machine}.\n\n${table(head, rows)}`;
  await publish('torture', 'failover', text, { date: new Date().toISOString(), machine, outcomes });
}
