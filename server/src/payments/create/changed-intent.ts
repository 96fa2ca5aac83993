import { canonicalJson, ExactNumber } from '@payassent/protocol';
import type { PaymentRequest } from '@payassent/protocol/records';
import type { CreateInput } from '../input.ts';
import { DEFAULT_LIFE_MS } from './checks.ts';

const MOST_NAMED = 200;

/**
 * Where a create differs from the earlier one with its key: paths of leaves, and of members that only one of the two
 * has. The earlier one is read from its record. What the record does not store is inferred from the remaining
 * possibility: the digests differ.
 */
export function changedPaths(first: PaymentRequest, input: CreateInput): string[] {
  const { recipient_version_id: version = first.payee.recipient_version_id } = input;
  const before = {
    recipient_id: first.payee.recipient_id,
    recipient_version_id: first.payee.recipient_version_id,
    payment: { amount: first.payment.amount },
    transaction_id: first.transaction_id,
    ...expiryOf(first),
    source: partOf(withoutServerMembers(first.source)),
    display: first.display,
    metadata: first.metadata,
  };
  const after = {
    recipient_id: input.recipient_id,
    recipient_version_id: version,
    payment: input.payment,
    transaction_id: input.transaction_id,
    expires_at: input.expires_at && new Date(input.expires_at).toISOString(),
    expires_in: input.expires_in === DEFAULT_LIFE_MS / 1000 ? undefined : input.expires_in,
    source: partOf(withoutServerMembers(input.source ?? {})),
    display: input.display,
    metadata: input.metadata,
  };
  const changed = [...differences(before, after, '')].slice(0, MOST_NAMED);
  if (changed.length > 0) return changed;
  const unkept = (['supersedes', 'recipient_version_id'] as const).filter(
    (name) => input[name] !== undefined,
  );
  return unkept.length > 0 ? unkept : ['recipient_version_id'];
}

/** A life of whole seconds was sent as `expires_in`: an `expires_at` rarely falls on a whole second. */
function expiryOf({ created_at, expires_at }: PaymentRequest): { expires_at?: string; expires_in?: number } {
  const lifeMs = Date.parse(expires_at) - Date.parse(created_at);
  if (lifeMs === DEFAULT_LIFE_MS) return {};
  return lifeMs % 1000 === 0 ? { expires_in: lifeMs / 1000 } : { expires_at };
}

function partOf(members: Record<string, unknown>): Record<string, unknown> | undefined {
  return Object.keys(members).length === 0 ? undefined : members;
}

function* differences(before: unknown, after: unknown, path: string): Generator<string> {
  if (before === undefined && after === undefined) return;
  const names = isBranch(before) && isBranch(after) && namesOf(before, after);
  if (!names) {
    if (before === undefined || after === undefined || canonicalJson(before) !== canonicalJson(after))
      yield path;
    return;
  }
  const isList = Array.isArray(after);
  for (const name of names) {
    const inner = isList ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`;
    yield* differences(memberOf(before, name), memberOf(after, name), inner);
  }
}

type Branch = Readonly<Record<string, unknown>>;

/** Numbers that keep their digits are leaves, although JavaScript has them as objects. */
function isBranch(value: unknown): value is Branch {
  return typeof value === 'object' && value !== null && !(value instanceof ExactNumber);
}

/** False for a list and an object: they have nothing to compare. */
function namesOf(before: Branch, after: Branch): Set<string> | false {
  if (Array.isArray(before) !== Array.isArray(after)) return false;
  return new Set([...Object.keys(before), ...Object.keys(after)]);
}

function memberOf(branch: Branch, name: string): unknown {
  return Object.hasOwn(branch, name) ? branch[name] : undefined;
}

const SERVER_MEMBERS = new Set(['agent_id', 'agent_name', 'merchant_name']);

/** Members that the service determines itself. */
export function isServerMember(name: string): boolean {
  return SERVER_MEMBERS.has(name);
}

/** What the agent states about itself, without the members that the service determines. */
function withoutServerMembers(source: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(source).filter(([name]) => !SERVER_MEMBERS.has(name)));
}
