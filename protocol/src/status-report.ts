import { allowedNext, type StateOf } from './states/index.ts';

/** The two records whose wallet reports what became of them, under one set of rules. */
type ReportedMachine = 'payment_request' | 'agent_payment';

/** What the record says when the report arrives. */
export interface ReportedState<Status extends string> {
  status: Status;
  tx_hash: string | null;
  /** The device that made the last change; null when it was not a device. */
  decided_by_device_id: string | null;
  /** Still awaits a decision although its time is over: it has to be settled as expired before it is judged. */
  is_overdue: boolean;
}

export interface WalletReport<Status extends string> {
  status: Status;
  tx_hash?: string | undefined;
  device_id: string;
  /** Says that this device reports on instead of the one that signed. */
  takeover?: boolean | undefined;
}

export type ReportVerdict<Status extends string> =
  | { kind: 'settle_first' }
  | { kind: 'move'; is_takeover: boolean }
  /** Nothing changes, except that the deciding device may bring the transaction's hash once. */
  | { kind: 'repeat'; adds_tx_hash: boolean }
  | { kind: 'refuse'; code: 'status_conflict'; because: 'tx_hash' | 'device' | 'signed_elsewhere' }
  | { kind: 'refuse'; code: 'payment_request_expired' }
  | { kind: 'refuse'; code: 'invalid_status_transition'; allowed: Status[] };

/**
 * Judges a wallet's report: whether it moves the record, repeats what its device has said before, or is refused. To any
 * device but the deciding one a repeat must look like a refusal, or two devices would both go on and pay.
 */
export function judgeReport<Machine extends ReportedMachine>(
  machine: Machine,
  state: ReportedState<StateOf<Machine>>,
  report: WalletReport<StateOf<Machine>>,
): ReportVerdict<StateOf<Machine>> {
  if (state.is_overdue) return { kind: 'settle_first' };
  const moves = walletMoves(machine, state.status);
  const impossible = { kind: 'refuse', code: 'invalid_status_transition', allowed: moves } as const;
  if (!isReportable(report.status)) return impossible;
  if (state.tx_hash !== null && report.tx_hash !== undefined && report.tx_hash !== state.tx_hash)
    return { kind: 'refuse', code: 'status_conflict', because: 'tx_hash' };
  if (state.status === report.status) return judgeRepeat(state, report);
  if (moves.includes(report.status)) return judgeMove(machine, state, report);
  const wasInTime = walletMoves(machine, initialOf(machine)).includes(report.status);
  if (state.status === 'expired' && wasInTime) return { kind: 'refuse', code: 'payment_request_expired' };
  return impossible;
}

/** Who has signed knows what is on its way: nobody else says what became of it, except by a stated takeover. */
function judgeMove<Machine extends ReportedMachine>(
  machine: Machine,
  state: ReportedState<StateOf<Machine>>,
  report: WalletReport<StateOf<Machine>>,
): ReportVerdict<StateOf<Machine>> {
  const isOthers = state.status !== initialOf(machine) && state.decided_by_device_id !== report.device_id;
  if (isOthers && report.takeover !== true)
    return { kind: 'refuse', code: 'status_conflict', because: 'signed_elsewhere' };
  return { kind: 'move', is_takeover: isOthers };
}

function judgeRepeat<Status extends string>(
  state: ReportedState<Status>,
  report: WalletReport<Status>,
): ReportVerdict<Status> {
  const isOwn = state.decided_by_device_id === report.device_id;
  // Expiry is nobody's decision, so everybody may state it.
  if (!isOwn && state.status !== 'expired')
    return { kind: 'refuse', code: 'status_conflict', because: 'device' };
  const adds_tx_hash = isOwn && state.tx_hash === null && report.tx_hash !== undefined;
  return { kind: 'repeat', adds_tx_hash };
}

/** What a wallet may still do. Expiry is left out: once it is due, the clock has come first. */
function walletMoves<Machine extends ReportedMachine>(
  machine: Machine,
  from: StateOf<Machine>,
): StateOf<Machine>[] {
  return allowedNext(machine, from, 'wallet').filter((next) => next !== 'expired');
}

function initialOf<Machine extends ReportedMachine>(machine: Machine): StateOf<Machine> {
  return (machine === 'payment_request' ? 'pending' : 'intent_created') as StateOf<Machine>;
}

/** Where a record begins, and what only the other side may do, is never a wallet's to say. */
function isReportable(status: string): boolean {
  return status !== 'pending' && status !== 'intent_created' && status !== 'cancelled';
}
