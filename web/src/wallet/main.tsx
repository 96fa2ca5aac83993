import { language } from '../texts/language.ts';
import { PAGE_SHOWN } from '../ui/page.tsx';
import { startPage } from '../ui/start.tsx';
import { WalletApp } from './app.tsx';
import { awaitInstallOffer } from './inbox/install-offer.ts';
import './wallet.css';

awaitInstallOffer();
void startPage(<WalletApp />, () => import('../texts/de/wallet.ts'));
registerWorker();

/**
 * The worker caches the static files, so that the wallet opens without a network; it is optional. It fetches all of
 * them, so it starts when the first page is shown: on a slow line that page comes first. Its address names the language
 * of its notifications, which it also needs while no page is open.
 */
function registerWorker(): void {
  if (!('serviceWorker' in navigator)) return;
  const script = `/web/wallet-worker.js${language === 'en' ? '' : `?language=${language}`}`;
  const register = () =>
    navigator.serviceWorker.register(script, { scope: '/wallet' }).catch(() => undefined);
  addEventListener(PAGE_SHOWN, register, { once: true });
}
