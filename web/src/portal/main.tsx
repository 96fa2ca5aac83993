import { startPage } from '../ui/start.tsx';
import './portal.css';
import { Portal } from './shell/portal.tsx';

void startPage(<Portal />, () => import('../texts/de/portal.ts'));
