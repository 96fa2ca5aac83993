import type { IncomingMessage } from 'node:http';
import { exactJson, type Issue } from '@payassent/protocol';
import { authorityKey, isMutation } from '@payassent/protocol/api';
import { createAct } from '../act.ts';
import type { Context } from '../context.ts';
import { AppError, notFound, refuseWhenInvalid } from '../errors.ts';
import { refuseForeignOrigin } from './authenticate.ts';
import { RouteCall } from './call.ts';
import { countCall, countingStrangers, guarded, refuseSpentStranger } from './callers.ts';
import { readCredentials, SESSION_COOKIES } from './credentials.ts';
import { toAppError } from './errors.ts';
import { compileCarryOut, runOrKeep } from './four-eyes.ts';
import { idempotencyKeyIssues, readIdempotencyKey } from './idempotency.ts';
import { type ReadJson, readJson } from './json.ts';
import type { Handler, Kernel, Outgoing } from './kernel.ts';
import type { Principal } from './principals.ts';
import { compileQueryReader, type QueryReader, tooManyIssue } from './query.ts';
import { reachOf } from './reach.ts';
import { type Answer, isAnswer, type Route } from './route.ts';
import { refuseWithoutStepUp } from './step-up.ts';
import { compileValidator, identityIssues, type Validator } from './validate.ts';

/** Builds the way of one request through the checks, in the published order. Schemas are compiled here, once. */
export function compileRoute(kernel: Kernel, route: Route): Handler {
  const { context } = kernel;
  const findBodyIssues = isMutation(route.method) ? compileBodyCheck(context, route) : undefined;
  const readQuery = compileQueryCheck(route);
  const deferred = route.credentialCheck === 'statement';
  const cookieName = context.config.baseUrl.startsWith('https:')
    ? SESSION_COOKIES.https
    : SESSION_COOKIES.loopback;

  if (route.authority?.fourEyes)
    kernel.keptCalls.set(
      authorityKey(route),
      compileCarryOut(kernel, route, (body) => findBodyIssues?.(body, body) ?? []),
    );

  const run = route.authority?.fourEyes
    ? (call: RouteCall) => runOrKeep(kernel, route, call)
    : (call: RouteCall) => route.run(call);

  const handle: Handler = async (incoming) => {
    if (!kernel.isReady())
      throw new AppError('unavailable', {
        message: 'The service is starting; its database is not ready yet.',
      });
    const { request, query: rawQuery } = incoming;
    const act = createAct(context, incoming.requestId);
    refuseSpentStranger(kernel, route, request, act.now);
    const read = findBodyIssues ? parseBody(request, incoming.body) : NO_BODY;
    const parsed = read.value;
    const body = isRecord(parsed) ? withExactNumbers(route, parsed, read.exact) : undefined;
    const presented = readCredentials({
      request,
      accepted: route.credential,
      mayCarryKey: route.surface === 'second',
      query: rawQuery,
      body,
      cookieName,
    });
    if (incoming.provedBy !== undefined && presented.primary) presented.primary.provedBy = incoming.provedBy;
    const check = guarded(kernel, route, incoming, presented, act.now);
    const proved = route.credential.length > 0 && !deferred ? await check() : undefined;
    if (proved) refuseByFactors(route, proved.principal, body ?? {}, act.now);
    const reach = proved ? reachOf(context, route, proved.principal) : context;
    if (namesNothing(incoming.params)) {
      if (deferred) await check();
      throw notFound();
    }
    if (route.sameOriginOnly) refuseForeignOrigin(context, request);
    const counted = countCall(kernel, route, incoming, { presented, proved, check }, act.now);
    const rate = counted && (await counted);
    if (route.screen) {
      const { principal, companion } = proved ?? {};
      const { params } = incoming;
      await route.screen({
        context: reach,
        principal,
        companion,
        params,
        body: body ?? {},
        query: rawQuery,
      });
    }
    const idempotencyKey = route.idempotent
      ? await readKey(request, body, deferred ? check : undefined)
      : undefined;
    const { query, issues } = readQuery(rawQuery);
    if (idempotencyKey !== undefined) issues.push(...idempotencyKeyIssues(idempotencyKey));
    if (findBodyIssues) issues.push(...findBodyIssues(parsed, body));
    if (!route.collectsIssues && issues.length > 0) {
      if (deferred) await check();
      refuseWhenInvalid(issues);
    }
    const parts = {
      kernel,
      context: reach,
      act,
      incoming,
      presented,
      proved,
      check,
      body,
      query,
      issues,
      idempotencyKey,
    };
    const call = new RouteCall(route, parts);
    try {
      const result = await run(call);
      return toOutgoing(kernel, route, result, rate?.headers, incoming.requestId);
    } finally {
      call.end();
    }
  };
  return observed(kernel, route, countingStrangers(kernel, route, handle));
}

function refuseByFactors(
  route: Route,
  principal: Principal,
  body: Readonly<Record<string, unknown>>,
  now: Date,
): void {
  if (route.authority?.stepUp && (principal.kind === 'merchant' || principal.kind === 'admin'))
    refuseWithoutStepUp(route, principal, body, now);
}

/** Costs a service that nobody observes nothing. */
function observed(kernel: Kernel, route: Route, handle: Handler): Handler {
  const { observe } = kernel;
  if (!observe) return handle;
  return async (incoming) => {
    const outcome = await handle(incoming).catch((error: unknown) => {
      observe(route, incoming, toAppError(error));
      throw error;
    });
    observe(route, incoming, outcome);
    return outcome;
  };
}

/** Reads the query and lists what is wrong with it. */
function compileQueryCheck(route: Route): QueryReader {
  const read = compileQueryReader(route.query);
  const validate = route.query ? compileValidator(route.query) : undefined;
  const known = new Set(Object.keys((route.query as { properties?: object } | undefined)?.properties ?? {}));
  return (raw) => {
    const tooMany = tooManyIssue(raw);
    if (tooMany) return { query: {}, issues: [tooMany] };
    const { query, issues: misread } = read(raw);
    const issues = identityIssues(raw, known);
    issues.push(...misread);
    const unread = new Set(misread.map((issue) => issue.field));
    for (const issue of validate?.(query) ?? []) if (!unread.has(issue.field)) issues.push(issue);
    return { query, issues };
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
  for (const name in params) if (params[name]?.includes('\u0000')) return true;
  return false;
}

const NO_BODY: ReadJson = { value: {} };

/** Free-form members as they were written; all others are judged, and used, as JavaScript reads them. */
function withExactNumbers(
  { freeForm }: Route,
  body: Record<string, unknown>,
  exact: unknown,
): Record<string, unknown> {
  if (!freeForm || !isRecord(exact)) return body;
  if (freeForm === 'every member') return exact;
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, freeForm.includes(name) ? exact[name] : value]),
  );
}

function parseBody(request: IncomingMessage, bytes: Buffer | undefined): ReadJson {
  if (!bytes || bytes.length === 0) return NO_BODY;
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

type BodyCheck = (parsed: unknown, body: Record<string, unknown> | undefined) => Issue[];

/** Lists what schema and `check` find in a body. */
function compileBodyCheck(context: Context, route: Route): BodyCheck {
  const validate = route.body ? compileValidator(route.body) : refuseMembers;
  return (parsed, body) => {
    if (!body) return [{ field: 'body', code: 'invalid_type', message: 'The body must be a JSON object.' }];
    const found = validate(parsed);
    if (!route.check) return found;
    if (found.length === 0) return route.check(body, context);
    const faulty = new Set(found.map((issue) => issue.field));
    // A member that has the wrong form was sent: nobody should read that it is missing too.
    const more = route.check(withoutFaulty(body, faulty), context);
    return [...found, ...more.filter((issue) => !faulty.has(issue.field))];
  };
}

/** A faulty member goes as a whole; of a list only the faulty item, which leaves a hole that iteration passes over. */
function withoutFaulty(
  body: Readonly<Record<string, unknown>>,
  faulty: ReadonlySet<string>,
): Record<string, unknown> {
  const sound: Record<string, unknown> = { ...body };
  const copies = new Map<string, unknown[]>();
  for (const field of faulty) {
    const [, name = '', index] = /^([^.[]+)(?:\[(\d+)\])?/.exec(field) ?? [];
    const list = sound[name];
    if (index === undefined || !Array.isArray(list)) {
      delete sound[name];
      continue;
    }
    const copy = copies.get(name) ?? list.slice();
    copies.set(name, copy);
    delete copy[Number(index)];
    sound[name] = copy;
  }
  return sound;
}

/** A route without a body schema takes an empty object. */
const refuseMembers: Validator = compileValidator({
  type: 'object',
  properties: {},
  additionalProperties: false,
} as never);

function toOutgoing(
  kernel: Kernel,
  route: Route,
  result: Answer | Record<string, unknown>,
  rateHeaders: Record<string, string> | undefined,
  requestId: string,
): Outgoing {
  const given: Answer = isAnswer(result) ? result : { body: result };
  const status = given.status ?? route.status ?? 200;
  const headers =
    (rateHeaders && given.headers ? { ...rateHeaders, ...given.headers } : given.headers) ?? rateHeaders;
  if (given.stream) return { status, headers, text: '', stream: given.stream };
  const members = typeof given.body === 'string' ? given.body : exactJson(given.body);
  const text = route.isBare ? members : inEnvelope(kernel, route, members, requestId);
  return { status, headers, text };
}

function inEnvelope(kernel: Kernel, { surface }: Route, members: string, requestId: string): string {
  return surface === 'first' ? firstEnvelope(members) : secondEnvelope(kernel, members, requestId);
}

/** `{"ok":true,…}`: the members follow as they are written. */
function firstEnvelope(members: string): string {
  return members === '{}' ? '{"ok":true}' : `{"ok":true,${members.slice(1)}`;
}

function secondEnvelope(kernel: Kernel, members: string, requestId: string): string {
  const timestamp = kernel.context.clock.now().toISOString();
  return `{"success":true,"data":${members},"request_id":${JSON.stringify(requestId)},"timestamp":"${timestamp}"}`;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
