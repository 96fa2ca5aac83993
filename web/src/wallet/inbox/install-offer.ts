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

/** Also where the browser forbids storage: a no could not be remembered there. */
function isDismissed(): boolean {
  try {
    return localStorage.getItem(DISMISSED) !== null;
  } catch {
    return true;
  }
}

/** Without `install` the person has to do it in the browser's own menu. */
export function useInstallOffer(): { install?: () => void; dismiss(): void } | undefined {
  const made = useStore(offer);
  if (made === undefined) return undefined;
  return {
    // A prompt works once, whatever the person answers.
    ...(made === 'by hand' ? {} : { install: () => void made.prompt().finally(() => keep(undefined)) }),
    dismiss() {
      localStorage.setItem(DISMISSED, new Date().toISOString());
      keep(undefined);
    },
  };
}
