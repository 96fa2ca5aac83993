import { isMutation } from '@payassent/protocol/api';
import type { Context } from '../context.ts';
import { type Database, guardedDatabase } from '../db/open.ts';
import type { Principal } from './principals.ts';
import { holdRole } from './roles.ts';
import type { Route } from './route.ts';

/**
 * What a call can reach of the database follows from its credential, not from the statements of its feature: a second
 * wall between tenants. A wallet deals with many merchants, and a hot route proves its credential in its own statement.
 */
export function boundContext(context: Context, route: Route, principal: Principal): Context {
  if (!('merchantId' in principal)) return context;
  const db = route.crossesTenants === undefined ? context.database.of(principal.merchantId) : context.db;
  return { ...context, db: holdingRole(db, route, principal) };
}

/** A change by an operator is carried out only while its role allows it, to the moment of the commit. */
function holdingRole(db: Database, route: Route, principal: Principal): Database {
  const needed = route.authority?.role ?? 'viewer';
  if (principal.kind !== 'merchant' && principal.kind !== 'admin') return db;
  if (needed === 'viewer' || route.changesOperators || !isMutation(route.method)) return db;
  return guardedDatabase(db, (tx) => holdRole(tx, principal, needed));
}
