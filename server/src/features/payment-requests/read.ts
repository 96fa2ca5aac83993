import type { PaymentRequest, PaymentRequestEvent } from '@payassent/protocol/records';
import type { Act } from '../../act.ts';
import { AppError, notFound } from '../../errors.ts';
import type { ConnectionPrincipal, MerchantPrincipal, WalletPrincipal } from '../../http/principals.ts';
import type { Engine } from './engine.ts';
import { eventsOfRequest } from './event-sql.ts';
import { settleShown } from './list.ts';
import type { ListedRow } from './list-sql.ts';
import { findForMerchant } from './read-sql.ts';
import type { StandingCall } from './standings.ts';
import { findForWallet } from './status-sql.ts';
import { linkedView } from './view.ts';

/** Whose requests are read. */
export type Reader = ConnectionPrincipal | MerchantPrincipal | WalletPrincipal;

export interface Choice {
  requestId: string;
  connectionId: string | null;
}

/** One request. An agent's ordinary read is a hot path of its own. */
export async function readOne(
  engine: Engine,
  act: Act,
  reader: Reader,
  choice: Choice,
): Promise<PaymentRequest> {
  const row = await findSettled(engine, act, reader, choice);
  return linkedView(row.record, reader.kind, engine.links);
}

/** What became of one request, step by step. */
export async function readHistory(
  engine: Engine,
  act: Act,
  reader: Reader,
  choice: Choice,
): Promise<PaymentRequestEvent[]> {
  const row = await findSettled(engine, act, reader, choice);
  return eventsOfRequest(engine.db, row.merchant_id, row.connection_id, row.request_id);
}

/** The one request that the reader means. What has ended is settled before it is shown. */
export async function findSettled(
  engine: Engine,
  act: Act,
  reader: Reader,
  choice: Choice,
): Promise<Omit<ListedRow, 'created_at'>> {
  const [row, other] = await find(engine, act, reader, choice);
  if (!row) throw notFound();
  if (other) throw new AppError('ambiguous_request_id');
  if (!row.is_ended) return row;
  await settleShown(engine, act, [row]);
  return findSettled(engine, act, reader, choice);
}

function find(
  engine: Engine,
  act: Act,
  reader: Reader,
  choice: Choice,
): Promise<Omit<ListedRow, 'created_at'>[]> {
  if (reader.kind === 'wallet') return findForWallet(engine.db, reader.walletId, choice, act.now);
  if (reader.kind === 'merchant') return findForMerchant(engine.db, reader.merchantId, choice, act.now);
  if (choice.connectionId !== null && choice.connectionId !== reader.connectionId) throw notFound();
  const own = { ...choice, connectionId: reader.connectionId };
  return findForMerchant(engine.db, reader.merchantId, own, act.now);
}

/** An agent's read, as JSON text: one statement, shared with anyone who reads at the same moment. */
export async function readForAgent(
  engine: Engine,
  act: Act,
  call: StandingCall & { requestId: string; connectionId: string | null },
): Promise<string> {
  const { requestId } = call;
  const found = await engine.standings.under(call, async (standing) => {
    const row = await engine.reads.run({ standing, requestId });
    return row && { standing, row };
  });
  if (!found || found.row.record === null) throw notFound();
  const { standing, row } = found;
  if (call.connectionId !== null && call.connectionId !== standing.connectionId) throw notFound();
  if (!row.is_ended) return row.record as string;
  const { merchantId, connectionId } = standing;
  await settleShown(engine, act, [
    { merchant_id: merchantId, connection_id: connectionId, request_id: requestId },
  ]);
  return readForAgent(engine, act, call);
}
