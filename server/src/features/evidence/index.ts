import type { Feature } from '../../feature.ts';
import { evidenceRoutes } from './routes.ts';

export const evidenceFeature: Feature = { name: 'evidence', routes: evidenceRoutes };
