import { OPERATOR_ROLES, type OperatorRole } from '../enumerations.ts';
import { isMutation } from './operation.ts';

/*
 * Who may call what: the one table of role and operation. The service enforces it, the OpenAPI document and
 * docs/ROLES.md publish it, and the portal offers what it allows.
 */

/** What is needed of the operator who makes a call. */
export interface Authority {
  /** The least role that may. */
  readonly role: OperatorRole;
  /**
   * An operator who has a passkey must have used it in the last 10 minutes; where a member is named, only when the body
   * has it, or has it with this value. `or recovered`: or have waited a day after losing it.
   */
  readonly stepUp?: true | 'or recovered' | { readonly member: string; readonly is?: string | boolean };
  /**
   * Where the organization requires two owners, the call needs another owner's approval; with `member`, only when that
   * member of the body has the given value.
   */
  readonly fourEyes?: true | { readonly member: string; readonly is: string | boolean };
}

/** The use of a passkey counts while its age is at most this. */
export const STEP_UP_LIFE_MS = 10 * 60_000;

const ANYONE: Authority = { role: 'viewer' };
const DEVELOPER: Authority = { role: 'developer' };
const OWNER: Authority = { role: 'owner' };
/** What it makes is a secret, or decides whose key an agent acts with. */
const SECRET: Authority = { role: 'developer', stepUp: true };
const OWNER_WITH_PASSKEY: Authority = { role: 'owner', stepUp: true };
const TWO_OWNERS: Authority = { role: 'owner', stepUp: true, fourEyes: true };

/** Every change that a merchant session or an admin session can make. Reading is open to every role. */
export const AUTHORITY = {
  // One's own sign-in.
  'DELETE /v1/merchant-sessions/current': ANYONE,
  'DELETE /v1/merchant-sessions': ANYONE,
  'DELETE /v1/merchant-sessions/{}': ANYONE,
  'POST /v1/merchant-passkeys/registration-options': { role: 'viewer', stepUp: 'or recovered' },
  'POST /v1/merchant-passkeys': { role: 'viewer', stepUp: 'or recovered' },
  'DELETE /v1/merchant-passkeys/{}': { role: 'viewer', stepUp: true },
  'POST /v1/merchant-passkeys/step-up-options': ANYONE,
  'POST /v1/merchant-passkeys/step-up': ANYONE,
  'POST /v1/merchant-passkeys/{}/confirm': OWNER_WITH_PASSKEY,
  'DELETE /v1/admin-sessions/current': ANYONE,

  'POST /v1/agents': DEVELOPER,
  'PATCH /v1/agents/{}': { role: 'developer', stepUp: { member: 'require_proof', is: false } },
  'POST /v1/agents/{}/credentials': SECRET,
  'POST /v1/agents/{}/credentials/{}/activate': SECRET,
  'DELETE /v1/agents/{}/credentials/{}': DEVELOPER,
  'DELETE /v1/connections/{}': DEVELOPER,
  'POST /v1/webhook-endpoints': SECRET,
  'PATCH /v1/webhook-endpoints/{}': { role: 'developer', stepUp: { member: 'url' } },
  'DELETE /v1/webhook-endpoints/{}': DEVELOPER,
  'POST /v1/webhook-endpoints/{}/verify': DEVELOPER,
  'POST /v1/webhook-endpoints/{}/rotate-secret': SECRET,
  'POST /v1/webhook-deliveries/{}/redeliver': DEVELOPER,
  'POST /v1/api-keys': SECRET,
  'DELETE /v1/api-keys/{}': DEVELOPER,
  'POST /v1/admin-sessions': SECRET,
  // What API keys and admin sessions are for. The wallet decides about all of it.
  'POST /v1/agent-payments': DEVELOPER,
  'POST /v1/agent-payments/{}/cancel': DEVELOPER,
  'POST /v1/automation-policies': DEVELOPER,
  'PATCH /v1/automation-policies/{}': DEVELOPER,
  'POST /v1/automation-policies/{}/pause': DEVELOPER,
  'DELETE /v1/automation-policies/{}': DEVELOPER,

  'PATCH /v1/merchants/current': {
    role: 'owner',
    stepUp: { member: 'four_eyes' },
    fourEyes: { member: 'four_eyes', is: false },
  },
  'POST /v1/approvals/{}/approve': OWNER_WITH_PASSKEY,
  'POST /v1/approvals/{}/reject': OWNER_WITH_PASSKEY,
  'POST /v1/merchant-domains': OWNER,
  'POST /v1/merchant-domains/{}/verify': OWNER,
  'DELETE /v1/merchant-domains/{}': TWO_OWNERS,
  'POST /v1/recipients': OWNER,
  'PATCH /v1/recipients/{}': {
    role: 'owner',
    stepUp: { member: 'status' },
    fourEyes: { member: 'status', is: 'archived' },
  },
  'POST /v1/recipients/{}/versions': OWNER,
  'POST /v1/recipients/{}/verify': OWNER,
  'POST /v1/recipients/{}/versions/{}/activate': TWO_OWNERS,
  'POST /v1/recipients/{}/reject-pending': OWNER,
  'POST /v1/merchant-operators': TWO_OWNERS,
  'PATCH /v1/merchant-operators/{}': TWO_OWNERS,
  'DELETE /v1/merchant-operators/{}': TWO_OWNERS,
} as const satisfies Readonly<Record<string, Authority>>;

/** The name of a call in the table: a page can name the call that it makes without loading its schemas. */
export type GuardedCall = keyof typeof AUTHORITY;

interface Stated {
  readonly method: string;
  readonly path: string;
  readonly credential: readonly string[];
}

/** How the table names a call. */
export function authorityKey({ method, path }: Pick<Stated, 'method' | 'path'>): string {
  return `${method} ${path.replace(/\{\w+\}/g, '{}')}`;
}

/** Undefined for calls that no operator makes. A change that the table does not name is for owners. */
export function authorityOf(operation: Stated): Authority | undefined {
  if (!operation.credential.some((kind) => kind === 'merchant' || kind === 'admin')) return undefined;
  if (!isMutation(operation.method)) return ANYONE;
  return (AUTHORITY as Readonly<Record<string, Authority>>)[authorityKey(operation)] ?? OWNER;
}

/** Whether this very call needs the use of a passkey, of those who have one. */
export function needsStepUp({ stepUp }: Authority, body: Readonly<Record<string, unknown>>): boolean {
  if (stepUp === undefined || typeof stepUp === 'string' || stepUp === true) return stepUp !== undefined;
  const sent = body[stepUp.member];
  return sent !== undefined && (stepUp.is === undefined || sent === stepUp.is);
}

/** Whether this very call waits for a second owner, where the organization requires one. */
export function needsTwo(
  { fourEyes }: Authority,
  body: Readonly<Record<string, unknown>> | undefined,
): boolean {
  if (fourEyes === undefined || fourEyes === true) return fourEyes === true;
  return body?.[fourEyes.member] === fourEyes.is;
}

export function hasRole(role: OperatorRole, needed: OperatorRole): boolean {
  return OPERATOR_ROLES.indexOf(role) >= OPERATOR_ROLES.indexOf(needed);
}

/** Whether an operator with this role may make the call: what a page offers. */
export function mayCall(role: OperatorRole, call: GuardedCall): boolean {
  return hasRole(role, AUTHORITY[call].role);
}
