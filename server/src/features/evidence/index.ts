import type { Engine } from '../../payments/index.ts';
import type { Feature } from '../feature.ts';
import type { LogSigner } from '../transparency-log/checkpoint.ts';
import { evidenceRoutes } from './routes.ts';

export const evidenceFeature = (parts: { engine: Engine; log: LogSigner }): Feature => ({
  name: 'evidence',
  routes: evidenceRoutes(parts),
});
