import {
  allowedFrom,
  canonicalTxHash,
  judgeReport,
  type PaymentRequestStatus,
  type TxHashForm,
  txHashForms,
} from '@payassent/protocol';
import type { Act } from '../../act.ts';
import { AppError, notFound, refuseWhenInvalid } from '../../errors.ts';
import {
  decisionIn,
  needsKey,
  refuseOtherDecision,
  signatureRequired,
} from '../../features/decisions/decide.ts';
import type { WalletPrincipal } from '../../principals.ts';
import { closeEnded, topicsOf } from '../close/close.ts';
import { MOVED } from '../counters.ts';
import type { Engine } from '../engine.ts';
import type { StatusInput } from '../input.ts';
import { paymentRequestView } from '../record/view.ts';
import { decisionOf, type StatusCall } from './decision.ts';
import { foreignReasonIssues, showsAddress } from './reason.ts';
import { reportRefusal } from './refusal.ts';
import { addTxHash, findForWallet, mustSign, type ReportedRow } from './report-sql.ts';

/** Both as JSON text. */
export interface StatusResult {
  record: string;
  /** Null when nothing changed. */
  event: string | null;
}

const MAX_TURNS = 8;

/** Reports that move something, by the status they request. Expiry depends on the clock and is handled separately. */
const MOVES = new Map<PaymentRequestStatus, readonly PaymentRequestStatus[]>(
  (['signed', 'broadcasted', 'confirmed', 'failed', 'rejected'] as const).map((to) => [
    to,
    allowedFrom('payment_request', to, 'wallet'),
  ]),
);

/**
 * A wallet's report. One statement finds, locks, judges and moves; when it moves nothing, a read explains why. Another
 * report may come in between, hence the retries.
 */
export async function reportStatus(engine: Engine, act: Act, call: StatusCall): Promise<StatusResult> {
  if (showsAddress(call.input)) await refuseForeignReason(engine, act, call);
  for (let turn = 0; turn < MAX_TURNS; turn += 1) {
    const answer = (await move(engine, act, call)) ?? (await explain(engine, act, call));
    if (answer) return answer;
  }
  throw new AppError('unavailable', {
    message: 'The request is being changed at the same time; report again.',
  });
}

/** A wallet's reason may contain the payee's address, and no other. */
async function refuseForeignReason(engine: Engine, act: Act, call: StatusCall): Promise<void> {
  const { walletId } = await call.authenticate();
  const choice = { requestId: call.requestId, connectionId: call.input.connection_id ?? null };
  const [row, other] = await findForWallet(engine.db, walletId, choice, act.now);
  if (!row) throw notFound();
  if (other) throw new AppError('ambiguous_request_id');
  const { payment } = paymentRequestView(row.record, 'wallet');
  refuseWhenInvalid(foreignReasonIssues(call.input, payment));
}

async function move(engine: Engine, act: Act, call: StatusCall): Promise<StatusResult | undefined> {
  const { input } = call;
  const moves = MOVES.get(input.status);
  if (!moves) return undefined;
  const decision = await decisionOf(engine, act, call);
  if (decision === 'void') return undefined;
  const moved = await engine.report(
    {
      n: 0,
      token_hash: call.tokenHash,
      device_id: call.deviceId,
      request_id: call.requestId,
      connection_id: input.connection_id,
      status: input.status,
      moves,
      tx_hashes: input.tx_hash === undefined ? undefined : sparse(txHashForms(input.tx_hash)),
      reason: input.reason_code,
      reason_text: input.reason,
      takeover: input.takeover ? true : undefined,
      event_id: act.newId('evt'),
      at: act.now,
      decision: decision === 'none' ? undefined : decision,
    },
    act.untilMs,
  );
  if (!moved) return undefined;
  act.count(MOVED, { from: moved.previous_status, to: input.status });
  act.announce(...topicsOf([moved]));
  return { record: moved.record, event: moved.event };
}

function sparse({ bare, ...others }: Record<TxHashForm, string>): Partial<Record<TxHashForm, string>> {
  return { bare, ...Object.fromEntries(Object.entries(others).filter(([, hash]) => hash !== bare)) };
}

async function explain(engine: Engine, act: Act, call: StatusCall): Promise<StatusResult | undefined> {
  const { input } = call;
  const principal = await call.authenticate();
  const choice = { requestId: call.requestId, connectionId: input.connection_id ?? null };
  const [row, other] = await findForWallet(engine.db, principal.walletId, choice, act.now);
  if (!row) throw notFound();
  if (other) throw new AppError('ambiguous_request_id');
  if (row.is_ended) return end(engine, act, row, input.status);
  const txHash = input.tx_hash === undefined ? undefined : canonicalTxHash(row.network, input.tx_hash);
  const verdict = judgeReport(
    'payment_request',
    { ...row, is_overdue: false },
    { ...input, tx_hash: txHash, device_id: principal.deviceId },
  );
  switch (verdict.kind) {
    case 'refuse':
      throw reportRefusal(verdict, { name: 'request', status: row.status }, input.status);
    case 'repeat':
      refuseOtherDecision(paymentRequestView(row.record, 'wallet').decision ?? null, input.decision);
      return repeat(engine, act, principal, row, verdict.adds_tx_hash ? txHash : undefined);
    default:
      if (isUnsignedApproval(input) && (await mustSign(engine.db, principal.walletId)))
        throw signatureRequired();
      // It can be moved after all: another report moved it to this very state since, or this was the token's first use.
      return undefined;
  }
}

function isUnsignedApproval({ status, decision }: StatusInput): boolean {
  const kind = decisionIn(status);
  return kind !== undefined && needsKey(kind, decision);
}

/** Ended without a decision, whatever was reported. A report of an expiry is the one that succeeds. */
async function end(
  engine: Engine,
  act: Act,
  row: ReportedRow,
  reported: PaymentRequestStatus,
): Promise<StatusResult | undefined> {
  const [settled] = await closeEnded(engine.db, act, { kind: 'requests', requests: [row] });
  if (!settled?.record || !settled.event) return undefined;
  if (reported !== 'expired' || settled.status !== 'expired') return undefined;
  return { record: settled.record, event: settled.event };
}

/** The same report again, which may bring the transaction's hash once. */
async function repeat(
  engine: Engine,
  act: Act,
  principal: WalletPrincipal,
  row: ReportedRow,
  txHash: string | undefined,
): Promise<StatusResult | undefined> {
  if (txHash === undefined) return { record: row.record, event: null };
  const record = await addTxHash(engine.db, row, principal, row.status, txHash, {
    now: act.now,
    observed: engine.observedNetworks,
  });
  return record === undefined ? undefined : { record, event: null };
}
