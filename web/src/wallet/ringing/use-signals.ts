import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useWallet } from '../session/session.tsx';
import { readEntry, writeEntry } from '../storage/database.ts';
import { keepRinging } from './push.ts';

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

/** With nothing left, what was shown while the page was closed goes too. */
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
