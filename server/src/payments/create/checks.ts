import {
  allowAddresses,
  checkFreeForm,
  findForeignAddresses,
  fitsPrecision,
  fractionDigits,
  type Issue,
  isAmount,
} from '@payassent/protocol';
import { idIssues, UNREACHABLE_IDS } from '../../features/transaction-contexts/ids.ts';
import { addMs, DAY_MS, HOUR_MS } from '../../lib/clock.ts';
import type { CreateInput } from '../input.ts';
import type { PayeeFacts } from './payees.ts';

/** A body as sent: any member may be missing or of any type. */
export type RawBody = Readonly<Record<string, unknown>>;

const FREE_FORM = ['source', 'display', 'metadata'] as const;
const NAMES_OF_CALLER = ['request_id', 'transaction_id', 'idempotency_key'] as const;
const FREE_FORM_RULES = { maxBytes: 8192, maxDepth: 8 } as const;
const MAX_LIFE_MS = 366 * DAY_MS;
export const DEFAULT_LIFE_MS = HOUR_MS;

const FACTS = new Set(
  ['network', 'asset', 'address', 'to', 'memo', 'contract', 'issuer', 'rail', 'decimals', 'chain_id'].flatMap(
    (name) => [name, `payment.${name}`],
  ),
);
const READ_ONLY = new Set([
  'payee',
  'status',
  'created_at',
  'updated_at',
  'state_version',
  'is_final',
  'tx_hash',
  'reason',
  'transaction_context',
]);
const ID_FIELDS = [
  ['request_id', new Set(['events', 'preview', ...UNREACHABLE_IDS])],
  ['transaction_id', UNREACHABLE_IDS],
] as const;

/** All issues that the body alone shows, in one list. `found` are the schema's. */
export function bodyIssues(body: RawBody, found: readonly Issue[]): Issue[] {
  const issues = found.filter((issue) => !isEchoOfType(issue, found)).map(named);
  const isSound = (field: string) => !issues.some((issue) => issue.field === field);
  const amount = amountOf(body);
  if (amount !== undefined && !isAmount(amount)) {
    issues.push({
      field: 'payment.amount',
      code: 'amount_invalid',
      message:
        'payment.amount must be an exact positive decimal such as "12.50": ASCII digits, no sign, no exponent, no leading zeros, at most 335 characters.',
    });
  }
  for (const [field, reserved] of ID_FIELDS) {
    const value = body[field];
    if (typeof value === 'string' && isSound(field)) issues.push(...idIssues(field, value, reserved));
  }
  if (body['expires_at'] !== undefined && isSound('expires_at') && expiryOf(body) === undefined) {
    issues.push({
      field: 'expires_at',
      code: 'invalid_format',
      message: 'expires_at must be a valid date-time.',
    });
  }
  if (body['expires_at'] !== undefined && body['expires_in'] !== undefined) {
    issues.push({
      field: 'expires_in',
      code: 'invalid_format',
      message: 'Send either expires_at or expires_in, not both.',
    });
  }
  for (const field of FREE_FORM) {
    if (isObject(body[field])) issues.push(...checkFreeForm(body[field], field, FREE_FORM_RULES));
  }
  return issues;
}

/** A value of the wrong type also misses every constant; one issue is enough. */
function isEchoOfType(issue: Issue, all: readonly Issue[]): boolean {
  return (
    issue.code === 'invalid_enum' &&
    all.some((other) => other.field === issue.field && other.code === 'invalid_type')
  );
}

/** A closed schema reports these as unknown; the caller gets the specific reason. */
function named(issue: Issue): Issue {
  if (issue.code !== 'unknown_field') return issue;
  const { field } = issue;
  if (FACTS.has(field)) {
    return {
      field,
      code: 'payment_fact_forbidden',
      message: `${field} must not be sent: it is fixed by the Recipient version.`,
    };
  }
  if (READ_ONLY.has(field)) {
    return { field, code: 'read_only_field', message: `${field} is written by the service; remove it.` };
  }
  return issue;
}

/** Issues that depend on the current time: later than now, at most 366 days ahead. */
export function timeIssues(body: RawBody, now: Date): Issue[] {
  const expiresAt = expiryOf(body);
  if (expiresAt === undefined) return [];
  if (expiresAt <= now) {
    const message = `expires_at must be later than now (${now.toISOString()}).`;
    return [{ field: 'expires_at', code: 'expires_in_past', message }];
  }
  if (expiresAt > addMs(now, MAX_LIFE_MS)) {
    return [
      {
        field: 'expires_at',
        code: 'out_of_range',
        message: 'expires_at must be at most 366 days ahead.',
      },
    ];
  }
  return [];
}

/**
 * Issues that depend on the payee: digits after the decimal point, and addresses in texts and ids that are not the
 * payee's.
 */
export function payeeIssues(
  body: RawBody,
  facts: PayeeFacts,
  idempotencyKey: string | null | undefined,
): Issue[] {
  const issues: Issue[] = [];
  const amount = amountOf(body);
  if (amount !== undefined && isAmount(amount) && !fitsPrecision(amount, facts.decimals)) {
    issues.push({
      field: 'payment.amount',
      code: 'amount_precision_exceeded',
      message: `${facts.asset} allows at most ${facts.decimals} decimal places; got ${fractionDigits(amount)}.`,
    });
  }
  const own = allowAddresses([facts.address, facts.issuer, facts.contract].filter((text) => text !== null));
  for (const field of FREE_FORM) {
    if (isObject(body[field])) issues.push(...findForeignAddresses(body[field], field, own));
  }
  for (const field of NAMES_OF_CALLER) {
    const name = field === 'idempotency_key' ? idempotencyKey : body[field];
    if (typeof name === 'string') issues.push(...findForeignAddresses(name, field, own));
  }
  return issues;
}

export function expiryOrDefault(body: Pick<CreateInput, 'expires_at' | 'expires_in'>, now: Date): Date {
  const life = body.expires_in === undefined ? DEFAULT_LIFE_MS : body.expires_in * 1000;
  return expiryOf(body) ?? addMs(now, life);
}

/** The caller's expectations of the payee and the true values, when the two differ. */
export function expectationMismatch(
  expected: CreateInput['expect'],
  facts: PayeeFacts,
): { expected: object; actual: object } | undefined {
  if (!expected) return undefined;
  const names = Object.keys(expected) as (keyof typeof expected)[];
  if (names.every((name) => expected[name] === facts[name])) return undefined;
  return { expected, actual: Object.fromEntries(names.map((name) => [name, facts[name]])) };
}

function expiryOf(body: RawBody): Date | undefined {
  const text = body['expires_at'];
  if (typeof text !== 'string') return undefined;
  const time = new Date(text);
  return Number.isNaN(time.getTime()) ? undefined : time;
}

function amountOf(body: RawBody): string | undefined {
  const payment = body['payment'];
  const amount = isObject(payment) ? payment['amount'] : undefined;
  return typeof amount === 'string' ? amount : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
