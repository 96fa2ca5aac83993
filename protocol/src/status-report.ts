import { allowedNext, type StateOf } from './states/index.ts';

/** The two records whose wallet reports their outcome, under one set of rules. */
type ReportedMachine = 'payment_request' | 'agent_payment';

/** The state of the record when the report arrives. */
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
  /** Declares that this device takes over the reports from the device that signed. */
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
 * Judges a wallet's report: whether it moves the record, repeats an earlier report of its device, or is rejected. A
 * repeat from any device but the deciding one must be rejected, or two devices would both continue and pay.
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

/** Only the device that signed knows what is on its way: no other one reports the outcome, except by a stated takeover. */
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
  // Expiry is no one's decision, so everybody may state it.
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

/** A wallet never reports the initial state of a record, nor a state that is reserved to the other side. */
function isReportable(status: string): boolean {
  return status !== 'pending' && status !== 'intent_created' && status !== 'cancelled';
}
