import type { Act } from '../../act.ts';
import { type Database, type Tx, transaction } from '../../db/open.ts';
import { tellRequest } from '../../payments/index.ts';
import type { CounterSpec } from '../../telemetry/metrics.ts';
import { tellPayment } from '../agent-payments/settlement-event.ts';
import {
  endClaims,
  holdClaims,
  holdRecord,
  insertClaims,
  readClaims,
  storeSettlement,
} from './finding-sql.ts';
import { isSameEnd, judge, type SourceAnswer, type Verdict } from './judge.ts';
import { endLook, type Observation } from './queue-sql.ts';

const CHANGES: CounterSpec<'network' | 'state'> = {
  name: 'svc_settlement_changes_total',
  help: 'Changes of what chains say about payments, by network and new state.',
  labels: ['network', 'state'],
};

/**
 * Finding, claims, event and webhook rows are one change, made once: the record is held, and only the process whose lease
 * still holds writes.
 */
export async function recordFinding(
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

/** What others have claimed counts only where the sources say something new about what was paid. */
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
