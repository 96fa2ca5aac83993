import type { Act } from '../../act.ts';
import type { Database } from '../../db/open.ts';
import { notFound } from '../../errors.ts';
import type { Position } from '../../page.ts';
import {
  type ProjectCaller,
  type ProjectReader,
  reachOf,
  refuseForeignKey,
  withMerchant,
} from '../project-access/reach.ts';
import { closeSeen } from './close.ts';
import { refuseOtherIntent } from './create.ts';
import type { PaymentInput } from './schema.ts';
import { type PaymentFilter, selectByKey, selectPayment, selectPayments } from './sql.ts';
import type { PaymentRow } from './view.ts';

export async function readPayment(
  db: Database,
  act: Act,
  caller: ProjectReader,
  paymentId: string,
): Promise<PaymentRow> {
  const row = await selectPayment(db, reachOf(caller), paymentId);
  if (!row) throw notFound();
  refuseForeignKey(caller, row.merchant_id);
  return (await closeSeen(db, act, [row])) ? readPayment(db, act, caller, paymentId) : row;
}

/** One page and a row more, read again until every ended payment on it is closed. */
export async function listPayments(
  db: Database,
  act: Act,
  caller: ProjectReader,
  filter: PaymentFilter,
  page: { after: Position | undefined; limit: number },
): Promise<PaymentRow[]> {
  const reach = withMerchant(reachOf(caller), caller.companion?.merchantId);
  const rows = await selectPayments(db, reach, filter, page, act.now);
  return (await closeSeen(db, act, rows)) ? listPayments(db, act, caller, filter, page) : rows;
}

/** The payment that this key already has, in its current state; undefined when the key is new. */
export async function replayPayment(
  db: Database,
  act: Act,
  caller: ProjectCaller,
  merchantId: string,
  input: PaymentInput,
  key: string,
): Promise<PaymentRow | undefined> {
  const row = await selectByKey(db, withMerchant(reachOf(caller), merchantId), input.connection_id, key);
  if (!row) return undefined;
  refuseForeignKey(caller, row.merchant_id);
  refuseOtherIntent(row, input);
  return readPayment(db, act, caller, row.agent_payment_id);
}
