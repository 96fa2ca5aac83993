import { startPage } from '../ui/start.tsx';
import { VerifyApp } from './app.tsx';

void startPage(<VerifyApp />, () => import('../texts/de/verify.ts'));
