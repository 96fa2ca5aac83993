import { startPage } from '../ui/start.tsx';
import { WalletApp } from './app.tsx';
import { awaitInstallOffer } from './install/install-offer.ts';
import { registerWorker } from './worker.ts';
import './wallet.css';

awaitInstallOffer();
void startPage(<WalletApp />, () => import('../texts/de/wallet.ts'));
registerWorker();
