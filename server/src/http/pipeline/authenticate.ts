import type { IncomingMessage } from 'node:http';
import type { OperatorRole } from '@payassent/protocol';
import { hasRole, isMutation } from '@payassent/protocol/api';
import type { Config } from '../../config/index.ts';
import type { Context } from '../../context.ts';
import { type Database, guardedDatabase, type Tx } from '../../db/open.ts';
import { AppError, merchantSuspended } from '../../errors.ts';
import { equalInConstantTime } from '../../lib/keys.ts';
import type { OperatorPrincipal, Principal, Principals } from '../../principals.ts';
import { type Presented, unauthenticated } from '../credentials.ts';
import { headerValues } from '../headers.ts';
import type { Kernel } from '../kernel.ts';
import type { Route } from '../route.ts';

export interface Authenticated {
  principal: Principal;
  companion: Principals['api_key'] | undefined;
}

/** Credential 401, then CSRF and origin 403, then state and scope 403: always in this order. */
export async function authenticate(
  { context, authenticators, limiter }: Pick<Kernel, 'context' | 'authenticators' | 'limiter'>,
  route: Route,
  presented: Presented,
  request: IncomingMessage,
  now: Date,
): Promise<Authenticated> {
  const sender = { request, limiter };
  const primary = presented.primary
    ? await authenticators[presented.primary.kind](context, presented.primary, now, sender)
    : undefined;
  const key = presented.apiKey
    ? await authenticators.api_key(context, presented.apiKey, now, sender)
    : undefined;
  const principal = primary ?? key;
  if (!principal) throw unauthenticated();
  if (primary && key && 'merchantId' in primary && primary.merchantId !== key.merchantId)
    throw unauthenticated();
  if (principal.kind === 'merchant' && isMutation(route.method))
    refuseForgedCall(context, principal.csrfToken, request);
  refuseByState(route, principal);
  return { principal, companion: primary ? key : undefined };
}

export function refuseForeignOrigin(context: Context, request: IncomingMessage): void {
  if (!isSameOrigin(context.config, request)) {
    throw new AppError('csrf_invalid', { message: 'The request comes from another origin.' });
  }
}

function refuseForgedCall(context: Context, expected: string, request: IncomingMessage): void {
  refuseForeignOrigin(context, request);
  const sent = headerValues(request, 'x-csrf-token');
  const [token] = sent;
  if (sent.length !== 1 || token === undefined || !equalInConstantTime(token, expected))
    throw new AppError('csrf_invalid');
}

function refuseByState(route: Route, principal: Principal): void {
  if (principal.kind === 'merchant' || principal.kind === 'admin') refuseByMerchant(route, principal);
  if (route.scope && principal.kind === 'connection' && !principal.scopes.includes(route.scope)) {
    throw new AppError('insufficient_scope', {
      message: `This call needs the scope ${route.scope}.`,
      details: { required_scope: route.scope },
    });
  }
  if (route.needsOwnToken && principal.kind === 'connection' && principal.isShared) {
    throw new AppError('insufficient_scope', {
      message:
        "A wallet has seen this connection token, so it does not show the merchant's payees. Collect the agent's own token with POST /v1/connections/{id}/collect-token.",
      details: { reason: 'shared_token' },
    });
  }
}

function refuseByMerchant(route: Route, principal: Principals['merchant' | 'admin']): void {
  const { merchantStatus } = principal;
  if (merchantStatus === 'suspended' && !route.allowsSuspendedMerchant) throw merchantSuspended();
  if (merchantStatus === 'pending' && isMutation(route.method) && !route.allowsPendingMerchant)
    throw new AppError('merchant_not_active', {
      message:
        'This organization is pending: register a domain with POST /v1/merchant-domains and verify it first.',
    });
  if (route.authority) refuseByRole(principal, route.authority.role);
}

/**
 * What a call can see of the database follows from its credential, not from the statements of its feature: a second
 * barrier between tenants. A wallet deals with many merchants, and a hot route proves its credential in its own
 * statement.
 */
export function boundContext(context: Context, route: Route, principal: Principal): Context {
  if (!('merchantId' in principal)) return context;
  const db = route.crossesTenants === undefined ? context.database.of(principal.merchantId) : context.db;
  return { ...context, db: holdingRole(db, route, principal) };
}

/** A team member's change is carried out only while their role allows it, up to the moment of the commit. */
function holdingRole(db: Database, route: Route, principal: Principal): Database {
  const needed = route.authority?.role ?? 'viewer';
  if (principal.kind !== 'merchant' && principal.kind !== 'admin') return db;
  if (needed === 'viewer' || route.changesOperators || !isMutation(route.method)) return db;
  return guardedDatabase(db, (tx) => holdRole(tx, principal, needed));
}

/**
 * The last step of a change: the team member still has the role, and keeps it until the commit. A concurrent removal of
 * the role either waits for the change or aborts it. It comes last, so that nothing is waited for while the row is
 * locked.
 */
async function holdRole(tx: Tx, principal: OperatorPrincipal, needed: OperatorRole): Promise<void> {
  const [row] = await tx<{ role: OperatorRole }[]>`
    select role from merchant_operators
    where merchant_id = ${principal.merchantId} and account_id = ${principal.accountId} for share`;
  if (!row) throw new AppError('token_revoked');
  if (!hasRole(row.role, needed)) throw insufficientRole(needed);
}

function refuseByRole(principal: OperatorPrincipal, needed: OperatorRole): void {
  if (!hasRole(principal.role, needed)) throw insufficientRole(needed);
}

function insufficientRole(needed: OperatorRole): AppError {
  return new AppError('insufficient_role', {
    message: `This call needs the role ${needed} in this organization.`,
    details: { required_role: needed },
  });
}

/** Absent headers pass (not a browser); present ones must name this service. */
function isSameOrigin(
  config: Pick<Config, 'baseUrl' | 'baseUrlIsLoopback'>,
  request: IncomingMessage,
): boolean {
  if (headerValues(request, 'sec-fetch-site').some((site) => site === 'cross-site')) return false;
  return headerValues(request, 'origin').every((origin) => isOwnAddress(config, origin));
}

/** Equal to the base URL; on loopback the usual spellings of the same host count as one. */
function isOwnAddress(config: Pick<Config, 'baseUrl' | 'baseUrlIsLoopback'>, address: string): boolean {
  const trimmed = address.endsWith('/') ? address.slice(0, -1) : address;
  if (trimmed === config.baseUrl) return true;
  return config.baseUrlIsLoopback && plainLoopback(trimmed) === plainLoopback(config.baseUrl);
}

function plainLoopback(address: string): string {
  return address.replace(/^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(?=[:/]|$)/, 'http://loopback');
}
