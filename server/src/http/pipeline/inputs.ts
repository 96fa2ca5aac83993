import type { IncomingMessage } from 'node:http';
import { findRiskyText, type Issue, parseStrictJsonBytes, type StrictJsonFault } from '@payassent/protocol';
import { isMutation } from '@payassent/protocol/api';
import { AppError } from '../../errors.ts';
import { REQUEST_SIZES } from '../../limits.ts';
import { headerText, headerValues } from '../headers.ts';
import type { Kernel } from '../kernel.ts';
import { publishedQuery } from '../openapi/documented.ts';
import type { Route } from '../route.ts';
import { compileValidator, MOST_ISSUES, unknownParameterIssues, type Validator } from '../validate.ts';
import type { RouteCall } from './call.ts';
import { compileQueryReader, type QueryReader, tooManyIssue } from './query.ts';

/** Reads the body: 400 `invalid_json`, or 415. Only an object has members. */
export function compileBodyReader(_kernel: Kernel, route: Route): ((call: RouteCall) => void) | undefined {
  const hasBody = isMutation(route.method);
  return (call) => {
    const { value, exact } = hasBody ? parseBody(call.request, call.incoming.body) : NO_BODY;
    call.parsed = value;
    call.members = isRecord(value) ? withExactNumbers(route, value, exact) : undefined;
  };
}

interface Judged {
  query: Record<string, unknown>;
  issues: Issue[];
}

type Judge = (call: RouteCall) => Judged;

/** All issues of query, key and body, in one list. */
export function compileJudging(kernel: Kernel, route: Route): Judge {
  const readQuery = compileQueryCheck(route);
  const findBodyIssues = isMutation(route.method) ? compileBodyCheck(kernel, route) : undefined;
  return ({ incoming, idempotencyKey, parsed, members }) => {
    const judged = readQuery(incoming.query);
    if (idempotencyKey !== undefined) judged.issues.push(...idempotencyKeyIssues(idempotencyKey));
    if (findBodyIssues) judged.issues.push(...findBodyIssues(parsed, members));
    return judged;
  };
}

/** Reads the query and lists its issues. */
function compileQueryCheck(route: Route): QueryReader {
  const read = compileQueryReader(route.query);
  const validate = route.query ? compileValidator(route.query) : undefined;
  const known = new Set(Object.keys(publishedQuery(route)));
  // MCP clients add their own parameters to its address.
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

/** No identifier contains U+0000, and the database rejects it in a query. */
export function namesNothing(params: Readonly<Record<string, string>>): boolean {
  for (const name in params) if (params[name]?.includes('\u0000')) return true;
  return false;
}

const NO_BODY: ReadJson = { value: {} };

/** Free-form members as they were written; all others are checked, and used, as JavaScript reads them. */
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

const MAX_DEPTH = REQUEST_SIZES.bodyDepth.count;

const MESSAGES: Record<StrictJsonFault, string> = {
  malformed: 'The body is not valid JSON in UTF-8 (without a byte order mark).',
  too_deep: `The body is nested deeper than ${MAX_DEPTH} levels.`,
  duplicate_key: 'A key appears twice in one object.',
  forbidden_character: 'A string contains U+0000 or a lone surrogate.',
  number_overflow: 'A number is too large; send it as a string.',
};

interface ReadJson {
  value: unknown;
  /** The same with numbers digit for digit; absent where that makes no difference. */
  exact?: unknown;
}

/** The body as a value, or 400 `invalid_json` with the reason. */
export function readJson(bytes: Uint8Array): ReadJson {
  const parsed = parseStrictJsonBytes(bytes, MAX_DEPTH, { keepsNumbers: true });
  if (parsed.ok) return parsed;
  throw new AppError('invalid_json', { message: MESSAGES[parsed.reason] });
}

type BodyCheck = (parsed: unknown, body: Record<string, unknown> | undefined) => Issue[];

/** Lists the issues that schema and `check` find in a body. */
export function compileBodyCheck({ context }: Kernel, route: Route): BodyCheck {
  const validate = route.body ? compileValidator(route.body) : refuseMembers;
  return (parsed, body) => {
    if (!body) return [{ field: 'body', code: 'invalid_type', message: 'The body must be a JSON object.' }];
    const found = validate(parsed);
    if (!route.check) return found;
    if (found.length === 0) return route.check(body, context);
    // Not all were found, so no member is known to be valid.
    if (found.length >= MOST_ISSUES) return found;
    const faulty = new Set(found.map((issue) => issue.field));
    // A member of the wrong form was sent: it must not also be reported as missing.
    const more = route.check(withoutFaulty(body, faulty), context);
    return [...found, ...more.filter((issue) => !faulty.has(issue.field))];
  };
}

/**
 * An invalid member is removed as a whole; of a list only the invalid item, which leaves a hole that iteration skips.
 */
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

/** A route without a body schema accepts an empty object. */
const refuseMembers: Validator = compileValidator({
  type: 'object',
  properties: {},
  additionalProperties: false,
} as never);

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const MAX_CODE_POINTS = REQUEST_SIZES.idempotencyKey.count;

/**
 * `X-Idempotency-Key`, `Idempotency-Key` and the body's `idempotency_key` are equivalent. Two that differ are rejected
 * before any other check; an empty one counts as absent. The IETF draft writes the value of `Idempotency-Key` in quotes
 * (a string of RFC 9651), which are not part of the key.
 */
export function readIdempotencyKey(
  request: IncomingMessage,
  body: Record<string, unknown> | undefined,
): string | undefined {
  const sent = new Set<string>();
  for (const value of headerValues(request, 'x-idempotency-key')) sent.add(headerText(value));
  const fromBody = body?.['idempotency_key'];
  if (typeof fromBody === 'string') sent.add(fromBody);
  // Equal to the other carriers byte for byte: its quotes are part of the key there, and so here.
  for (const value of headerValues(request, 'idempotency-key').map(headerText))
    if (!sent.has(value)) sent.add(unquoted(value));
  sent.delete('');
  if (sent.size > 1) throw new AppError('IDEMPOTENCY_KEY_MISMATCH', { field: 'idempotency_key' });
  return [...sent][0];
}

/** A value that is not a quoted string is the key itself. */
function unquoted(value: string): string {
  const [, inner] = /^"((?:[^"\\]|\\["\\])*)"$/u.exec(value) ?? [];
  return inner === undefined ? value : inner.replaceAll(/\\(["\\])/g, '$1');
}

function idempotencyKeyIssues(key: string): Issue[] {
  if ([...key].length > MAX_CODE_POINTS) {
    return [
      {
        field: 'idempotency_key',
        code: 'too_long',
        message: `idempotency_key must have at most ${MAX_CODE_POINTS} characters.`,
      },
    ];
  }
  // Characters that the database cannot store, and the replacement for header bytes that were not UTF-8.
  if (/[\u0000\uFFFD]/u.test(key)) {
    return [
      {
        field: 'idempotency_key',
        code: 'invalid_format',
        message: 'idempotency_key must be valid UTF-8 without U+0000.',
      },
    ];
  }
  // Merchants read it in the record.
  return findRiskyText(key, 'idempotency_key');
}
