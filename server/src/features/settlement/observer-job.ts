import type { Network } from '@payassent/protocol';
import { type Act, createAct } from '../../act.ts';
import type { Context } from '../../context.ts';
import { type Database, type Tx, transaction } from '../../db/open.ts';
import { addMs, MINUTE_MS, SECOND_MS } from '../../lib/clock.ts';
import { createOutbound } from '../../lib/outbound/index.ts';
import { tellRequest } from '../../payments/index.ts';
import type { CounterSpec } from '../../telemetry/metrics.ts';
import { tellPayment } from '../agent-payments/settlement-event.ts';
import { type AskedSource, createAskedSource } from './asked-source.ts';
import { backfill } from './backfill.ts';
import { endClaims, holdClaims, insertClaims, readClaims } from './claim-sql.ts';
import { holdRecord, storeSettlement } from './finding-sql.ts';
import { isSameEnd, judge, type SourceAnswer, type Verdict } from './judge.ts';
import { claimDue, endLook, giveBack, nextLook, type Observation } from './queue-sql.ts';

/** One network, observed by this process. */
export interface Watch {
  network: Network;
  sources: readonly AskedSource[];
  /** When its next lookup is or was due, as last read. */
  nextLook: Date | null;
  probedMs: number;
  isBackfilled: boolean;
  /** More was due than one turn processes. */
  hasMore: boolean;
  /** Its turn in progress: a hung source delays this network and no other. */
  turn: Promise<void> | undefined;
  begunMs: number;
  /** The failure of the last turn. */
  fault: unknown;
}

export interface Observer {
  watches: readonly Watch[];
  isBegun: boolean;
  close(): Promise<void>;
}

const LOOKS: CounterSpec<'network' | 'state'> = {
  name: 'svc_settlement_looks_total',
  help: 'Checks of payments on their chain, by network and result.',
  labels: ['network', 'state'],
};

/** Longer than all lookups of a turn take: meanwhile no other process looks up the same payments. */
const LEASE_MS = MINUTE_MS;
const AT_ONCE = 16;
const PROBE_EVERY_MS = 30 * SECOND_MS;

export function createObserver(context: Context): Observer {
  const { config, dns, metrics, log } = context;
  const origins = [...config.observe.values()].flat().map(({ url }) => new URL(url.reveal()).origin);
  // Separate from webhooks, whose receivers must never be reachable because a node happens to be there.
  const outbound = createOutbound({
    dns,
    allowLoopback: config.baseUrlIsLoopback,
    trustedOrigins: new Set(origins),
  });
  const watches = [...config.observe].map(
    ([network, sources]): Watch => ({
      network,
      sources: sources.map((source, index) =>
        createAskedSource({
          network,
          source,
          outbound,
          onTurn: (isUp, why) =>
            log.warn(
              { event: isUp ? 'source_back' : 'source_unreachable', network, source: index + 1, why },
              isUp ? 'a source of SVC_OBSERVE is back' : 'a source of SVC_OBSERVE is unreachable',
            ),
        }),
      ),
      nextLook: null,
      probedMs: Number.NEGATIVE_INFINITY,
      isBackfilled: false,
      hasMore: false,
      turn: undefined,
      begunMs: 0,
      fault: undefined,
    }),
  );
  const observer: Observer = {
    watches,
    isBegun: false,
    close: () => outbound.close(),
  };
  const byNetwork = (read: (watch: Watch) => number) => () =>
    Object.fromEntries(watches.map((watch) => [watch.network, read(watch)]));
  metrics.gauges(
    {
      name: 'svc_settlement_lag_seconds',
      help: 'How late the next check of a payment on its chain is.',
      label: 'network',
      ofWorkers: 'max',
    },
    byNetwork((watch) => lagOf(watch, context.clock.now())),
  );
  metrics.gauges(
    {
      name: 'svc_settlement_sources_up',
      help: 'Sources of SVC_OBSERVE that respond.',
      label: 'network',
      ofWorkers: 'min',
    },
    byNetwork(({ sources }) => sources.filter((source) => source.isUp()).length),
  );
  return observer;
}

/** How late the network's next lookup is, in seconds. */
export function lagOf({ nextLook }: Watch, now: Date): number {
  return nextLook === null ? 0 : Math.max(0, (now.getTime() - nextLook.getTime()) / 1000);
}

/** One turn of one network: looks up everything that is due, up to a limit, and records the results. */
export async function lookAtNetwork(context: Context, watch: Watch): Promise<void> {
  const { db, clock, random, stopping } = context;
  if (!watch.isBackfilled) watch.isBackfilled = !(await backfill(db, watch.network, clock.now()));
  const isProbed = probe(context, watch);
  const lease = Buffer.from(random.bytes(12)).toString('hex');
  const now = clock.now();
  const until = addMs(now, LEASE_MS);
  const { network } = watch;
  const due = await claimDue(db, network, lease, AT_ONCE, { now, until });
  try {
    await Promise.all(due.map((observation) => look(context, watch, observation, lease)));
  } finally {
    if (stopping.aborted && due.length > 0) await giveBack(db, { network, lease, until }, clock.now());
  }
  watch.nextLook = await nextLook(db, network);
  watch.hasMore = due.length === AT_ONCE || !watch.isBackfilled;
  await isProbed;
}

async function look(context: Context, watch: Watch, observation: Observation, lease: string): Promise<void> {
  const { stopping, metrics } = context;
  const { tx_hash: txHash, pinned, before } = observation;
  const answers = await Promise.all(watch.sources.map((source) => source.lookUp(txHash, pinned, stopping)));
  // Aborted lookups have no result.
  if (stopping.aborted) return;
  const verdict = judge(answers, pinned, before);
  metrics.increment(LOOKS, { network: watch.network, state: verdict.state });
  const act = createAct(context, 'job-settlement');
  await recordFinding(context.db, act, { observation, lease, answers });
}

async function probe(context: Context, watch: Watch): Promise<void> {
  if (performance.now() - watch.probedMs < PROBE_EVERY_MS) return;
  watch.probedMs = performance.now();
  await Promise.all(watch.sources.map((source) => source.probe(context.stopping)));
}

const CHANGES: CounterSpec<'network' | 'state'> = {
  name: 'svc_settlement_changes_total',
  help: 'Changes of settlements, by network and new state.',
  labels: ['network', 'state'],
};

/**
 * Finding, claims, event and webhook rows are one change, made once: the record is locked, and only the process whose
 * lease is still valid writes.
 */
async function recordFinding(
  db: Database,
  act: Act,
  look: { observation: Observation; lease: string; answers: readonly SourceAnswer[] },
): Promise<void> {
  const { observation, lease, answers } = look;
  const { before, network } = observation;
  await transaction(db, async (tx: Tx) => {
    if (!(await holdRecord(tx, observation))) return;
    const { verdict, claims } = await judgeWithClaims(tx, observation, answers);
    const hasChanged = verdict.state !== before?.state;
    if (!(await endLook(tx, observation, lease, hasChanged, act.now))) return;
    const number = await storeSettlement(tx, observation, verdict, act.now);
    if (number === undefined) return;
    if (claims === 'change') await changeClaims(tx, observation, verdict, act.now);
    if (!hasChanged) return;
    const change = {
      merchantId: observation.merchant_id,
      connectionId: observation.connection_id,
      recordId: observation.record_id,
      state: verdict.state,
      number,
    };
    await (observation.kind === 'payment_request' ? tellRequest : tellPayment)(tx, act, change);
    tx.afterCommit(() => act.count(CHANGES, { network, state: verdict.state }));
  });
}

/** Claims of others matter only where the sources report something new about the payments. */
async function judgeWithClaims(
  tx: Tx,
  observation: Observation,
  answers: readonly SourceAnswer[],
): Promise<{ verdict: Verdict; claims: 'keep' | 'change' }> {
  const { pinned, before } = observation;
  const alone = judge(answers, pinned, before);
  const isKept = before !== null && (alone === before || isSameEnd(alone, before));
  const isAboutPayments = alone.state === 'final' || alone.state === 'mismatch' || before?.state === 'final';
  if (isKept || !isAboutPayments) return { verdict: alone, claims: 'keep' };
  await holdClaims(tx, observation);
  const txHash = alone.transaction?.tx_hash;
  const claimed = txHash === undefined ? [] : await readClaims(tx, observation, txHash);
  return { verdict: judge(answers, pinned, before, claimed), claims: 'change' };
}

async function changeClaims(tx: Tx, observation: Observation, verdict: Verdict, now: Date): Promise<void> {
  const { before } = observation;
  if (before?.state === 'final' && before.transaction)
    await endClaims(tx, observation, before.transaction.tx_hash, now);
  if (verdict.state === 'final' && verdict.transaction && verdict.taken)
    await insertClaims(tx, observation, verdict.transaction.tx_hash, verdict.taken, now);
}
