import type { IncomingMessage } from 'node:http';
import type { RateLimitName } from '@payassent/protocol/api';
import type { Act } from '../../act.ts';
import { AppError } from '../../errors.ts';
import { networkOf } from '../../lib/client-address.ts';
import type { Principal, TokenOwner } from '../../principals.ts';
import type { Presented } from '../credentials.ts';
import { headerLines } from '../headers.ts';
import type { Handler, Incoming, Kernel } from '../kernel.ts';
import type { RateState } from '../limits/index.ts';
import type { Route } from '../route.ts';
import { type Authenticated, authenticate } from './authenticate.ts';

/** The part of a call that identifies the caller. */
interface Caller {
  kernel: Kernel;
  route: Route;
  incoming: Incoming;
  act: Pick<Act, 'now'>;
  /** The credential as sent. */
  sent: Presented;
  /** Set once it has been checked. */
  proved: Authenticated | undefined;
  check(): Promise<Authenticated>;
}

/** Counts a call against the limit of its route; throws 429. */
export function countCall(caller: Caller): Promise<RateState | undefined> | undefined {
  const limit = limitOf(caller.route, caller.proved?.principal);
  return limit && caller.kernel.limiter.has(limit) ? countUnder(limit, caller) : undefined;
}

async function countUnder(limit: RateLimitName, caller: Caller): Promise<RateState | undefined> {
  const { proved, act } = caller;
  const { limiter } = caller.kernel;
  const subject = proved ? subjectOf(proved.principal, limit) : await subjectOfUnproved(caller);
  const state = await limiter.take(limit, subject, act.now);
  if (limit === 'wallet_mutations') await limiter.take('wallet_mutations_daily', subject, act.now);
  return state;
}

function limitOf({ limit }: Route, principal: Principal | undefined): RateLimitName | undefined {
  if (limit === undefined || typeof limit === 'string') return limit;
  return principal && limit[principal.kind];
}

/** The subject whose calls a limit counts together. */
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
      // A wallet's budget for changes does not grow with its devices.
      return limit === 'wallet_mutations' ? principal.walletId : principal.deviceId;
    case 'claim':
      return principal.invitationId;
  }
}

function ownerOf(principal: Principal): TokenOwner {
  const subject = subjectOf(principal);
  if (principal.kind !== 'connection') return { subject };
  const { merchantId, agentId, connectionId } = principal;
  return { subject, place: { merchantId, agentId, connectionId } };
}

/**
 * The same before the credential is checked, and without a credential. A connection has one budget whatever its token:
 * the first call of a token determines its connection. What proves nothing is never counted as a separate caller.
 */
async function subjectOfUnproved(caller: Caller): Promise<string> {
  const { kernel, incoming, sent } = caller;
  const hash = tokenHashOf(sent);
  if (hash === undefined) return networkOf(clientAddressOf(kernel, incoming.request));
  return kernel.owners.get(hash)?.subject ?? subjectOf((await caller.check()).principal);
}

export function tokenHashOf({ primary, apiKey }: Presented): string | undefined {
  return primary?.tokenHash ?? apiKey?.tokenHash;
}

/**
 * Checks the credential. From an address that has used up its share only credentials that were valid before are
 * checked.
 */
export async function checkCredential(caller: Omit<Caller, 'check'>): Promise<Authenticated> {
  const { kernel, route, incoming, sent, act } = caller;
  const { limiter, owners } = kernel;
  const hash = tokenHashOf(sent) ?? '';
  const isKnown = owners.get(hash) !== undefined;
  if (!isKnown && limiter.refusesSomebody('anonymous', act.now))
    limiter.refuseWhenSpent('anonymous', networkOf(clientAddressOf(kernel, incoming.request)), act.now);
  const found = await authenticate(kernel, route, sent, incoming.request, act.now);
  if (!isKnown) owners.set(hash, ownerOf(found.principal));
  return found;
}

/**
 * A caller without a credential, or with an unknown one, is counted by address: each try costs a body or a statement.
 */
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
 * Avoids reading a body without a credential from an address that has used up its share. A wallet's credential may be
 * in the body, so calls that accept one are checked later.
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

export function clientAddressOf(kernel: Kernel, request: IncomingMessage): string {
  return kernel.clientAddress(
    request.socket.remoteAddress ?? '',
    headerLines(request, 'x-forwarded-for').join(','),
  );
}
