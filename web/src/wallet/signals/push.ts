import { decodeBase64Url, encodeBase64Url } from '@payassent/protocol';
import type { WalletClient } from '@payassent/sdk';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useWallet } from '../session/session.tsx';
import { deleteEntry, readEntry, writeEntry } from '../storage/database.ts';

type Ringing = 'unsupported' | 'denied' | 'off' | 'on';

/** The subscription that the service has. It is deleted with the device's other entries. */
interface Kept {
  endpoint: string;
  publicKey: string;
}

const ENTRY = 'ringing';
const SCOPE = '/wallet';

/** The browser has no way to its push service. */
export class NoPushServiceError extends Error {
  override readonly name = 'NoPushServiceError';
}

async function manager(): Promise<PushManager | undefined> {
  if (!('serviceWorker' in navigator) || !('PushManager' in globalThis) || !('Notification' in globalThis))
    return undefined;
  return (await navigator.serviceWorker.getRegistration(SCOPE))?.pushManager;
}

export async function readRinging(): Promise<Ringing> {
  if ((await manager()) === undefined) return 'unsupported';
  if (Notification.permission === 'denied') return 'denied';
  return (await readEntry<Kept>('device', ENTRY)) === undefined ? 'off' : 'on';
}

/** Only after a tap: the browser prompts the customer. */
export async function startRinging(client: WalletClient): Promise<Ringing> {
  if ((await Notification.requestPermission()) !== 'granted') return readRinging();
  await subscribe(client, (await client.devices.pushKey()).public_key);
  return 'on';
}

export async function stopRinging(client: WalletClient): Promise<Ringing> {
  await client.devices.deletePush();
  await deleteEntry('device', ENTRY);
  await (await (await manager())?.getSubscription())?.unsubscribe();
  return 'off';
}

/** At every start: the browser may have made another subscription, and the service may have another key. */
async function keepRinging(client: WalletClient): Promise<void> {
  const kept = await readEntry<Kept>('device', ENTRY);
  const push = await manager();
  if (kept === undefined || push === undefined || Notification.permission !== 'granted') return;
  const { public_key: publicKey } = await client.devices.pushKey();
  const present = await push.getSubscription();
  if (present?.endpoint !== kept.endpoint || kept.publicKey !== publicKey) await subscribe(client, publicKey);
}

async function subscribe(client: WalletClient, publicKey: string): Promise<void> {
  const push = await manager();
  const applicationServerKey = decodeBase64Url(publicKey);
  if (push === undefined || applicationServerKey === undefined) throw new NoPushServiceError();
  const former = await push.getSubscription();
  // A subscription holds on to the key it was made with.
  if (former !== null && keyOf(former) !== publicKey) await former.unsubscribe();
  const made = await push
    .subscribe({ userVisibleOnly: true, applicationServerKey: new Uint8Array(applicationServerKey) })
    .catch(() => {
      throw new NoPushServiceError();
    });
  const { endpoint = '', keys = {} } = made.toJSON();
  await client.devices.setPush({
    endpoint,
    keys: { p256dh: keys['p256dh'] ?? '', auth: keys['auth'] ?? '' },
  });
  await writeEntry<Kept>('device', ENTRY, { endpoint, publicKey });
}

function keyOf({ options }: PushSubscription): string {
  return encodeBase64Url(new Uint8Array(options.applicationServerKey ?? new ArrayBuffer(0)));
}

const SOUND = 'sound';
const TONE = { frequencyHz: 660, lengthS: 0.35, volume: 0.15 };

export function soundQuery() {
  return {
    queryKey: ['sound'],
    queryFn: async () => (await readEntry<boolean>('device', SOUND)) ?? false,
  };
}

export function keepSound(isOn: boolean): Promise<void> {
  return writeEntry('device', SOUND, isOn);
}

/** While the page is open: the count in the title and on the app's icon, and a tone for what is new. */
export function useSignals(waiting: number): void {
  const client = useWallet();
  const hasSound = useQuery(soundQuery()).data ?? false;
  const former = useRef(waiting);
  // What fails here is tried again at the next start; the wallet works without it.
  useEffect(() => void keepRinging(client).catch(() => undefined), [client]);
  useEffect(() => keepCountInTitle(waiting), [waiting]);
  useEffect(() => {
    void showBadge(waiting).catch(() => undefined);
    if (hasSound && waiting > former.current) void playTone().catch(() => undefined);
    former.current = waiting;
  }, [waiting, hasSound]);
}

/** Each page names itself when it is there, so the count follows the title instead of setting it. */
function keepCountInTitle(waiting: number): () => void {
  const name = () => document.title.replace(/^\(\d+\) /, '');
  const show = () => {
    const title = waiting > 0 ? `(${waiting}) ${name()}` : name();
    if (document.title !== title) document.title = title;
  };
  show();
  const observer = new MutationObserver(show);
  observer.observe(document.head, { childList: true, subtree: true, characterData: true });
  return () => observer.disconnect();
}

/** With nothing left, notifications from while the page was closed are removed too. */
async function showBadge(waiting: number): Promise<void> {
  if (waiting > 0) return navigator.setAppBadge?.(waiting);
  await navigator.clearAppBadge?.();
  const registration = await navigator.serviceWorker?.getRegistration('/wallet');
  for (const notification of (await registration?.getNotifications()) ?? []) notification.close();
}

export async function playTone(): Promise<void> {
  const audio = new AudioContext();
  const tone = audio.createOscillator();
  const volume = audio.createGain();
  tone.frequency.value = TONE.frequencyHz;
  volume.gain.setValueAtTime(TONE.volume, audio.currentTime);
  volume.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + TONE.lengthS);
  tone.connect(volume).connect(audio.destination);
  tone.onended = () => void audio.close();
  tone.start();
  tone.stop(audio.currentTime + TONE.lengthS);
}
