import type { Act } from '../../act.ts';
import type { Tx } from '../../db/open.ts';
import { notFound } from '../../errors.ts';
import type { WalletPrincipal } from '../../http/principals.ts';
import { jobTopic } from '../../jobs/job.ts';
import type { Keys, Sealed } from '../../lib/keys.ts';
import { auditActor, recordAudit } from '../audit/record.ts';
import { holdWallet } from '../callers/device-token.ts';
import { deleteSubscription, ownDevice } from '../wallets/subscriptions.ts';
import type { DeviceRow } from '../wallets/view.ts';
import { hostIn } from '../webhooks/send.ts';
import type { PushInput } from './input.ts';
import { upsertSubscription } from './sql.ts';

export const PUSH_JOB = 'push';

export interface PushParts {
  tx: Tx;
  act: Act;
  principal: WalletPrincipal;
  deviceId: string;
}

/** Of the device that asks: no other one can be made to ring, or to fall silent. */
export async function subscribe(parts: PushParts, keys: Keys, input: PushInput): Promise<DeviceRow> {
  const { tx, act, principal } = parts;
  await holdOwn(parts);
  await upsertSubscription(tx, principal, sealSubscription(keys, principal.deviceId, input), act.now);
  tx.afterCommit(() => act.announce(jobTopic(PUSH_JOB)));
  return recorded(parts, 'device.push_set', { host: hostIn(input.endpoint) });
}

export async function unsubscribe(parts: PushParts): Promise<DeviceRow> {
  const { tx, principal } = parts;
  await holdOwn(parts);
  if (await deleteSubscription(tx, principal.deviceId)) return recorded(parts, 'device.push_removed', {});
  return ownDevice(tx, principal.walletId, principal.deviceId);
}

async function holdOwn({ tx, principal, deviceId }: PushParts): Promise<void> {
  if (deviceId !== principal.deviceId) throw notFound();
  await holdWallet(tx, principal);
}

async function recorded(
  parts: PushParts,
  type: 'device.push_set' | 'device.push_removed',
  details: Record<string, string>,
): Promise<DeviceRow> {
  const { tx, act, principal, deviceId } = parts;
  await recordAudit(tx, act, {
    merchantId: null,
    type,
    actor: auditActor(principal),
    target: { type: 'device', id: deviceId },
    details: { wallet_id: principal.walletId, ...details },
  });
  return ownDevice(tx, principal.walletId, principal.deviceId);
}

/** The device's id is sealed in, so that a box copied to another row does not open. */
function sealSubscription(keys: Keys, deviceId: string, input: PushInput): Sealed {
  return keys.seal('push-subscription', Buffer.from(JSON.stringify(input), 'utf8'), deviceId);
}

export function openSubscription(keys: Keys, deviceId: string, sealed: Sealed): PushInput {
  return JSON.parse(keys.open('push-subscription', sealed, deviceId).toString('utf8'));
}
