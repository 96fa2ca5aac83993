import type { Act } from '../../act.ts';
import type { Tx } from '../../db/open.ts';
import { notFound } from '../../errors.ts';
import type { MerchantPrincipal } from '../../http/principals.ts';
import { auditActor, recordAudit } from '../audit/record.ts';
import { credentialOver } from './activate-credential.ts';
import { endCredential, lockCredential } from './credential-sql.ts';
import { agentTopic } from './usable.ts';
import { type CredentialRow, credentialStatus } from './view.ts';

/** Ends a key and, with it, every token it signed for. Revoking again changes nothing and is no error. */
export async function revokeCredential(
  tx: Tx,
  act: Act,
  principal: MerchantPrincipal,
  place: { agentId: string; credentialId: string },
): Promise<CredentialRow> {
  const { merchantId } = principal;
  const known = await lockCredential(tx, merchantId, place.agentId, place.credentialId);
  if (!known) throw notFound();
  if (known.status === 'revoked') return known;
  const status = credentialStatus(known, act.now);
  if (status === 'expired') throw credentialOver(status, 'revoked');
  const revoked = await endCredential(tx, merchantId, place.credentialId);
  if (!revoked) throw new Error('The locked row of a credential changed.');
  await recordAudit(tx, act, {
    merchantId,
    type: 'credential.revoked',
    actor: auditActor(principal),
    target: { type: 'credential', id: revoked.credential_id },
    details: { agent_id: revoked.agent_id, kid: revoked.kid },
  });
  tx.afterCommit(() => act.announce(agentTopic(place.agentId)));
  return revoked;
}
