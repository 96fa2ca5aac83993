import { startPage } from '../ui/start.tsx';
import { VerifyApp } from './app.tsx';

startPage(<VerifyApp />);
