import { startPage } from '../ui/start.tsx';
import { WalletApp } from './app.tsx';
import { registerWorker } from './worker.ts';
import './wallet.css';

startPage(<WalletApp />);
registerWorker();
