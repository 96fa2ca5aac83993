import { allowedFrom, allowedNext, type PaymentRequestStatus } from '@payassent/protocol';
import type { Act } from '../../act.ts';
import { AppError, notFound, refuseWhenInvalid } from '../../errors.ts';
import type { WalletPrincipal } from '../../http/principals.ts';
import { MOVED } from './counters.ts';
import type { Engine } from './engine.ts';
import { foreignReasonIssues, showsAddress } from './reason.ts';
import type { StatusInput } from './schema.ts';
import { settleEnded, topicsOf } from './settle.ts';
import { addTxHash, findForWallet, moveRequest, type ReportedRow } from './status-sql.ts';
import { paymentRequestView } from './view.ts';

export interface StatusCall {
  tokenHash: string;
  deviceId: string | undefined;
  authenticate(): Promise<WalletPrincipal>;
  requestId: string;
  input: StatusInput;
}

/** Both as JSON text. */
export interface StatusResult {
  record: string;
  /** Null when nothing changed. */
  event: string | null;
}

const MAX_TURNS = 8;

/** Reports that move something, by the status they ask for. Expiry is the clock's and takes its own way. */
const MOVES = new Map<PaymentRequestStatus, readonly PaymentRequestStatus[]>(
  (['signed', 'broadcasted', 'confirmed', 'failed', 'rejected'] as const).map((to) => [
    to,
    allowedFrom('payment_request', to, 'wallet'),
  ]),
);

/**
 * A wallet's report. One statement finds, locks, judges and moves; when it moves nothing, a read explains why. A report
 * may meet another one in between, hence the turns.
 */
export async function reportStatus(engine: Engine, act: Act, call: StatusCall): Promise<StatusResult> {
  if (showsAddress(call.input)) await refuseForeignReason(engine, act, call);
  for (let turn = 0; turn < MAX_TURNS; turn += 1) {
    const answer = (await move(engine, act, call)) ?? (await explain(engine, act, call));
    if (answer) return answer;
  }
  throw new AppError('unavailable', { message: 'The request changes too fast just now; report again.' });
}

/** A wallet may name the payee's address in its words, and no other. */
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
  const from = MOVES.get(input.status);
  if (!from) return undefined;
  const moved = await moveRequest(
    engine.db,
    {
      tokenHash: call.tokenHash,
      deviceId: call.deviceId ?? null,
      requestId: call.requestId,
      connectionId: input.connection_id ?? null,
      status: input.status,
      from,
      txHash: input.tx_hash ?? null,
      reason: input.reason_code ?? null,
      reasonText: input.reason ?? null,
      takeover: input.takeover ?? false,
      eventId: act.newId('evt'),
    },
    act.now,
  );
  if (!moved) return undefined;
  act.count(MOVED, { from: moved.previous_status, to: input.status });
  act.announce(...topicsOf([moved]));
  return { record: moved.record, event: moved.event };
}

export const SIGNED_ELSEWHERE =
  'Another device of this wallet has signed it and reports on. If that device cannot any more, send takeover: true.';

async function explain(engine: Engine, act: Act, call: StatusCall): Promise<StatusResult | undefined> {
  const { input } = call;
  const principal = await call.authenticate();
  const choice = { requestId: call.requestId, connectionId: input.connection_id ?? null };
  const [row, other] = await findForWallet(engine.db, principal.walletId, choice, act.now);
  if (!row) throw notFound();
  if (other) throw new AppError('ambiguous_request_id');
  if (row.is_ended) return end(engine, act, row, input.status);
  if (input.status === 'pending') throw impossible(row, input.status);
  if (row.tx_hash !== null && input.tx_hash !== undefined && input.tx_hash !== row.tx_hash)
    throw new AppError('status_conflict', {
      field: 'tx_hash',
      message: 'The request already has another tx_hash, which never changes.',
      details: { status: row.status },
    });
  if (row.status === input.status) return repeat(engine, act, principal, row, input.tx_hash);
  if (row.status === 'expired' && MOVES.get(input.status)?.includes('pending'))
    throw new AppError('payment_request_expired');
  const canMove = MOVES.get(input.status)?.includes(row.status) ?? false;
  const isOwn = row.status === 'pending' || row.decided_by_device_id === principal.deviceId;
  if (canMove && !isOwn && input.takeover !== true)
    throw new AppError('status_conflict', {
      message: SIGNED_ELSEWHERE,
      details: { status: row.status },
    });
  // It can be moved after all: somebody else moved it to this very place since, or this was the token's first use.
  if (canMove) return undefined;
  throw impossible(row, input.status);
}

/** Ended without a decision, whatever was reported. The report of an expiry is the one that succeeds. */
async function end(
  engine: Engine,
  act: Act,
  row: ReportedRow,
  reported: PaymentRequestStatus,
): Promise<StatusResult | undefined> {
  const [settled] = await settleEnded(engine.db, act, { kind: 'requests', requests: [row] });
  if (!settled?.record || !settled.event) return undefined;
  if (reported !== 'expired' || settled.status !== 'expired') return undefined;
  return { record: settled.record, event: settled.event };
}

/**
 * The same report again. Only the device that made the change may take it for a confirmation: to any other device it
 * must look like a refusal, or two devices would both go on and pay.
 */
async function repeat(
  engine: Engine,
  act: Act,
  principal: WalletPrincipal,
  row: ReportedRow,
  txHash: string | undefined,
): Promise<StatusResult | undefined> {
  const isOwn = row.decided_by_device_id === principal.deviceId;
  if (row.status !== 'expired' && !isOwn) {
    throw new AppError('status_conflict', {
      message: 'Another device, or the service itself, has already set this status.',
      details: { status: row.status },
    });
  }
  if (!isOwn || txHash === undefined || row.tx_hash !== null) return { record: row.record, event: null };
  const record = await addTxHash(engine.db, row, principal, row.status, txHash, act.now);
  return record === undefined ? undefined : { record, event: null };
}

function impossible(row: ReportedRow, to: PaymentRequestStatus): AppError {
  // A wallet may report the expiry only once it is due, and then the clock has come first.
  const allowed = allowedNext('payment_request', row.status, 'wallet').filter((next) => next !== 'expired');
  return new AppError('invalid_status_transition', {
    message: `A request that is ${row.status} cannot become ${to}.`,
    details: { from: row.status, to, allowed },
  });
}
