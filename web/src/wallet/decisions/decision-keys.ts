import { decodeBase64Url, encodeBase64Url } from '@payassent/protocol';
import { decisionKeyText, decisionKeyThumbprint } from '@payassent/protocol/evidence';
import {
  authorizeChange,
  ChangePendingError,
  type DecisionKeyEndorsement,
  type KeyChange,
  type WalletAuthorization,
  type WalletClient,
} from '@payassent/sdk';
import { deleteEntry, keysEntry, readEntry, writeEntry } from '../storage/database.ts';
import { baseUrl, type HeldKey, inTurn, makeBrowserKey, signWith } from './held-key.ts';

/** The keys in this browser: the one that the service accepts, and its replacement. */
interface StoredKeys {
  current?: HeldKey;
  /**
   * Stored before it is sent to the service, so that a lost response never leaves an accepted key without its private
   * half.
   */
  next?: HeldKey;
  /** The customer removed the key: the next start makes none either. */
  isRemoved?: boolean;
}

export interface KeyState {
  /** Signs decisions made here; undefined while this device has no key that the service accepts. */
  held: HeldKey | undefined;
  /** For another device of the wallet, which can endorse the new key; otherwise it takes effect after 24 hours. */
  request: string | undefined;
  /** Another device of the wallet has a key and this one has none yet: the service accepts no approval from here. */
  cannotApprove: boolean;
}

export interface ThisDevice {
  client: WalletClient;
  deviceId: string;
}

/** The key of this device: made now if there was none, and sent to the service until it has accepted it. */
export function openDecisionKey(device: ThisDevice): Promise<KeyState> {
  return exclusively(async () => {
    const stored = await read(device);
    const isNew = stored.current === undefined && stored.next === undefined && !stored.isRemoved;
    const next = stored.next ?? (isNew ? await makeBrowserKey(device.deviceId) : undefined);
    if (next === undefined) return openState(stored.current);
    await keep(device, { ...stored, next });
    return offerAgain(device, { ...stored, next });
  });
}

/** When the wallet opens: requests no passkey, and does not offer a key again that another device has cancelled. */
async function offerAgain(device: ThisDevice, stored: StoredKeys & { next: HeldKey }): Promise<KeyState> {
  const { current, next } = stored;
  if (!(await wasCancelled(device)) && current?.key.alg !== 'webauthn') return offer(device, stored);
  const thumbprint = decisionKeyThumbprint(next.key);
  if ((await acceptedThumbprint(device)) !== thumbprint) return waitingState(device, current, thumbprint);
  await keep(device, { current: next });
  return openState(next);
}

async function wasCancelled({ client, deviceId }: ThisDevice): Promise<boolean> {
  const changes = await client.pendingChanges.list();
  const last = changes.find(({ act, device_id }) => act === 'set_key' && device_id === deviceId);
  return last?.status === 'cancelled';
}

function openState(held: HeldKey | undefined): KeyState {
  return { held, request: undefined, cannotApprove: false };
}

/** While no device of the wallet has a key, this one decides without a signature. */
async function waitingState(
  device: ThisDevice,
  held: HeldKey | undefined,
  thumbprint: string,
): Promise<KeyState> {
  const cannotApprove = held === undefined && (await thumbprints(device)).size > 0;
  return { held, request: `key-request:${device.deviceId}:${thumbprint}`, cannotApprove };
}

/** A change, authorized by this device's decision key. Without one, the change waits for 24 hours. */
export async function authorized<T>(
  held: HeldKey | undefined,
  { deviceId }: Pick<ThisDevice, 'deviceId'>,
  change: KeyChange,
  call: (by: { authorization?: WalletAuthorization }) => Promise<T>,
): Promise<T> {
  if (held === undefined) return call({});
  const signer = { deviceId, sign: (text: string) => signWith(held, text) };
  return inTurn(held, async () =>
    call({ authorization: await authorizeChange(await baseUrl(), signer, change) }),
  );
}

/** The wallet then decides without a signature on this device, or not at all where another one has a key. */
export function removeDecisionKey(device: ThisDevice): Promise<void> {
  return exclusively(async () => {
    const { current } = await read(device);
    if (current === undefined) return;
    const thumbprint = decisionKeyThumbprint(current.key);
    const change: KeyChange = { act: 'remove_key', deviceId: device.deviceId, thumbprint };
    await authorized(current, device, change, (by) => device.client.devices.removeDecisionKey(by));
    await keep(device, { isRemoved: true });
  });
}

/** A new key in place of the previous one, which signs until the service has accepted the new one. */
export function replaceDecisionKey(device: ThisDevice, next: HeldKey): Promise<KeyState> {
  return exclusively(async () => {
    const stored = { ...(await withoutWaiting(device)), next };
    await keep(device, stored);
    return offer(device, stored);
  });
}

/** Gives up a replacement that no other device has endorsed. */
export function keepFormerKey(device: ThisDevice): Promise<void> {
  return exclusively(async () => {
    const { current } = await withoutWaiting(device);
    await (current === undefined
      ? deleteEntry('keys', keysEntry(device.deviceId))
      : keep(device, { current }));
  });
}

/** No key is deleted that the service may still accept: a pending one is cancelled first, or has taken effect. */
async function withoutWaiting(device: ThisDevice): Promise<StoredKeys> {
  const { next, ...stored } = await read(device);
  if (next === undefined) return stored;
  const { pendingChanges } = device.client;
  const waiting = (await pendingChanges.list()).find(
    ({ act, device_id, status }) =>
      act === 'set_key' && device_id === device.deviceId && status === 'pending',
  );
  if (waiting !== undefined) await pendingChanges.cancel(waiting.change_id);
  const isSet = (await acceptedThumbprint(device)) === decisionKeyThumbprint(next.key);
  return isSet ? { current: next } : stored;
}

/** Uses the other device's endorsement of the requested key. */
export function takeEndorsement(device: ThisDevice, answer: string): Promise<KeyState> {
  return exclusively(async () => offer(device, await read(device), endorsementIn(answer)));
}

class NotACodeError extends Error {}

const REQUEST = /^key-request:(dev_[0-9a-z]{26}):(sha256:[0-9a-f]{64})$/i;
const ANSWER = /^key-answer:([\w-]+)$/;

export function isKeyAnswer(text: string): boolean {
  return ANSWER.test(text);
}

/** The device that requests the endorsement. */
export function deviceAsking(request: string): string | undefined {
  return REQUEST.exec(request)?.[1];
}

/** Endorses the key of another device of the wallet. */
export async function endorse({ deviceId }: ThisDevice, by: HeldKey, request: string): Promise<string> {
  const [, askingId = '', thumbprint = ''] = REQUEST.exec(request) ?? [];
  if (askingId === '') throw new NotACodeError(request);
  const signed = await signWith(by, decisionKeyText(await baseUrl(), askingId, thumbprint));
  const endorsement: DecisionKeyEndorsement = { device_id: deviceId, ...signed };
  return `key-answer:${encodeBase64Url(new TextEncoder().encode(JSON.stringify(endorsement)))}`;
}

function endorsementIn(answer: string): DecisionKeyEndorsement {
  const bytes = decodeBase64Url(ANSWER.exec(answer)?.[1] ?? '');
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as DecisionKeyEndorsement;
  } catch (cause) {
    throw new NotACodeError(answer, { cause });
  }
}

async function offer(
  device: ThisDevice,
  { current, next }: StoredKeys,
  endorsement?: DecisionKeyEndorsement,
): Promise<KeyState> {
  if (next === undefined) return openState(current);
  const thumbprint = decisionKeyThumbprint(next.key);
  const { proof, key } = next;
  const change: KeyChange = { act: 'set_key', deviceId: device.deviceId, thumbprint };
  // A call whose response was lost may have set it already; the previous key then authorizes nothing.
  const isSet = current !== undefined && (await acceptedThumbprint(device)) === thumbprint;
  const set = (by: { authorization?: WalletAuthorization; endorsement?: DecisionKeyEndorsement }) =>
    device.client.devices.setDecisionKey({
      decision_key: key,
      proof: 'signature' in proof ? proof.signature : { webauthn: proof.webauthn },
      ...by,
    });
  try {
    if (!isSet)
      await (endorsement === undefined ? authorized(current, device, change, set) : set({ endorsement }));
  } catch (error) {
    if (!(error instanceof ChangePendingError)) throw error;
    return waitingState(device, current, thumbprint);
  }
  await keep(device, { current: next });
  return openState(next);
}

async function acceptedThumbprint(device: ThisDevice): Promise<string | undefined> {
  return (await thumbprints(device)).get(device.deviceId);
}

/** The thumbprints of the wallet's decision keys, by device. */
async function thumbprints({ client }: ThisDevice): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for await (const { device_id, status, decision_key } of client.devices.each({ limit: 100 }))
    if (status === 'active' && decision_key) found.set(device_id, decision_key.thumbprint);
  return found;
}

async function read({ deviceId }: ThisDevice): Promise<StoredKeys> {
  return (await readEntry<StoredKeys>('keys', keysEntry(deviceId))) ?? {};
}

function keep({ deviceId }: ThisDevice, stored: StoredKeys): Promise<void> {
  return writeEntry('keys', keysEntry(deviceId), stored);
}

/** One page of this browser at a time: two would make two keys. */
function exclusively<T>(act: () => Promise<T>): Promise<T> {
  return navigator.locks.request('decision key', act);
}
