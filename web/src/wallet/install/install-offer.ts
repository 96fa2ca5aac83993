import { useSyncExternalStore } from 'react';

/** The browser's own offer to install the page; only some browsers make it. */
interface InstallOffer extends Event {
  prompt(): Promise<unknown>;
}

const DISMISSED = 'payassent-install-dismissed';
const listeners = new Set<() => void>();
let offer: InstallOffer | undefined;

function keep(next: InstallOffer | undefined): void {
  offer = next;
  for (const listener of listeners) listener();
}

/** Called before anything is drawn: the offer comes once, and early. */
export function awaitInstallOffer(): void {
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    if (localStorage.getItem(DISMISSED) === null) keep(event as InstallOffer);
  });
  addEventListener('appinstalled', () => keep(undefined));
}

export function useInstallOffer(): { install(): void; dismiss(): void } | undefined {
  const made = useSyncExternalStore(subscribe, () => offer);
  if (made === undefined) return undefined;
  return {
    // A prompt works once, whatever the person answers.
    install: () => void made.prompt().finally(() => keep(undefined)),
    dismiss() {
      localStorage.setItem(DISMISSED, new Date().toISOString());
      keep(undefined);
    },
  };
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
