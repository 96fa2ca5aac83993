import { decodeBase64Url, encodeBase64Url } from '@payassent/protocol';
import { decisionKeyText, decisionKeyThumbprint } from '@payassent/protocol/evidence';
import { type DecisionKeyEndorsement, isApiError, type WalletClient } from '@payassent/sdk';
import { deleteEntry, keysEntry, readEntry, writeEntry } from '../storage/database.ts';
import { baseUrl, type HeldKey, makeBrowserKey, signWith } from './held-key.ts';

/** What this browser keeps: the key that the service knows, and one that is to take its place. */
interface StoredKeys {
  current?: HeldKey;
  /** Kept before the service hears of it, so that no lost answer leaves a wallet whose key is nowhere. */
  next?: HeldKey;
}

export interface KeyState {
  /** Signs what is decided here; undefined while this device has no key that the service accepts. */
  held: HeldKey | undefined;
  /** For another device of the wallet, which has to vouch for the new key. */
  request: string | undefined;
}

export interface ThisDevice {
  client: WalletClient;
  deviceId: string;
}

/** The key of this device, made now when there was none, and told to the service until it has accepted it. */
export function openDecisionKey(device: ThisDevice): Promise<KeyState> {
  return exclusively(async () => {
    const stored = await read(device);
    const isNew = stored.current === undefined && stored.next === undefined;
    const next = stored.next ?? (isNew ? await makeBrowserKey(device.deviceId) : undefined);
    if (next === undefined) return { held: stored.current, request: undefined };
    await keep(device, { ...stored, next });
    return offer(device, { ...stored, next });
  });
}

/** A new key in place of the former one, which signs on until the service has accepted the new one. */
export function replaceDecisionKey(device: ThisDevice, next: HeldKey): Promise<KeyState> {
  return exclusively(async () => {
    const stored = { ...(await read(device)), next };
    await keep(device, stored);
    return offer(device, stored);
  });
}

/** Gives up a replacement that no other device has vouched for. */
export function keepFormerKey(device: ThisDevice): Promise<void> {
  return exclusively(async () => {
    const { current } = await read(device);
    await (current === undefined
      ? deleteEntry('keys', keysEntry(device.deviceId))
      : keep(device, { current }));
  });
}

/** What another device answered to the request. */
export function takeEndorsement(device: ThisDevice, answer: string): Promise<KeyState> {
  return exclusively(async () => offer(device, await read(device), endorsementIn(answer)));
}

class NotACodeError extends Error {}

const REQUEST = /^key-request:(dev_[0-9a-z]{26}):(sha256:[0-9a-f]{64})$/i;
const ANSWER = /^key-answer:([\w-]+)$/;

export function isKeyAnswer(text: string): boolean {
  return ANSWER.test(text);
}

/** Which device asks for the signature of this one. */
export function deviceAsking(request: string): string | undefined {
  return REQUEST.exec(request)?.[1];
}

/** Vouches for the key of another device of the wallet. */
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
  if (next === undefined) return { held: current, request: undefined };
  const thumbprint = decisionKeyThumbprint(next.key);
  const { proof, key } = next;
  try {
    await device.client.devices.setDecisionKey({
      decision_key: key,
      proof: 'signature' in proof ? proof.signature : { webauthn: proof.webauthn },
      ...(endorsement === undefined ? {} : { endorsement }),
    });
  } catch (error) {
    if (!isApiError(error, 'decision_signature_required')) throw error;
    // It may have been accepted already by a call whose answer was lost.
    if ((await acceptedThumbprint(device)) !== thumbprint)
      return { held: current, request: `key-request:${device.deviceId}:${thumbprint}` };
  }
  await keep(device, { current: next });
  return { held: next, request: undefined };
}

async function acceptedThumbprint({ client, deviceId }: ThisDevice): Promise<string | undefined> {
  for await (const { device_id, decision_key } of client.devices.each({ limit: 100 }))
    if (device_id === deviceId) return decision_key?.thumbprint;
  return undefined;
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
