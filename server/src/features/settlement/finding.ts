import type { Network } from '@payassent/protocol';
import type { Act } from '../../act.ts';
import { type Database, type Tx, transaction } from '../../db/open.ts';
import type { CounterSpec } from '../../telemetry/metrics.ts';
import { tellPayment } from '../agent-payments/settled.ts';
import { tellRequest } from '../payment-requests/settled.ts';
import { holdRecord, storeSettlement } from './finding-sql.ts';
import type { Verdict } from './judge.ts';
import { endLook, type Observation } from './queue-sql.ts';

const CHANGES: CounterSpec<'network' | 'state'> = {
  name: 'svc_settlement_changes_total',
  help: 'Changes of what chains say about payments, by network and new state.',
  labels: ['network', 'state'],
};

/**
 * Finding, event and webhook rows are one change, made once: the record is held, and only the process whose lease still
 * holds writes.
 */
export async function recordFinding(
  db: Database,
  act: Act,
  network: Network,
  look: { observation: Observation; lease: string; verdict: Verdict },
): Promise<void> {
  const { observation, lease, verdict } = look;
  await transaction(db, async (tx: Tx) => {
    if (!(await holdRecord(tx, observation))) return;
    const hasChanged = verdict.state !== observation.before?.state;
    if (!(await endLook(tx, observation, lease, hasChanged, act.now))) return;
    const number = await storeSettlement(tx, observation, verdict, act.now);
    if (number === undefined || !hasChanged) return;
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
