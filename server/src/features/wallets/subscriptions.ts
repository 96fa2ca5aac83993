import type { Sql, Tx } from '../../db/open.ts';
import { notFound } from '../../errors.ts';
import { findDevice } from './sql.ts';
import type { DeviceRow } from './view.ts';

/** Every way in which subscriptions end, so that the device's own row always agrees. */
export async function deleteSubscriptions(sql: Sql, which: ReturnType<Sql>): Promise<number> {
  const result = await sql`
    with gone as (delete from push_subscriptions where ${which} returning device_id)
    update devices set has_push = false where device_id in (select device_id from gone)`;
  return result.count;
}

export async function deleteSubscription(tx: Tx, deviceId: string): Promise<boolean> {
  return (await deleteSubscriptions(tx, tx`device_id = ${deviceId}`)) > 0;
}

/** The device as its owner reads it. */
export async function ownDevice(tx: Tx, walletId: string, deviceId: string): Promise<DeviceRow> {
  const device = await findDevice(tx, walletId, deviceId);
  if (!device) throw notFound();
  return device;
}
