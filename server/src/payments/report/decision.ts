import { parseExactJson } from '@payassent/protocol';
import { contextDigest } from '@payassent/protocol/evidence';
import type { PaymentRequest } from '@payassent/protocol/records';
import type { Act } from '../../act.ts';
import { decisionIn, judgeDecision, unsignedDecision } from '../../features/decisions/decide.ts';
import { currentKeyOf } from '../../features/decisions/keys.ts';
import { pinnedContext } from '../../features/transaction-contexts/contexts.ts';
import type { WalletPrincipal } from '../../principals.ts';
import type { Engine } from '../engine.ts';
import type { StatusInput } from '../input.ts';
import type { ReportedDecision } from './report-sql.ts';
import { findForWallet } from './report-sql.ts';

/** Placeholder for the id of the device until the statement knows it; no id has this form. */
const DEVICE = '\u0001';

export interface StatusCall {
  tokenHash: string;
  deviceId: string | undefined;
  authenticate(): Promise<WalletPrincipal>;
  requestId: string;
  input: StatusInput;
}

/**
 * The decision of a report: unsigned, or signed and checked against what is pinned, which never changes. `none` when it
 * decides nothing, `void` when nothing is left to decide: a read explains why.
 */
export async function decisionOf(
  engine: Engine,
  act: Act,
  call: StatusCall,
): Promise<ReportedDecision | 'none' | 'void'> {
  const { input } = call;
  const kind = decisionIn(input.status);
  if (kind === undefined) return 'none';
  if (!input.decision) return around(JSON.stringify(unsignedDecision(kind, DEVICE, act.now)), undefined);
  const { walletId, deviceId } = await call.authenticate();
  const choice = { requestId: call.requestId, connectionId: input.connection_id ?? null };
  const [rows, key] = await Promise.all([
    findForWallet(engine.db, walletId, choice, act.now),
    currentKeyOf(engine.db, deviceId),
  ]);
  const [row] = rows;
  if (!row || rows.length > 1 || row.is_ended || row.status !== 'pending') return 'void';
  const record = parseExactJson(row.record) as PaymentRequest;
  const { request_id, connection_id, facts_digest, expires_at } = record;
  const context = await pinnedContext(engine.db, record);
  const context_digest = context && contextDigest(context.content);
  const facts = { request_id, connection_id, facts_digest, context_digest, expires_at };
  const decision = await judgeDecision(engine.db, facts, kind, deviceId, key, input.decision, act.now);
  return around(JSON.stringify({ ...decision, device_id: DEVICE }), key?.decision_key_id);
}

function around(json: string, key_id: number | undefined): ReportedDecision {
  const [before = '', after = ''] = json.split(JSON.stringify(DEVICE).slice(1, -1));
  return { before, after, key_id };
}
