import { normalisePairingCode, type Scope } from '@payassent/protocol';
import type { Act } from '../../act.ts';
import { type Database, type Tx, transaction } from '../../db/open.ts';
import { AppError, notFound, refuseSuspendedAgent, refuseWhenInvalid } from '../../errors.ts';
import type { WalletPrincipal } from '../../http/principals.ts';
import type { Keys } from '../../lib/keys.ts';
import { auditActor, recordAudit } from '../audit/record.ts';
import { holdWallet } from '../callers/device-token.ts';
import { walletTopic } from '../callers/topics.ts';
import { holdAgent } from './connection-sql.ts';
import { createConnection } from './create-connection.ts';
import { codeMac, isCodeOf } from './pairing-code.ts';
import {
  countWrongCode,
  decideSession,
  findPendingByCode,
  listFormerCodeKeys,
  lockSession,
  type PairingSessionRow,
} from './pairing-sql.ts';
import { notRequestedIssues } from './schema.ts';
import type { ConnectionRow, PairingRow } from './view.ts';

interface Decision {
  sessionId: string;
  code: string;
}

/** What a wallet shows before it decides. Pending sessions only; undefined is a miss, which the caller counts. */
export async function findPairingSession(
  db: Database,
  keys: Keys,
  typed: string,
  now: Date,
): Promise<PairingRow | undefined> {
  const code = normalisePairingCode(typed);
  if (code === undefined) return undefined;
  const found = await findPendingByCode(db, codeMac(keys, keys.currentKeyId, code), now);
  if (found) return found;
  for (const keyId of await listFormerCodeKeys(db, keys.currentKeyId, now)) {
    const older = await findPendingByCode(db, codeMac(keys, keyId, code), now);
    if (older) return older;
  }
  return undefined;
}

export async function approvePairing(
  db: Database,
  act: Act,
  keys: Keys,
  principal: WalletPrincipal,
  input: Decision & { scopes: readonly Scope[] | undefined },
): Promise<{ connection: ConnectionRow; token: string }> {
  return withSession(db, act, keys, principal, input, async (tx, session) => {
    refuseWhenInvalid(notRequestedIssues(input.scopes ?? [], session.requested_scopes));
    const agent = await holdAgent(tx, session.merchant_id, session.agent_id);
    if (session.status !== 'pending' || agent?.status === 'revoked') throw new AppError('pairing_closed');
    if (agent) refuseSuspendedAgent(agent);
    const scopes = input.scopes ?? session.requested_scopes;
    const made = await createConnection(tx, act, keys, auditActor(principal), {
      merchantId: session.merchant_id,
      agentId: session.agent_id,
      walletId: principal.walletId,
      scopes,
      isTokenShared: true,
    });
    const connectionId = made.connection.connection_id;
    const { walletId } = principal;
    await decideSession(
      tx,
      input.sessionId,
      { status: 'approved', walletId, approvedScopes: scopes, connectionId },
      act.now,
    );
    await recordDecision(tx, act, principal, session, 'approved', { approved_scopes: [...scopes] });
    tx.afterCommit(() => act.announce(walletTopic(walletId)));
    return made;
  });
}

export async function rejectPairing(
  db: Database,
  act: Act,
  keys: Keys,
  principal: WalletPrincipal,
  input: Decision,
): Promise<PairingRow> {
  return withSession(db, act, keys, principal, input, async (tx, session) => {
    if (session.status !== 'pending') throw new AppError('pairing_closed');
    const { walletId } = principal;
    const decision = { status: 'rejected', walletId, approvedScopes: null, connectionId: null } as const;
    await decideSession(tx, input.sessionId, decision, act.now);
    await recordDecision(tx, act, principal, session, 'rejected', {});
    return { ...session, status: 'rejected' };
  });
}

/** A wrong code is 404, like a session that does not exist, but its count must survive the refusal. */
async function withSession<Result>(
  db: Database,
  act: Act,
  keys: Keys,
  principal: WalletPrincipal,
  input: Decision,
  decide: (tx: Tx, session: PairingSessionRow) => Promise<Result>,
): Promise<Result> {
  const outcome = await transaction(db, async (tx) => {
    await holdWallet(tx, principal);
    const session = await lockSession(tx, input.sessionId, act.now);
    if (session && isCodeOf(keys, session, input.code)) return { result: await decide(tx, session) };
    if (session) await countWrongCode(tx, input.sessionId, act.now);
    return undefined;
  });
  if (!outcome) throw notFound();
  return outcome.result;
}

async function recordDecision(
  tx: Tx,
  act: Act,
  principal: WalletPrincipal,
  session: PairingSessionRow,
  decision: 'approved' | 'rejected',
  details: Record<string, unknown>,
): Promise<void> {
  await recordAudit(tx, act, {
    merchantId: session.merchant_id,
    type: `pairing_session.${decision}`,
    actor: auditActor(principal),
    target: { type: 'pairing_session', id: session.pairing_session_id },
    details,
  });
}
