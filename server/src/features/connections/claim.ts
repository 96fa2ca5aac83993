import type { Scope } from '@payassent/protocol';
import type { Act } from '../../act.ts';
import type { Tx } from '../../db/open.ts';
import { AppError, notFound } from '../../errors.ts';
import type { AgentPrincipal } from '../../http/principals.ts';
import { addMs, MINUTE_MS } from '../../lib/clock.ts';
import { hashSecret } from '../../lib/keys.ts';
import { auditActor, recordAudit } from '../audit/record.ts';
import { walletTopic } from '../callers/topics.ts';
import { findConnectKeyByHash, spendConnectKey } from './connect-key-sql.ts';
import { findInvitation, insertInvitation } from './invitation-sql.ts';
import type { InvitationRow } from './view.ts';

const INVITATION_LIFE_MS = 15 * MINUTE_MS;

/** Judged before anything else is looked up: a refusal for scopes says nothing about keys or codes. */
export function refuseForeignScopes(principal: AgentPrincipal, requested: readonly Scope[]): void {
  const refused = requested.filter((scope) => !principal.scopes.includes(scope));
  if (refused.length === 0) return;
  throw new AppError('insufficient_scope', {
    message: `The agent is not allowed ${refused.join(', ')}.`,
    details: { refused_scopes: refused, allowed_scopes: [...principal.scopes] },
  });
}

/** One agent wins the key. Anyone who comes later learns that it is used, and nothing about the winner or the wallet. */
export async function claimInvitation(
  tx: Tx,
  act: Act,
  principal: AgentPrincipal,
  input: { connectKey: string; requestedScopes: readonly Scope[] },
): Promise<{ invitation: InvitationRow; claimToken: string }> {
  const { merchantId, agentId } = principal;
  const keyHash = hashSecret(input.connectKey);
  const key = await spendConnectKey(tx, keyHash, act.now);
  if (!key) throw await explainUnclaimable(tx, keyHash, act.now);

  const invitationId = act.newId('inv');
  const claimToken = act.newToken('claim');
  await insertInvitation(tx, {
    invitationId,
    connectKeyId: key.connect_key_id,
    walletId: key.wallet_id,
    merchantId,
    agentId,
    requestedScopes: input.requestedScopes,
    claimTokenHash: hashSecret(claimToken),
    createdAt: act.now,
    expiresAt: addMs(act.now, INVITATION_LIFE_MS),
  });
  await recordAudit(tx, act, {
    merchantId,
    walletId: key.wallet_id,
    type: 'connect_invitation.claimed',
    actor: auditActor(principal),
    target: { type: 'connect_invitation', id: invitationId },
    details: { requested_scopes: [...input.requestedScopes] },
  });
  tx.afterCommit(() => act.announce(walletTopic(key.wallet_id)));
  const invitation = await findInvitation(
    tx,
    { kind: 'claimant', merchantId, agentId },
    invitationId,
    act.now,
  );
  if (!invitation) throw notFound();
  return { invitation, claimToken };
}

async function explainUnclaimable(tx: Tx, keyHash: string, now: Date): Promise<AppError> {
  const key = await findConnectKeyByHash(tx, keyHash, now);
  if (!key) return notFound();
  return new AppError(key.status === 'expired' ? 'connect_key_expired' : 'connect_key_used');
}
