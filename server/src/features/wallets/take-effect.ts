import type { Act } from '../../act.ts';
import { type Database, type Tx, transaction } from '../../db/open.ts';
import type { WalletPrincipal } from '../../principals.ts';
import { applyKey, endKey } from './decision-key.ts';
import { removeDevice } from './delete-device.ts';
import { lapseStale, recordEffect } from './pending-changes.ts';
import { type ChangeRow, hasDue, listDue, markEffective } from './pending-changes-sql.ts';
import { findDevice, lockWallet } from './sql.ts';

/** The endorsement of a key that no key of the wallet has authorized. */
const BY_DELAY = 'delay';

/**
 * Locks the wallet exclusively, and applies the changes whose delay has passed, in the order in which they took effect:
 * every act on the wallet's keys begins here, so that it finds the state that the clock implies. Returns whether the
 * last device was removed.
 */
export async function holdCurrent(tx: Tx, act: Act, walletId: string): Promise<boolean> {
  // Two devices that get their first keys concurrently: the second finds the first one's.
  await lockWallet(tx, walletId, 'exclusive');
  let wasLast = false;
  for (const change of await listDue(tx, walletId, act.now)) {
    await lapseStale(tx, act, walletId);
    if (!(await markEffective(tx, change.change_id, act.now))) continue;
    await recordEffect(tx, act, change);
    wasLast = (await carryOut(tx, act, change)) || wasLast;
  }
  return wasLast;
}

async function carryOut(tx: Tx, act: Act, change: ChangeRow): Promise<boolean> {
  const { wallet_id: walletId, requested_by, device_id: deviceId, key } = change;
  const principal: WalletPrincipal = { kind: 'wallet', walletId, deviceId: requested_by };
  const device = deviceId === null ? undefined : await findDevice(tx, walletId, deviceId);
  // A recovery code is made when the requesting device collects it.
  if (!device) return false;
  if (change.act === 'set_key' && key)
    await applyKey(tx, act, principal, device, { key, endorsedBy: BY_DELAY });
  if (change.act === 'remove_key') await endKey(tx, act, principal, device, BY_DELAY);
  return change.act === 'delete_device' && (await removeDevice(tx, act, principal, device)).wasLast;
}

/** Before a read, so that it shows the state that the clock implies. */
export async function takeEffect(db: Database, act: Act, walletId: string): Promise<boolean> {
  if (!(await hasDue(db, walletId, act.now))) return false;
  return transaction(db, (tx) => holdCurrent(tx, act, walletId));
}
