import type { Act } from '../../act.ts';
import type { Tx } from '../../db/open.ts';
import { connectionTopic } from '../callers/topics.ts';
import type { SettlementChange } from '../observations/watch.ts';
import { queueWebhooks } from '../webhooks/queue.ts';
import { insertEvents } from './event-sql.ts';
import { settleHeldSpend } from './moved.ts';
import { selectOwn } from './sql.ts';
import { paymentView } from './view.ts';

/** Records the event and webhook of a settlement change; the locked payment keeps its status. */
export async function tellPayment(tx: Tx, act: Act, change: SettlementChange): Promise<void> {
  const payment = await selectOwn(tx, change.merchantId, change.recordId);
  if (!payment) return;
  const [event] = await insertEvents(tx, [
    {
      payment,
      previous: payment.status,
      actor: 'observer',
      isTakeover: false,
      eventId: act.newId('evt'),
      settlement: { state: change.state, number: change.number, at: act.now },
    },
  ]);
  if (!event) return;
  const { type, event_id: eventId, sequence } = event;
  const data = { agent_payment: paymentView(payment) };
  await queueWebhooks(tx, act, [{ merchantId: change.merchantId, type, eventId, sequence, data }]);
  await settleHeldSpend(tx, payment, change.state);
  tx.afterCommit(() => act.announce(connectionTopic(payment.connection_id)));
}
