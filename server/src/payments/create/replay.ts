import type { Act } from '../../act.ts';
import { AppError } from '../../errors.ts';
import type { ConnectionPrincipal } from '../../principals.ts';
import { closeEnded } from '../close/close.ts';
import type { Engine } from '../engine.ts';
import type { CreateInput } from '../input.ts';
import { paymentRequestView } from '../record/view.ts';
import { changedPaths } from './changed-intent.ts';
import { findKnown, type KnownRequest } from './create-sql.ts';

export interface CreateNames {
  key: string | null;
  requestId: string | null;
  intentDigest: string;
  input: CreateInput;
}

export type Known =
  | { kind: 'new' }
  | { kind: 'replay'; requestId: string; record: string }
  /** The id belongs to another request; reported only after every earlier check. */
  | { kind: 'conflict' };

/** The idempotency record of a create is the request itself, so it is never lost and never out of step. */
export async function findKnownRequest(
  engine: Engine,
  act: Act,
  principal: ConnectionPrincipal,
  names: CreateNames,
): Promise<Known> {
  const rows = await findKnown(engine.db, principal, names, act.now);
  const byKey = rows.find((row) => row.by_key);
  const byId = rows.find((row) => !row.by_key);
  if (byKey && byKey.intent_digest !== names.intentDigest)
    throw keyReused(byKey, changedPaths(paymentRequestView(byKey.record, 'connection'), names.input));
  if (byKey && byId && byKey.request_id !== byId.request_id) throw keyReused(byKey, ['request_id']);
  if (byId && byId.intent_digest !== names.intentDigest) return { kind: 'conflict' };
  const known = byKey ?? byId;
  if (!known) return { kind: 'new' };
  if (known.is_ended) {
    const { merchantId, connectionId } = principal;
    await closeEnded(engine.db, act, {
      kind: 'requests',
      requests: [{ merchant_id: merchantId, connection_id: connectionId, request_id: known.request_id }],
    });
    return findKnownRequest(engine, act, principal, names);
  }
  return { kind: 'replay', requestId: known.request_id, record: known.record };
}

/** Names the earlier request and where it differs, never its values. */
function keyReused({ request_id }: KnownRequest, changed: readonly string[]): AppError {
  return new AppError('idempotency_key_reused', { details: { request_id, changed } });
}
