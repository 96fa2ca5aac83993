import type { IncomingMessage } from 'node:http';
import type { Issue } from '@payassent/protocol';
import { isMutation } from '@payassent/protocol/api';
import { type Act, createAct } from '../act.ts';
import { AppError } from '../errors.ts';
import { refuseSpentStranger } from './callers.ts';
import { type Presented, readCredentials, SESSION_COOKIES } from './credentials.ts';
import { publishedQuery } from './documented.ts';
import { idempotencyKeyIssues } from './idempotency.ts';
import { type ReadJson, readJson } from './json.ts';
import type { Incoming, Kernel } from './kernel.ts';
import { compileQueryReader, type QueryReader, tooManyIssue } from './query.ts';
import type { Route } from './route.ts';
import { compileValidator, MOST_ISSUES, unknownParameterIssues, type Validator } from './validate.ts';

/** What a call carries, before anything of it is believed. */
export interface Carried {
  act: Act;
  /** The body as it was read; `body` is the same where it is an object. */
  parsed: unknown;
  body: Record<string, unknown> | undefined;
  presented: Presented;
}

/** The first steps of every call: is there a database, may this address still ask, body, credential as sent. */
export function compileReading(kernel: Kernel, route: Route): (incoming: Incoming) => Carried {
  const { context } = kernel;
  const hasBody = isMutation(route.method);
  const cookieName = context.config.baseUrl.startsWith('https:')
    ? SESSION_COOKIES.https
    : SESSION_COOKIES.loopback;
  return (incoming) => {
    if (!kernel.isReady())
      throw new AppError('unavailable', {
        message: 'The service is starting; its database is not ready yet.',
      });
    const { request, query } = incoming;
    const act = createAct(context, incoming.requestId);
    refuseSpentStranger(kernel, route, request, act.now);
    const read = hasBody ? parseBody(request, incoming.body) : NO_BODY;
    const parsed = read.value;
    const body = isRecord(parsed) ? withExactNumbers(route, parsed, read.exact) : undefined;
    const presented = readCredentials({
      request,
      accepted: route.credential,
      mayCarryKey: route.surface === 'second',
      query,
      body,
      cookieName,
    });
    if (incoming.provedBy !== undefined && presented.primary) presented.primary.provedBy = incoming.provedBy;
    return { act, parsed, body, presented };
  };
}

export interface Judged {
  query: Record<string, unknown>;
  issues: Issue[];
}

type Judge = (
  incoming: Incoming,
  carried: Pick<Carried, 'parsed' | 'body'>,
  idempotencyKey: string | undefined,
) => Judged;

/** Everything that is wrong with query, key and body, in one list. Schemas are compiled here, once. */
export function compileJudging(kernel: Kernel, route: Route): Judge {
  const readQuery = compileQueryCheck(route);
  const findBodyIssues = isMutation(route.method) ? compileBodyCheck(kernel, route) : undefined;
  return ({ query: raw }, { parsed, body }, idempotencyKey) => {
    const judged = readQuery(raw);
    if (idempotencyKey !== undefined) judged.issues.push(...idempotencyKeyIssues(idempotencyKey));
    if (findBodyIssues) judged.issues.push(...findBodyIssues(parsed, body));
    return judged;
  };
}

/** Reads the query and lists what is wrong with it. */
function compileQueryCheck(route: Route): QueryReader {
  const read = compileQueryReader(route.query);
  const validate = route.query ? compileValidator(route.query) : undefined;
  const known = new Set(Object.keys(publishedQuery(route)));
  // Clients of MCP add parameters of their own to its address.
  const isOpen = !route.path.startsWith('/v1/');
  return (raw) => {
    const tooMany = tooManyIssue(raw);
    if (tooMany) return { query: {}, issues: [tooMany] };
    const { query, issues: misread } = read(raw);
    const issues = unknownParameterIssues(raw, known, isOpen);
    issues.push(...misread);
    for (const issue of validate?.(query) ?? [])
      if (!misread.some(({ field }) => field === issue.field)) issues.push(issue);
    return { query, issues };
  };
}

/** No identifier contains U+0000, and the database cannot even be asked for one. */
export function namesNothing(params: Readonly<Record<string, string>>): boolean {
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
export function compileBodyCheck({ context }: Kernel, route: Route): BodyCheck {
  const validate = route.body ? compileValidator(route.body) : refuseMembers;
  return (parsed, body) => {
    if (!body) return [{ field: 'body', code: 'invalid_type', message: 'The body must be a JSON object.' }];
    const found = validate(parsed);
    if (!route.check) return found;
    if (found.length === 0) return route.check(body, context);
    // Not all were found, so no member is known to be sound.
    if (found.length >= MOST_ISSUES) return found;
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

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
