import type { Context } from '../context.ts';
import type { Principal } from './principals.ts';
import type { Route } from './route.ts';

/**
 * What a call can reach of the database follows from its credential, not from the statements of its feature: a second
 * wall between tenants. A wallet deals with many merchants, and a hot route proves its credential in its own statement.
 */
export function reachOf(context: Context, route: Route, principal: Principal): Context {
  if (route.crossesTenants !== undefined || !('merchantId' in principal)) return context;
  return { ...context, db: context.database.of(principal.merchantId) };
}
