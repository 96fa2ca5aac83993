import type { IncomingMessage } from 'node:http';
import { isMutation } from '@payassent/protocol/api';
import type { Context } from '../context.ts';
import { AppError, merchantSuspended } from '../errors.ts';
import { equalInConstantTime } from '../lib/keys.ts';
import { type Presented, unauthenticated } from './credentials.ts';
import { headerValues } from './headers.ts';
import type { Kernel } from './kernel.ts';
import { isSameOrigin } from './origin.ts';
import type { Principal, Principals } from './principals.ts';
import { refuseByRole } from './roles.ts';
import type { Route } from './route.ts';

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
    throw new AppError('merchant_not_active');
  if (route.authority) refuseByRole(principal, route.authority.role);
}
