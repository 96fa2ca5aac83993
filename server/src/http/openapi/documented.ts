import type { ErrorCode } from '@payassent/protocol';
import { ApprovalAnswer, type CredentialKind, isMutation } from '@payassent/protocol/api';
import { Type } from '@payassent/protocol/records';
import type { TProperties, TSchema } from 'typebox';
import type { PublishedRoute } from '../route.ts';

/*
 * How a route may be called and what it may return, read from its declaration. The OpenAPI document is written from
 * this, and the tests check every response against it: what is missing here fails there.
 */

const WAITS = 202;

/** The first is the one for a created record, where there is such a difference. */
/** 202 last: a second owner has to decide, or the change takes effect later. */
export function successStatuses(route: PublishedRoute): number[] {
  const known = route.idempotent ? 200 : route.statusWhenKnown;
  const waiting = waitingAnswer(route) ? [WAITS] : [];
  return [...new Set([route.status ?? 200, ...(known === undefined ? [] : [known]), ...waiting])];
}

/** The members of a success. */
export function answerOf(route: PublishedRoute, status: number): TSchema {
  return (status === WAITS ? waitingAnswer(route) : undefined) ?? route.answer;
}

/** The members of a response to a change that is pending; undefined where there is none. */
export function waitingAnswer(route: PublishedRoute): TSchema | undefined {
  return route.authority?.fourEyes ? ApprovalAnswer : route.waits;
}

/** What the check of each kind of credential can return next to `unauthenticated`. */
const BY_CREDENTIAL: Record<CredentialKind, readonly ErrorCode[]> = {
  merchant: ['token_expired', 'token_revoked'],
  agent: ['token_expired', 'token_revoked', 'agent_not_active', 'merchant_not_active'],
  claim: ['token_revoked', 'agent_not_active', 'merchant_not_active'],
  connection: [
    'token_rotated',
    'token_revoked',
    'agent_not_active',
    'merchant_not_active',
    'proof_required',
    'proof_invalid',
    'rate_limited',
  ],
  wallet: ['token_rotated', 'token_revoked'],
  api_key: ['token_revoked', 'agent_not_active', 'merchant_not_active'],
  admin: ['token_expired', 'token_revoked'],
};

/** The codes that the declared checks can return, and those that the route adds. */
export function refusalsOf(route: PublishedRoute): ReadonlySet<ErrorCode> {
  const codes = new Set<ErrorCode>([
    'internal_error',
    'unavailable',
    'validation_failed',
    // Even for a route without a limit: unknown callers are counted by their address everywhere.
    'rate_limited',
  ]);
  const add = (...more: readonly ErrorCode[]) => {
    for (const code of more) codes.add(code);
  };
  add(...(route.errors ?? []));
  const changes = isMutation(route.method);
  if (changes) add('invalid_json', 'payload_too_large', 'unsupported_media_type');
  if (route.credential.length > 0) add('unauthenticated');
  for (const kind of route.credential) add(...BY_CREDENTIAL[kind]);
  // A key may accompany a human credential there, and is checked with it.
  if (route.surface === 'second') add(...BY_CREDENTIAL.api_key);
  const takes = (kind: CredentialKind) => route.credential.includes(kind);
  if (route.sameOriginOnly || (takes('merchant') && changes)) add('csrf_invalid');
  if ((takes('merchant') || takes('admin')) && !route.allowsSuspendedMerchant) add('merchant_not_active');
  if ((route.authority?.role ?? 'viewer') !== 'viewer') add('insufficient_role');
  if (route.authority?.stepUp) add('step_up_required');
  if (route.authority?.fourEyes) add('second_person_required', 'limit_reached');
  if (route.scope && takes('connection')) add('insufficient_scope');
  if (route.idempotent) add('idempotency_key_required', 'IDEMPOTENCY_KEY_MISMATCH', 'idempotency_key_reused');
  if (route.path.includes('{')) add('resource_not_found');
  if ('cursor' in (route.query?.properties ?? {})) add('invalid_cursor');
  return codes;
}

const DEVICE_FIELDS: TProperties = {
  device_id: Type.Optional(
    Type.String({
      description: 'With `token`: no header.',
    }),
  ),
  token: Type.Optional(
    Type.String({
      description: 'The device token, `svc_dt_…`.',
    }),
  ),
};

const BOTH_OR_NEITHER = { dependentRequired: { device_id: ['token'], token: ['device_id'] } };

/** The body as it may be sent: with the wallet's fields, which are removed before the route's schema is applied. */
export function publishedBody(route: PublishedRoute): TSchema | undefined {
  if (!isMutation(route.method)) return undefined;
  if (!route.credential.includes('wallet')) return route.body;
  const body: { properties: TProperties } = route.body ?? Type.Object({}, { additionalProperties: false });
  return { ...body, properties: { ...body.properties, ...DEVICE_FIELDS }, ...BOTH_OR_NEITHER };
}

/** Query parameters as they may be sent, by name. */
export function publishedQuery(route: PublishedRoute): TProperties {
  const takesDevice =
    route.credential.includes('wallet') && (route.method === 'GET' || route.method === 'DELETE');
  return { ...route.query?.properties, ...(takesDevice ? DEVICE_FIELDS : {}) };
}
