import {
  buildCredentialChallenge,
  CREDENTIAL_PROOF_MAX_AGE_SECONDS,
  parsePublicKey,
} from '@payassent/protocol';
import type { Act } from '../../act.ts';
import type { Tx } from '../../db/open.ts';
import { AppError, notFound } from '../../errors.ts';
import type { MerchantPrincipal } from '../../http/principals.ts';
import { addMs, SECOND_MS } from '../../lib/clock.ts';
import { hashSecret } from '../../lib/keys.ts';
import { auditActor, recordAudit } from '../audit/record.ts';
import { mailName } from '../notices/mail-name.ts';
import { queueOwnerMail } from '../notices/queue.ts';
import { insertCredential, lockCredentialByKid, replaceChallenge } from './credential-sql.ts';
import { parseMoment } from './moment.ts';
import type { CredentialInput } from './schema.ts';
import { holdAgent } from './sql.ts';
import { refuseImpossible } from './update.ts';
import { type AgentRow, type CredentialRow, credentialStatus } from './view.ts';

export const CHALLENGE_LIFE_MS = CREDENTIAL_PROOF_MAX_AGE_SECONDS * SECOND_MS;

export interface RegisteredCredential {
  credential: CredentialRow;
  challenge: string;
  challengeExpiresAt: Date;
  /** False when an unproved credential got a fresh challenge. */
  isNew: boolean;
}

/**
 * Takes a public key under a kid and hands out the text whose signature will prove that the caller holds the
 * private one. The same kid with the same key, while unproved, gets a fresh text and the old one is dead.
 */
export async function registerCredential(
  tx: Tx,
  act: Act,
  principal: MerchantPrincipal,
  baseUrl: string,
  agentId: string,
  input: CredentialInput,
): Promise<RegisteredCredential> {
  const { merchantId } = principal;
  const agent = await holdAgent(tx, merchantId, agentId);
  if (!agent) throw notFound();
  refuseImpossible(agent.status, undefined);
  const parsed = parsePublicKey(input.public_key);
  if (!parsed.ok) throw new Error('The public key was not judged before it came here.');
  const publicKey = parsed.bytes;
  const dates = {
    notBefore: parseMoment(input.not_before) ?? null,
    expiresAt: parseMoment(input.expires_at) ?? null,
  };
  const challengeExpiresAt = addMs(act.now, CHALLENGE_LIFE_MS);
  const challengeFor = (credentialId: string) =>
    buildCredentialChallenge({
      baseUrl,
      agentId,
      credentialId,
      kid: input.kid,
      publicKey,
      nonce: act.randomBytes(32),
      expiresAt: challengeExpiresAt.toISOString(),
    });

  const credentialId = act.newId('crd');
  let challenge = challengeFor(credentialId);
  const inserted = await insertCredential(
    tx,
    merchantId,
    { credentialId, agentId, kid: input.kid, publicKey, challengeHash: hashSecret(challenge), ...dates },
    act.now,
  );
  let credential = inserted;
  if (!credential) {
    const known = await lockCredentialByKid(tx, merchantId, agentId, input.kid);
    if (!known?.public_key.equals(publicKey) || credentialStatus(known, act.now) !== 'pending_proof')
      throw new AppError('kid_conflict', { field: 'kid' });
    challenge = challengeFor(known.credential_id);
    const fresh = { challengeHash: hashSecret(challenge), ...dates };
    credential = await replaceChallenge(tx, merchantId, known.credential_id, fresh, act.now);
  }
  if (!credential) throw new Error('The locked row of a credential changed.');
  await recordAudit(tx, act, {
    merchantId,
    type: 'credential.registered',
    actor: auditActor(principal),
    target: { type: 'credential', id: credential.credential_id },
    details: { agent_id: agentId, kid: credential.kid, again: inserted === undefined },
  });
  if (inserted)
    await queueOwnerMail(tx, act, principal, {
      change: 'agent_credential_added',
      facts: credentialFacts(agent, credential),
    });
  return { credential, challenge, challengeExpiresAt, isNew: inserted !== undefined };
}

/** What an owner needs to find the key in the portal. */
export function credentialFacts(
  agent: Pick<AgentRow, 'name' | 'agent_id'>,
  { kid }: Pick<CredentialRow, 'kid'>,
) {
  return [
    ['Agent', `${mailName(agent.name)} (${agent.agent_id})`],
    ['Key', kid],
  ] as const;
}
