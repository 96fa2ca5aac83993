import { allowedNext } from '@payassent/protocol';
import type { Act } from '../../act.ts';
import { AppError } from '../../errors.ts';
import type { ConnectionPrincipal } from '../../principals.ts';
import type { Engine } from '../engine.ts';
import { findCurrent } from '../read/read.ts';
import { paymentRequestView } from '../record/view.ts';
import { impossibleMove } from '../report/refusal.ts';
import type { StatusResult } from '../report/report.ts';
import { closeEnded } from './close.ts';

const REASON = 'withdrawn_by_agent';
const MAX_TURNS = 8;

/**
 * The agent withdraws a request. The statement moves only a request that awaits a decision; when it moves nothing, a
 * read explains why. Another change may come in between, hence the retries.
 */
export async function withdrawRequest(
  engine: Engine,
  act: Act,
  caller: ConnectionPrincipal,
  requestId: string,
): Promise<StatusResult> {
  const name = {
    merchant_id: caller.merchantId,
    connection_id: caller.connectionId,
    request_id: requestId,
  };
  for (let turn = 0; turn < MAX_TURNS; turn += 1) {
    const [row] = await closeEnded(engine.db, act, { kind: 'withdrawn', reason: REASON, ...name });
    if (row?.record) return { record: row.record, event: row.event };
    const record = await whyNotWithdrawn(engine, act, caller, requestId);
    if (record !== undefined) return { record, event: null };
  }
  throw new AppError('unavailable', {
    message: 'The request is being changed at the same time; withdraw it again.',
  });
}

/** Throws, or returns the record when it was withdrawn before; undefined when it still awaits a decision. */
async function whyNotWithdrawn(
  engine: Engine,
  act: Act,
  caller: ConnectionPrincipal,
  requestId: string,
): Promise<string | undefined> {
  const { record } = await findCurrent(engine, act, caller, { requestId, connectionId: null });
  const { status, reason } = paymentRequestView(record, 'connection');
  if (status === 'pending') return undefined;
  // Only the agent gives a reason for it.
  if (status === 'expired' && reason !== null) return record;
  if (status === 'expired') throw new AppError('payment_request_expired');
  throw impossibleMove(
    { name: 'request', status },
    'expired',
    allowedNext('payment_request', status, 'agent'),
  );
}

/** For a create that should have replaced this request and could not; returns when it can after all. */
export async function refuseSuperseding(
  engine: Engine,
  act: Act,
  caller: ConnectionPrincipal,
  requestId: string,
): Promise<void> {
  const record = await whyNotWithdrawn(engine, act, caller, requestId);
  if (record !== undefined) throw impossibleMove({ name: 'request', status: 'expired' }, 'expired', []);
}
