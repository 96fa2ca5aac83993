import type { PaymentRequest } from '@payassent/protocol';
import type { Act } from '../../act.ts';
import { AppError, notFound } from '../../errors.ts';
import type { MerchantPrincipal, WalletPrincipal } from '../../http/principals.ts';
import type { Engine } from './engine.ts';
import type { HotCaller } from './gate-sql.ts';
import { settleShown } from './list.ts';
import { findForMerchant } from './read-sql.ts';
import { findForWallet } from './status-sql.ts';
import { paymentRequestView } from './view.ts';

/** Whose requests are read. */
export type Reader =
  | Pick<WalletPrincipal, 'kind' | 'walletId'>
  | Pick<MerchantPrincipal, 'kind' | 'merchantId'>;

/** One request for a wallet or a merchant. An agent's read is a hot path of its own. */
export async function readOne(
  engine: Engine,
  act: Act,
  reader: Reader,
  choice: { requestId: string; connectionId: string | null },
): Promise<PaymentRequest> {
  const [row, other] = await find(engine, act, reader, choice);
  if (!row) throw notFound();
  if (other) throw new AppError('ambiguous_request_id');
  if (!row.is_ended) return paymentRequestView(row.record, reader.kind);
  await settleShown(engine, act, [row]);
  return readOne(engine, act, reader, choice);
}

function find(
  engine: Engine,
  act: Act,
  reader: Reader,
  choice: { requestId: string; connectionId: string | null },
) {
  if (reader.kind === 'wallet') return findForWallet(engine.db, reader.walletId, choice, act.now);
  return findForMerchant(engine.db, reader.merchantId, choice, act.now);
}

/** An agent's read, as JSON text: one statement, credential included, shared with whoever reads at the same moment. */
export async function readForAgent(
  engine: Engine,
  act: Act,
  call: {
    caller: HotCaller;
    authenticate(): Promise<unknown>;
    requestId: string;
    connectionId: string | null;
  },
): Promise<string> {
  const { caller, requestId } = call;
  let row = await engine.reads.run({ caller, requestId });
  if (!row) {
    await call.authenticate();
    row = await engine.reads.run({ caller, requestId });
  }
  if (!row || row.record === null) throw notFound();
  if (call.connectionId !== null && call.connectionId !== row.connection_id) throw notFound();
  if (!row.is_ended) return row.record;
  const { merchant_id, connection_id } = row;
  await settleShown(engine, act, [{ merchant_id, connection_id, request_id: call.requestId }]);
  return readForAgent(engine, act, call);
}
