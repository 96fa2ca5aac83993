import { factsDigest, type Issue, intentDigest } from '@payassent/protocol';
import type { PaymentRequestPreview } from '@payassent/protocol/records';
import type { Act } from '../../act.ts';
import { notFound } from '../../errors.ts';
import { findActivePayee } from '../../features/payees/find.ts';
import { sha256OfText } from '../../lib/keys.ts';
import type { ConnectionPrincipal } from '../../principals.ts';
import { refuseSuperseding } from '../close/withdraw.ts';
import type { Engine } from '../engine.ts';
import type { CreateInput } from '../input.ts';
import { bodyIssues, expiryOrDefault, type RawBody } from './checks.ts';
import { bodyRefusal } from './create.ts';
import { countPending } from './create-sql.ts';
import { duplicateRefusal, findDuplicates } from './duplicates.ts';
import { judgeCreate, ownRisk, refusesDuplicates, samePayment, tooManyPending } from './judge.ts';
import { findKnownRequest } from './replay.ts';

/** What a create with this body would store, after every check that it would make. Stores nothing. */
export async function previewPaymentRequest(
  engine: Engine,
  act: Act,
  principal: ConnectionPrincipal,
  body: RawBody,
  found: readonly Issue[],
): Promise<PaymentRequestPreview> {
  const issues = bodyIssues(body, found);
  const sentKey = typeof body['idempotency_key'] === 'string' ? body['idempotency_key'] : '';
  const idempotencyKey = sentKey === '' ? undefined : sentKey;
  if (issues.length > 0)
    throw await bodyRefusal(engine, act, principal.merchantId, { body, idempotencyKey }, issues);
  const input = body as CreateInput;
  const key = idempotencyKey ?? null;
  const names = { key, requestId: input.request_id ?? null, intentDigest: intentDigest(input, sha256OfText) };
  const known = await findKnownRequest(engine, act, principal, { ...names, input });
  const facts = await judgeCreate(engine, act, principal, { input, key }, known.kind);
  const risk = await riskOf(engine, act, principal, input, ownRisk(input, facts));
  if (input.supersedes === undefined) await refuseWhenFull(engine, principal);
  else await refuseSuperseding(engine, act, principal, input.supersedes);
  const { amount } = input.payment;
  const payee = await findActivePayee(engine.db, principal.merchantId, input.recipient_id, [facts.network]);
  if (!payee) throw notFound();
  const { payment, ...named } = payee;
  const { memo_policy, ...rest } = payment;
  return {
    payment: { ...rest, amount, ...(memo_policy === 'request' ? { memo: null } : {}) },
    payee: { ...named, is_current: true },
    expires_at: expiryOrDefault(input, act.now).toISOString(),
    facts_digest: factsDigest({ ...facts, amount, to: facts.address }, sha256OfText),
    ...(risk ? { risk } : {}),
  };
}

async function riskOf(
  engine: Engine,
  act: Act,
  principal: ConnectionPrincipal,
  input: CreateInput,
  own: PaymentRequestPreview['risk'],
): Promise<PaymentRequestPreview['risk']> {
  const choice = { supersedes: input.supersedes ?? null, named: null };
  const same = await findDuplicates(engine.db, samePayment(principal, input), choice, act.now);
  if (same.length === 0) return own;
  if (await refusesDuplicates(engine, act, principal, input)) throw duplicateRefusal(same);
  return { possible_duplicate_of: same.map(({ request_id }) => request_id), ...own };
}

async function refuseWhenFull(engine: Engine, principal: ConnectionPrincipal): Promise<void> {
  const { max } = engine.pendingCap;
  if (!Number.isFinite(max)) return;
  if ((await countPending(engine.db, principal, max)) >= max) throw tooManyPending(engine);
}
