import type { IncomingMessage } from 'node:http';
import type { RateLimitName } from '@payassent/protocol/api';
import { AppError } from '../errors.ts';
import { networkOf } from '../lib/client-address.ts';
import { type Authenticated, authenticate } from './authenticate.ts';
import { clientAddressOf } from './call.ts';
import type { Presented } from './credentials.ts';
import type { Handler, Incoming, Kernel } from './kernel.ts';
import type { Principal, TokenOwner } from './principals.ts';
import type { RateState } from './rate-limit.ts';
import type { Route } from './route.ts';

/** Counts a call against the limit of its route; refuses with 429. */
export function countCall(
  kernel: Kernel,
  route: Route,
  incoming: Incoming,
  caller: Caller,
  now: Date,
): Promise<RateState | undefined> | undefined {
  const limit = limitOf(route, caller.proved?.principal);
  return limit && kernel.limiter.has(limit) ? countUnder(limit, kernel, incoming, caller, now) : undefined;
}

interface Caller {
  presented: Presented;
  proved: Authenticated | undefined;
  check: () => Promise<Authenticated>;
}

async function countUnder(
  limit: RateLimitName,
  kernel: Kernel,
  incoming: Incoming,
  { presented, proved, check }: Caller,
  now: Date,
): Promise<RateState | undefined> {
  const { limiter } = kernel;
  const subject = proved
    ? subjectOf(proved.principal, limit)
    : await subjectOfUnproved(kernel, incoming, presented, check);
  const state = await limiter.take(limit, subject, now);
  if (limit === 'wallet_mutations') await limiter.take('wallet_mutations_daily', subject, now);
  return state;
}

function limitOf({ limit }: Route, principal: Principal | undefined): RateLimitName | undefined {
  if (limit === undefined || typeof limit === 'string') return limit;
  return principal && limit[principal.kind];
}

/** Whose calls a limit counts together. */
function subjectOf(principal: Principal, limit?: RateLimitName): string {
  switch (principal.kind) {
    case 'agent':
    case 'api_key':
      return principal.agentId;
    case 'merchant':
    case 'admin':
      return principal.sessionId;
    case 'connection':
      return principal.connectionId;
    case 'wallet':
      // What a wallet may change does not grow with its devices.
      return limit === 'wallet_mutations' ? principal.walletId : principal.deviceId;
    case 'claim':
      return principal.invitationId;
  }
}

function ownerOf(principal: Principal): TokenOwner {
  const subject = subjectOf(principal);
  if (principal.kind !== 'connection') return { subject };
  return { subject, place: { connectionId: principal.connectionId, agentId: principal.agentId } };
}

/**
 * The same before the credential is checked, and without a credential. A connection has one budget whatever its token:
 * the first call of a token finds out whose it is. What proves nothing is never counted as a caller of its own.
 */
async function subjectOfUnproved(
  kernel: Kernel,
  { request }: Incoming,
  { primary, apiKey }: Presented,
  check: () => Promise<Authenticated>,
): Promise<string> {
  const tokenHash = primary?.tokenHash ?? apiKey?.tokenHash;
  if (tokenHash === undefined) return networkOf(clientAddressOf(kernel, request));
  return kernel.owners.get(tokenHash)?.subject ?? subjectOf((await check()).principal);
}

/** The check of the credential. From an address that has used up its share only those are looked up that were good before. */
export function guarded(
  kernel: Kernel,
  route: Route,
  { request }: Incoming,
  presented: Presented,
  now: Date,
): () => Promise<Authenticated> {
  const { limiter, owners } = kernel;
  const tokenHash = presented.primary?.tokenHash ?? presented.apiKey?.tokenHash ?? '';
  return async () => {
    const isKnown = owners.get(tokenHash) !== undefined;
    if (!isKnown && limiter.refusesSomebody('anonymous', now))
      limiter.refuseWhenSpent('anonymous', networkOf(clientAddressOf(kernel, request)), now);
    const found = await authenticate(kernel, route, presented, request, now);
    if (!isKnown) owners.set(tokenHash, ownerOf(found.principal));
    return found;
  };
}

/** Anyone who shows no credential, or an unknown one, is counted by address: each try costs a body or a statement. */
export function countingStrangers(kernel: Kernel, route: Route, handle: Handler): Handler {
  if (route.credential.length === 0 || !kernel.limiter.has('anonymous')) return handle;
  return (incoming) =>
    handle(incoming).catch(async (error: unknown) => {
      if (error instanceof AppError && error.code === 'unauthenticated')
        await countAnonymous(kernel, incoming.request);
      throw error;
    });
}

const CREDENTIAL_HEADERS = ['authorization', 'x-svc-api-key', 'cookie'] as const;

/**
 * Spares the reading of a body that comes without a credential from an address that has used up its share. A wallet's
 * credential may stand in the body, so calls that take one are judged later.
 */
export function refuseSpentStranger(
  kernel: Kernel,
  { credential }: Route,
  request: IncomingMessage,
  now: Date,
): void {
  const { limiter } = kernel;
  if (credential.length === 0 || credential.includes('wallet') || !limiter.has('anonymous')) return;
  if (!limiter.refusesSomebody('anonymous', now)) return;
  if (CREDENTIAL_HEADERS.some((name) => request.headers[name] !== undefined)) return;
  limiter.refuseWhenSpent('anonymous', networkOf(clientAddressOf(kernel, request)), now);
}

/** A call without a credential, counted before its body is read. */
export async function countAnonymous(kernel: Kernel, request: IncomingMessage): Promise<void> {
  const network = networkOf(clientAddressOf(kernel, request));
  await kernel.limiter.take('anonymous', network, kernel.context.clock.now());
}
