import { exactJson, factsDigest, type Issue, intentDigest, type Scope } from '@payassent/protocol';
import type { Act } from '../../act.ts';
import { AppError, invalid } from '../../errors.ts';
import { sha256OfText } from '../../lib/keys.ts';
import type { CallerPermission, ConnectionPrincipal } from '../../principals.ts';
import { refuseGivenUp } from '../batch/given-up.ts';
import { topicsOf } from '../close/close.ts';
import { refuseSuperseding } from '../close/withdraw.ts';
import { CREATED, REPLAYED } from '../counters.ts';
import type { Engine } from '../engine.ts';
import type { CreateInput } from '../input.ts';
import type { HotCaller } from '../permissions/authorize-sql.ts';
import { createdWith } from '../permissions/permissions.ts';
import { isServerMember } from './changed-intent.ts';
import {
  bodyIssues,
  expectationMismatch,
  expiryOrDefault,
  payeeIssues,
  type RawBody,
  timeIssues,
} from './checks.ts';
import type { CreateOutcome, CreateRow, WhenHeld } from './create-sql.ts';
import { duplicateRefusal, findDuplicates } from './duplicates.ts';
import { NotSupersededError } from './insert.ts';
import { judgeCreate, ownRisk, refusesDuplicates, samePayment, tooManyPending } from './judge.ts';
import { mustReserveMemo, ownMemo } from './own-memo.ts';
import type { PayeeFacts } from './payees.ts';
import { findKnownRequest } from './replay.ts';

export interface CreateCall {
  caller: HotCaller;
  /** The ordinary check of the credential, with its errors. */
  authenticate(): Promise<ConnectionPrincipal>;
  /** Valid only when there are no issues. */
  body: RawBody;
  /** The schema's issues. */
  issues: readonly Issue[];
  idempotencyKey: string | undefined;
}

export interface CreateResult {
  isReplay: boolean;
  /** JSON text. */
  record: string;
}

const CREATES: Scope = 'payment.requests.create';
/** A try fails between a read and its statement only by a race, so a handful of tries is plenty. */
const MAX_TURNS = 8;

/**
 * Creates a request, or returns the one that the key or the id already has. A body that can simply be stored is served
 * by one statement that checks everything again; for all others the checks run one by one in the published order.
 */
export async function createPaymentRequest(
  engine: Engine,
  act: Act,
  call: CreateCall,
): Promise<CreateResult> {
  const issues = bodyIssues(call.body, call.issues);
  if (issues.length > 0 || hasNoName(call)) return refuseBody(engine, act, call, issues);
  const input = call.body as CreateInput;
  const draft = draftOf(act, call, input);
  const guess = engine.payees.guess(input.recipient_id);
  if (guess && isPlain(engine, act, draft, guess)) {
    const permission = await engine.permissions.find(call.caller, CREATES);
    if (permission && (input.connection_id ?? permission.connectionId) === permission.connectionId) {
      const judged = { permission, facts: guess, caller: call.caller };
      const { created } = await store(engine, act, draft, judged, 'pass over');
      if (created) return created;
    }
  }
  for (let turn = 0; turn < MAX_TURNS; turn += 1) {
    refuseGivenUp(act.untilMs);
    const answer = await explain(engine, act, call, draft);
    if (answer) return answer;
  }
  throw new AppError('unavailable', {
    message: 'The payee is being changed at the same time; send the same request again.',
  });
}

/** Whether one statement can store it, with no further lookup or explanation. */
function isPlain(engine: Engine, act: Act, { input, key }: Draft, facts: PayeeFacts): boolean {
  return (
    input.supersedes === undefined &&
    input.duplicate_of === undefined &&
    input.if_duplicate !== 'refuse' &&
    expectationMismatch(input.expect, facts) === undefined &&
    (input.recipient_version_id ?? facts.recipient_version_id) === facts.recipient_version_id &&
    engine.enabledNetworks.includes(facts.network) &&
    // A repeat would reserve a memo for nothing.
    !mustReserveMemo(facts) &&
    timeIssues(input, act.now).length === 0 &&
    payeeIssues(input, facts, key).length === 0
  );
}

function hasNoName(call: CreateCall): boolean {
  return call.idempotencyKey === undefined && call.body['request_id'] === undefined;
}

async function refuseBody(
  engine: Engine,
  act: Act,
  call: CreateCall,
  issues: readonly Issue[],
): Promise<never> {
  const { merchantId } = await call.authenticate();
  if (issues.length === 0) throw new AppError('idempotency_key_required', { field: 'idempotency_key' });
  const isKeyMissing = hasNoName(call) && !issues.some((issue) => issue.field === 'idempotency_key');
  const all = isKeyMissing ? [...issues, keyIssue] : issues;
  throw await bodyRefusal(engine, act, merchantId, call, all);
}

/** The list also contains issues that need the current time or the payee, as far as they can be determined. */
export async function bodyRefusal(
  engine: Engine,
  act: Act,
  merchantId: string,
  call: Pick<CreateCall, 'body' | 'idempotencyKey'>,
  issues: readonly Issue[],
): Promise<AppError> {
  const recipientId = call.body['recipient_id'];
  const payee =
    typeof recipientId === 'string'
      ? await engine.payees.look(engine.db, merchantId, recipientId)
      : undefined;
  const facts = payee?.status === 'active' ? payee.facts : null;
  return invalid([
    ...issues,
    ...(issues.some((issue) => issue.field === 'expires_at') ? [] : timeIssues(call.body, act.now)),
    ...(facts ? payeeIssues(call.body, facts, call.idempotencyKey) : []),
  ]);
}

const keyIssue: Issue = {
  field: 'idempotency_key',
  code: 'required',
  message: 'Send the header X-Idempotency-Key, idempotency_key or request_id.',
};

/** One read of everything, in the published order; undefined when a race requires another try. */
async function explain(
  engine: Engine,
  act: Act,
  call: CreateCall,
  draft: Draft,
): Promise<CreateResult | undefined> {
  const { input, key } = draft;
  const principal = await call.authenticate();
  const known = await findKnownRequest(engine, act, principal, draft);
  if (known.kind === 'replay') {
    // The response to the commit was lost and this is our own request: its id was made for this call.
    const isOwn = input.request_id === undefined && known.requestId === draft.newRequestId;
    act.count(isOwn ? CREATED : REPLAYED, {});
    return { isReplay: !isOwn, record: known.record };
  }
  const active = await judgeCreate(engine, act, principal, { input, key }, known.kind);
  const refuses = await refusesDuplicates(engine, act, principal, input);
  const permission = await engine.permissions.lookUp(call.caller, CREATES);
  if (!permission) return undefined;
  const judged = { permission, facts: active, caller: call.caller };
  const stored = await store(engine, act, { ...draft, refuses }, judged, 'wait').catch((error: unknown) => {
    if (!(error instanceof NotSupersededError)) throw error;
  });
  if (!stored) {
    await refuseSuperseding(engine, act, principal, input.supersedes ?? '');
    return undefined;
  }
  const { created, isFull, isDuplicate } = stored;
  if (isDuplicate) return refuseDuplicate(engine, act, principal, draft);
  if (isFull) throw tooManyPending(engine);
  return created;
}

/** Retries instead when the duplicate is the same create, or is gone. */
async function refuseDuplicate(
  engine: Engine,
  act: Act,
  principal: ConnectionPrincipal,
  draft: Draft,
): Promise<undefined> {
  if ((await findKnownRequest(engine, act, principal, draft)).kind === 'replay') return;
  const choice = { supersedes: draft.input.supersedes ?? null, named: null };
  const found = await findDuplicates(engine.db, samePayment(principal, draft.input), choice, act.now);
  if (found.length > 0) throw duplicateRefusal(found);
}

/** The constants of all attempts of one call. */
interface Draft {
  input: CreateInput;
  key: string | null;
  requestId: string | null;
  intentDigest: string;
  newRequestId: string;
  eventId: string;
  /** Whether nothing is stored when the same was requested before. */
  refuses: boolean;
}

function draftOf(act: Act, call: CreateCall, input: CreateInput): Draft {
  return {
    input,
    key: call.idempotencyKey ?? null,
    requestId: input.request_id ?? null,
    intentDigest: intentDigest(input, sha256OfText),
    newRequestId: input.request_id ?? act.newId('pr'),
    eventId: act.newId('evt'),
    refuses: false,
  };
}

/** What a row depends on; its statement checks both again. */
interface Judged {
  permission: CallerPermission;
  facts: PayeeFacts;
  caller: HotCaller;
}

/** Nothing created and not full: a race, or something that the individual checks report. */
async function store(
  { pendingCap, db, insert }: Engine,
  act: Act,
  draft: Draft,
  judged: Judged,
  whenHeld: WhenHeld,
): Promise<{ created?: CreateResult; isFull: boolean; isDuplicate: boolean }> {
  const { connectionId, merchantId } = judged.permission;
  const memo = await ownMemo(db, merchantId, judged.facts, {
    amount: draft.input.payment.amount,
    connection_id: connectionId,
    request_id: draft.newRequestId,
  });
  // A request that replaces a pending one needs no free place: it is stored only when that one ends.
  const capped = draft.input.supersedes === undefined ? pendingCap.begin(connectionId) : undefined;
  const row = toRow(act, draft, { ...judged, memo }, capped?.isCounted);
  let pending: number | null = null;
  let outcome: CreateOutcome;
  try {
    outcome = await insert(act, row, whenHeld);
    pending = outcome.pending;
  } finally {
    capped?.end(pending);
  }
  const { record, connection_id, wallet_id, deliveries, is_duplicate: isDuplicate } = outcome;
  if (record === null || connection_id === null || wallet_id === null)
    return { isFull: pending !== null && pending >= pendingCap.max, isDuplicate };
  act.count(CREATED, {});
  act.announce(...topicsOf([{ connection_id, wallet_id, deliveries }]));
  return { created: { isReplay: false, record }, isFull: false, isDuplicate };
}

function toRow(
  act: Act,
  draft: Draft,
  { permission, facts, memo, caller }: Judged & { memo: string | undefined },
  isCounted = false,
): CreateRow {
  const { input } = draft;
  const { amount } = input.payment;
  const risk = ownRisk(input, facts);
  return {
    n: 0,
    merchant_id: permission.merchantId,
    version: permission.version,
    connection_id: permission.connectionId,
    request_id: draft.newRequestId,
    idempotency_key: draft.key,
    intent_digest: draft.intentDigest,
    transaction_id: input.transaction_id,
    recipient_id: input.recipient_id,
    recipient_version_id: facts.recipient_version_id,
    amount,
    memo,
    facts_digest: factsDigest(
      { ...facts, memo: memo ?? facts.memo, amount, to: facts.address },
      sha256OfText,
    ),
    source_members: sourceMembers(input.source),
    display: input.display,
    metadata: input.metadata,
    created_at: act.now,
    expires_at: expiryOrDefault(input, act.now),
    event_id: draft.eventId,
    created_with: createdWith(permission, caller),
    is_counted: isCounted || undefined,
    supersedes: input.supersedes,
    refuses_duplicates: draft.refuses || undefined,
    risk_members: risk && JSON.stringify(risk).slice(1, -1),
  };
}

/** As JSON text, each member with a trailing comma. */
function sourceMembers(source: Readonly<Record<string, unknown>> = {}): string {
  let members = '';
  for (const name of Object.keys(source))
    if (!isServerMember(name)) members += `${JSON.stringify(name)}:${exactJson(source[name])},`;
  return members;
}
