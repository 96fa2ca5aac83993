import { ECDH } from 'node:crypto';
import { decodeBase64Url, type Issue } from '@payassent/protocol';
import type { BodyOf, setPushSubscription } from '@payassent/protocol/api';
import type { Act } from '../../act.ts';
import type { Tx } from '../../db/open.ts';
import { notFound } from '../../errors.ts';
import { jobTopic } from '../../jobs/job.ts';
import type { Keys, Sealed } from '../../lib/keys.ts';
import type { WalletPrincipal } from '../../principals.ts';
import { auditActor, recordAudit } from '../audit/record.ts';
import { holdWallet } from '../callers/device-token.ts';
import { deleteSubscription, ownDevice } from '../wallets/subscriptions.ts';
import type { DeviceRow } from '../wallets/view.ts';
import { urlIssues } from '../webhooks/endpoints/schema.ts';
import { hostIn } from '../webhooks/send.ts';
import { upsertSubscription } from './sql.ts';

type PushInput = BodyOf<typeof setPushSubscription>;

const AUTH_BYTES = 16;

export function pushIssues(body: Partial<PushInput>, options: { allowLoopback: boolean }): Issue[] {
  const issues = urlIssues('endpoint', body.endpoint, options);
  const keys: Partial<PushInput['keys']> = body.keys ?? {};
  const refuse = (name: 'p256dh' | 'auth', what: string) =>
    issues.push({ field: `keys.${name}`, code: 'invalid_format', message: `${name} must be ${what}.` });
  if (typeof keys.p256dh === 'string' && !isPoint(decodeBase64Url(keys.p256dh)))
    refuse('p256dh', 'an uncompressed point of P-256: 65 bytes in base64url without padding');
  if (typeof keys.auth === 'string' && decodeBase64Url(keys.auth)?.length !== AUTH_BYTES)
    refuse('auth', `${AUTH_BYTES} bytes in base64url without padding`);
  return issues;
}

function isPoint(bytes: Uint8Array | undefined): boolean {
  if (bytes?.length !== 65 || bytes[0] !== 4) return false;
  try {
    // Reads the point, and rejects one that is not on the curve.
    ECDH.convertKey(bytes, 'prime256v1');
    return true;
  } catch {
    return false;
  }
}

export const PUSH_JOB = 'push';

interface PushParts {
  tx: Tx;
  act: Act;
  principal: WalletPrincipal;
  deviceId: string;
}

/** Of the calling device: no other device's notifications can be turned on or off. */
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
