import { allowedNext, type CredentialStatus, verifyCredentialProof } from '@payassent/protocol';
import type { Act } from '../../act.ts';
import type { Tx } from '../../db/open.ts';
import { AppError, invalid, notFound } from '../../errors.ts';
import type { MerchantPrincipal } from '../../http/principals.ts';
import { addMs } from '../../lib/clock.ts';
import { hashSecret } from '../../lib/keys.ts';
import { auditActor, recordAudit } from '../audit/record.ts';
import { queueOwnerMail } from '../notices/queue.ts';
import { selectCredential, spendChallenge } from './credential-sql.ts';
import { CHALLENGE_LIFE_MS, credentialFacts } from './register-credential.ts';
import { type CredentialProof, SIGNATURE_INVALID } from './schema.ts';
import { holdAgent } from './sql.ts';
import { refuseImpossible } from './update.ts';
import { agentTopic } from './usable.ts';
import { type CredentialRow, credentialStatus } from './view.ts';

/** The signature over the newest challenge makes the credential active; only success burns the challenge. */
export async function activateCredential(
  tx: Tx,
  act: Act,
  principal: MerchantPrincipal,
  place: { agentId: string; credentialId: string },
  input: CredentialProof,
): Promise<CredentialRow> {
  const { merchantId } = principal;
  const { agentId, credentialId } = place;
  const agent = await holdAgent(tx, merchantId, agentId);
  const known = agent && (await selectCredential(tx, merchantId, agentId, credentialId));
  if (!known) throw notFound();
  refuseImpossible(agent.status, undefined);
  const hash = hashSecret(input.challenge);
  refuseChallenge(known, hash, act.now);
  if (!verifyCredentialProof(known.public_key, input.challenge, input.signature))
    throw invalid([SIGNATURE_INVALID]);

  const issuedNotBefore = addMs(act.now, -CHALLENGE_LIFE_MS);
  const active = await spendChallenge(tx, merchantId, credentialId, { hash, issuedNotBefore }, act.now);
  if (!active) {
    // Somebody was faster: what happened meanwhile is the answer.
    const now = await selectCredential(tx, merchantId, agentId, credentialId);
    if (now) refuseChallenge(now, hash, act.now);
    throw new AppError('challenge_expired');
  }
  await recordAudit(tx, act, {
    merchantId,
    type: 'credential.activated',
    actor: auditActor(principal),
    target: { type: 'credential', id: credentialId },
    details: { agent_id: agentId, kid: active.kid },
  });
  await queueOwnerMail(tx, act, principal, {
    change: 'agent_credential_activated',
    facts: credentialFacts(agent, active),
  });
  tx.afterCommit(() => act.announce(agentTopic(agentId)));
  return active;
}

function refuseChallenge(credential: CredentialRow, challengeHash: string, now: Date): void {
  const isNewest = credential.challenge_hash === challengeHash;
  if (isNewest && credential.challenge_used_at !== null) throw new AppError('challenge_used');
  const status = credentialStatus(credential, now);
  if (status === 'revoked' || status === 'expired') throw credentialOver(status, 'active');
  const issuedAt = credential.challenge_issued_at;
  const isYoung = issuedAt !== null && now.getTime() - issuedAt.getTime() <= CHALLENGE_LIFE_MS;
  if (!isNewest || !isYoung) throw new AppError('challenge_expired', { field: 'challenge' });
}

/** Revoked and expired credentials stay what they are. */
export function credentialOver(from: CredentialStatus, to: CredentialStatus): AppError {
  return new AppError('invalid_status_transition', {
    message: `The credential is ${from}; register a new one under another kid.`,
    details: { from, to, allowed: allowedNext('credential', from, 'merchant') },
  });
}
