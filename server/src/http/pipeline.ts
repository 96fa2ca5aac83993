import type { IncomingMessage } from 'node:http';
import type { Issue } from '@countersign/protocol';
import { createAct } from '../act.ts';
import type { Context } from '../context.ts';
import { AppError, notFound, refuseWhenInvalid } from '../errors.ts';
import {
  type Authenticated,
  type Authenticators,
  authenticate,
  refuseForeignOrigin,
} from './authenticate.ts';
import { type Presented, readCredentials, SESSION_COOKIES } from './credentials.ts';
import { headerValues } from './headers.ts';
import { idempotencyKeyIssues, readIdempotencyKey } from './idempotency.ts';
import { readJson } from './json.ts';
import type { CredentialKind, Principal } from './principals.ts';
import { type RawQuery, readQuery } from './query.ts';
import type { RateLimiter } from './rate-limit.ts';
import { type Answer, type Call, isAnswer, isMutation, type Route } from './route.ts';
import { compileValidator, identityIssues, type Validator } from './validate.ts';

export interface Kernel {
  context: Context;
  authenticators: Authenticators;
  limiter: RateLimiter;
  /** False until the database has been reached and its schema is up to date. */
  isReady(): boolean;
  clientAddress(peer: string, forwardedFor: string | undefined): string;
  /** Sees every success before it leaves; tests hold it against the published schema. */
  observe?(route: Route, status: number, body: Record<string, unknown>): void;
}

export interface Incoming {
  request: IncomingMessage;
  requestId: string;
  params: Readonly<Record<string, string>>;
  query: RawQuery;
  body: Buffer | undefined;
}

export interface Outgoing {
  status: number;
  headers: Record<string, string>;
  body: Record<string, unknown>;
}

export type Handler = (incoming: Incoming) => Promise<Outgoing>;

/** Builds the way of one request through the checks, in the published order. Schemas are compiled here, once. */
export function compileRoute(kernel: Kernel, route: Route): Handler {
  const validateBody = route.body ? compileValidator(route.body) : undefined;
  const validateQuery = route.query ? compileValidator(route.query) : undefined;
  const known = new Set(Object.keys((route.query as { properties?: object } | undefined)?.properties ?? {}));
  const cookieName = kernel.context.config.baseUrl.startsWith('https:')
    ? SESSION_COOKIES.https
    : SESSION_COOKIES.loopback;

  return async (incoming) => {
    const { context } = kernel;
    if (!kernel.isReady())
      throw new AppError('unavailable', {
        message: 'The service is starting; its database is not ready yet.',
      });
    const { request, query: rawQuery } = incoming;
    const parsed = isMutation(route.method) ? parseBody(request, incoming.body) : {};
    const body = isRecord(parsed) ? parsed : undefined;
    const presented = readCredentials({
      request,
      accepted: route.credential,
      mayCarryKey: route.surface === 'second',
      query: rawQuery,
      body,
      cookieName,
    });
    const act = createAct(context, incoming.requestId);
    const check = () => authenticate(context, kernel.authenticators, route, presented, request, act.now);
    const deferred = route.credentialCheck === 'statement';
    const proved = route.credential.length > 0 && !deferred ? await check() : undefined;
    if (namesNothing(incoming.params)) {
      if (deferred) await check();
      throw notFound();
    }
    if (route.sameOriginOnly) refuseForeignOrigin(context, request);
    const address = kernel.clientAddress(
      request.socket.remoteAddress ?? '',
      headerValues(request, 'x-forwarded-for').join(','),
    );
    const rate = route.limit
      ? await kernel.limiter.take(route.limit, subjectOf(proved, presented, address), act.now)
      : undefined;

    if (route.screen) {
      const { principal, companion } = proved ?? {};
      await route.screen({ context, principal, companion, body: body ?? {}, query: rawQuery });
    }
    const idempotencyKey = route.idempotent
      ? await readKey(request, body, deferred ? check : undefined)
      : undefined;
    const { query, issues: queryIssues } = readQuery(rawQuery, route.query);
    const issues = [
      ...identityIssues(rawQuery, known),
      ...queryIssues,
      ...(validateQuery?.(query) ?? []).filter(
        (issue) => !queryIssues.some((other) => other.field === issue.field),
      ),
      ...(route.idempotent ? idempotencyKeyIssues(idempotencyKey) : []),
      ...bodyIssues(context, route, validateBody, parsed, body),
    ];
    if (!route.collectsIssues && issues.length > 0) {
      if (deferred) await check();
      refuseWhenInvalid(issues);
    }
    const afterwards: Array<() => void> = [];
    const call = createCall({
      context,
      afterwards,
      limiter: kernel.limiter,
      act,
      proved,
      presented,
      check,
      body,
      query,
      issues,
      idempotencyKey,
      address,
      incoming,
    });
    try {
      return toOutgoing(kernel, route, await route.run(call), rate?.headers, incoming.requestId);
    } finally {
      for (const action of afterwards) action();
    }
  };
}

/** A mismatch is told only to a caller whose credential passes. */
async function readKey(
  request: IncomingMessage,
  body: Record<string, unknown> | undefined,
  check: (() => Promise<unknown>) | undefined,
): Promise<string | undefined> {
  try {
    return readIdempotencyKey(request, body);
  } catch (mismatch) {
    await check?.();
    throw mismatch;
  }
}

/** No identifier contains U+0000, and the database cannot even be asked for one. */
function namesNothing(params: Readonly<Record<string, string>>): boolean {
  return Object.values(params).some((value) => value.includes('\u0000'));
}

function parseBody(request: IncomingMessage, bytes: Buffer | undefined): unknown {
  if (!bytes || bytes.length === 0) return {};
  const type = request.headers['content-type'] ?? '';
  if (!/^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i.test(type)) {
    throw new AppError('unsupported_media_type', {
      message: 'Send JSON with Content-Type: application/json.',
    });
  }
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new AppError('unsupported_media_type', { message: 'Send the body uncompressed.' });
  }
  return readJson(bytes);
}

function bodyIssues(
  context: Context,
  route: Route,
  validate: Validator | undefined,
  parsed: unknown,
  body: Record<string, unknown> | undefined,
): Issue[] {
  if (!isMutation(route.method)) return [];
  if (!body) return [{ field: 'body', code: 'invalid_type', message: 'The body must be a JSON object.' }];
  const found = (validate ?? refuseMembers)(parsed);
  if (!route.check) return found;
  const sound: Record<string, unknown> = { ...body };
  for (const issue of found) takeOut(sound, issue.field);
  // A member that has the wrong form was sent: nobody should read that it is missing too.
  const faulty = new Set(found.map((issue) => issue.field));
  return [...found, ...route.check(sound, context).filter((issue) => !faulty.has(issue.field))];
}

/** A faulty member goes as a whole; of a list only the faulty item, which leaves a hole that iteration passes over. */
function takeOut(sound: Record<string, unknown>, field: string): void {
  const [, name = '', index] = /^([^.[]+)(?:\[(\d+)\])?/.exec(field) ?? [];
  const list = sound[name];
  if (index === undefined || !Array.isArray(list)) {
    delete sound[name];
    return;
  }
  const items: unknown[] = list.slice();
  delete items[Number(index)];
  sound[name] = items;
}

/** A route without a body schema takes an empty object. */
const refuseMembers: Validator = compileValidator({
  type: 'object',
  properties: {},
  additionalProperties: false,
} as never);

function subjectOf(proved: Authenticated | undefined, presented: Presented, address: string): string {
  const principal: Principal | undefined = proved?.principal;
  switch (principal?.kind) {
    case 'agent':
    case 'api_key':
      return principal.agentId;
    case 'merchant':
    case 'admin':
      return principal.sessionId;
    case 'connection':
      return principal.connectionId;
    case 'wallet':
      return principal.deviceId;
    case 'claim':
      return principal.invitationId;
    default:
      return presented.primary?.tokenHash ?? presented.apiKey?.tokenHash ?? address;
  }
}

interface CallParts {
  context: Context;
  /** Done when the call is over, however it ends. */
  afterwards: Array<() => void>;
  limiter: RateLimiter;
  act: Call<CredentialKind, unknown, unknown>['act'];
  proved: Authenticated | undefined;
  presented: Presented;
  check: () => Promise<Authenticated>;
  body: Record<string, unknown> | undefined;
  query: Record<string, unknown>;
  issues: Issue[];
  idempotencyKey: string | undefined;
  address: string;
  incoming: Incoming;
}

function createCall(parts: CallParts): Call<CredentialKind, unknown, unknown> {
  const { proved, incoming } = parts;
  let controller: AbortController | undefined;
  return {
    context: parts.context,
    act: parts.act,
    // Routes without a credential declare no kinds, so their `principal` has the type `never` and is never read.
    principal: proved?.principal as Principal,
    companion: proved?.companion,
    body: parts.body ?? {},
    query: parts.query,
    params: incoming.params,
    idempotencyKey: parts.idempotencyKey,
    issues: parts.issues,
    presented: parts.presented.primary ?? parts.presented.apiKey,
    authenticate: async () => (await parts.check()).principal,
    limit: async (name, subject) => {
      await parts.limiter.take(name, subject, parts.act.now);
    },
    clientAddress: parts.address,
    request: incoming.request,
    get hungUp() {
      if (!controller) {
        controller = new AbortController();
        const abort = () => controller?.abort();
        const { socket } = incoming.request;
        socket.once('close', abort);
        // A socket that is kept alive serves many calls; each leaves nothing behind.
        parts.afterwards.push(() => socket.removeListener('close', abort));
      }
      return controller.signal;
    },
  };
}

function toOutgoing(
  kernel: Kernel,
  route: Route,
  result: Answer | Record<string, unknown>,
  rateHeaders: Record<string, string> | undefined,
  requestId: string,
): Outgoing {
  const given: Answer = isAnswer(result) ? result : { body: result };
  const status = given.status ?? route.status ?? 200;
  const body =
    route.surface === 'first'
      ? { ok: true, ...given.body }
      : {
          success: true,
          data: given.body,
          request_id: requestId,
          timestamp: kernel.context.clock.now().toISOString(),
        };
  kernel.observe?.(route, status, body);
  return { status, headers: { ...rateHeaders, ...given.headers }, body };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
