import { createStore, useStore } from '../../ui/store.ts';

/** The browser's own offer to install the page; only some browsers make it. */
interface InstallOffer extends Event {
  prompt(): Promise<unknown>;
}

const DISMISSED = 'payassent-install-dismissed';
const offer = createStore<InstallOffer | 'by hand' | undefined>(undefined);

function keep(next: InstallOffer | 'by hand' | undefined): void {
  offer.set(isDismissed() ? undefined : next);
}

/** Called before anything is drawn: the offer comes once, and early. */
export function awaitInstallOffer(): void {
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    keep(event as InstallOffer);
  });
  addEventListener('appinstalled', () => keep(undefined));
  // Safari on iPhone and iPad makes no offer; only there this member exists.
  if ((navigator as { standalone?: boolean }).standalone === false) keep('by hand');
}

/** Also true where the browser forbids storage: a dismissal could not be stored there. */
function isDismissed(): boolean {
  try {
    return localStorage.getItem(DISMISSED) !== null;
  } catch {
    return true;
  }
}

/** Without `install` the customer has to use the browser's own menu. */
export function useInstallOffer(): { install?: () => void; dismiss(): void } | undefined {
  const made = useStore(offer);
  if (made === undefined) return undefined;
  return {
    // A prompt works once, whichever button the customer presses.
    ...(made === 'by hand' ? {} : { install: () => void made.prompt().finally(() => keep(undefined)) }),
    dismiss() {
      localStorage.setItem(DISMISSED, new Date().toISOString());
      keep(undefined);
    },
  };
}
