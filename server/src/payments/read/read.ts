import type { PaymentRequest, PaymentRequestEvent } from '@payassent/protocol/records';
import type { Act } from '../../act.ts';
import type { Sql } from '../../db/open.ts';
import { AppError, notFound } from '../../errors.ts';
import type { ConnectionPrincipal, MerchantPrincipal, WalletPrincipal } from '../../principals.ts';
import type { Engine } from '../engine.ts';
import { findEventsOfRequest } from '../feed/event-sql.ts';
import type { PermittedCall } from '../permissions/permissions.ts';
import { linkedView } from '../record/view.ts';
import { findForWallet } from '../report/report-sql.ts';
import { closeShown } from './list.ts';
import type { ListedRow } from './list-sql.ts';
import { findForMerchant } from './read-sql.ts';

/** Whose requests are read. */
export type Reader = ConnectionPrincipal | MerchantPrincipal | WalletPrincipal;

export interface Choice {
  requestId: string;
  connectionId: string | null;
}

/** One request. An agent's ordinary read is a separate hot path. */
export async function readOne(
  engine: Engine,
  act: Act,
  reader: Reader,
  choice: Choice,
): Promise<PaymentRequest> {
  const row = await findCurrent(engine, act, reader, choice);
  return linkedView(row.record, reader.kind, engine.links);
}

/** The history of one request, step by step. */
export async function readHistory(
  engine: Engine,
  act: Act,
  reader: Reader,
  choice: Choice,
): Promise<PaymentRequestEvent[]> {
  const row = await findCurrent(engine, act, reader, choice);
  return eventsOfRequest(engine.db, row.merchant_id, row.connection_id, row.request_id);
}

/** The request that the reader names. An ended one is closed before it is shown. */
export async function findCurrent(
  engine: Engine,
  act: Act,
  reader: Reader,
  choice: Choice,
): Promise<Omit<ListedRow, 'created_at'>> {
  const [row, other] = await find(engine, act, reader, choice);
  if (!row) throw notFound();
  if (other) throw new AppError('ambiguous_request_id');
  if (!row.is_ended) return row;
  await closeShown(engine, act, [row]);
  return findCurrent(engine, act, reader, choice);
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

/** An agent's read, as JSON text: one statement, shared with concurrent reads. */
export async function readForAgent(
  engine: Engine,
  act: Act,
  call: PermittedCall & { requestId: string; connectionId: string | null },
): Promise<string> {
  const { requestId } = call;
  const found = await engine.permissions.under(call, async (permission) => {
    const row = await engine.reads.run({ permission, requestId });
    return row && { permission, row };
  });
  if (!found || found.row.record === null) throw notFound();
  const { permission, row } = found;
  if (call.connectionId !== null && call.connectionId !== permission.connectionId) throw notFound();
  if (!row.is_ended) return row.record as string;
  const { merchantId, connectionId } = permission;
  await closeShown(engine, act, [
    { merchant_id: merchantId, connection_id: connectionId, request_id: requestId },
  ]);
  return readForAgent(engine, act, call);
}

/** The events of one request, oldest first. */
export async function eventsOfRequest(
  sql: Sql,
  merchantId: string,
  connectionId: string,
  requestId: string,
): Promise<PaymentRequestEvent[]> {
  const rows = await findEventsOfRequest(sql, merchantId, connectionId, requestId);
  return rows.map((event) => JSON.parse(event) as PaymentRequestEvent);
}
