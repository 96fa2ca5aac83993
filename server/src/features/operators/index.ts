import type { Feature } from '../feature.ts';
import { operatorRoutes } from './routes.ts';

/** The people who work for an organization, and their roles. */
export const operatorsFeature = (): Feature => ({
  name: 'operators',
  routes: operatorRoutes,
});
