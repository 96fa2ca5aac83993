import type { Database } from '../../server/src/db/open.ts';
import { patiently } from '../torture/run/stage.ts';
import type { Told } from './operator/load.ts';

/** What was acknowledged and is not there, or not as it was told. */
export async function missingAcknowledgements(db: Database, told: readonly Told[]): Promise<string[]> {
  const rows = await patiently(
    () => db<{ request_id: string; amount: string; status: string }[]>`
      select request_id, amount::text as amount, status from payment_requests`,
  );
  const stored = new Map(rows.map((row) => [row.request_id, row]));
  return told.flatMap(({ acknowledged }) =>
    [...acknowledged].flatMap(([id, { amount, status }]) => {
      const row = stored.get(id);
      if (!row) return [`${id} is gone`];
      if (Number(row.amount) !== Number(amount)) return [`${id} was ${amount} and is ${row.amount}`];
      return status === 'rejected' && row.status !== status ? [`${id} was ${status}, is ${row.status}`] : [];
    }),
  );
}
