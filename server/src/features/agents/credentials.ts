import {
  allowedNext,
  buildCredentialChallenge,
  CREDENTIAL_PROOF_MAX_AGE_SECONDS,
  type CredentialStatus,
  parsePublicKey,
  verifyCredentialProof,
} from '@payassent/protocol';
import type { Act } from '../../act.ts';
import type { Tx } from '../../db/open.ts';
import { AppError, impossibleMove, invalid, notFound } from '../../errors.ts';
import { addMs, SECOND_MS } from '../../lib/clock.ts';
import { hashSecret } from '../../lib/keys.ts';
import type { MerchantPrincipal } from '../../principals.ts';
import { audit } from '../audit/record.ts';
import { mailName, queueOwnerMail } from '../notices/queue.ts';
import { holdAgent, refuseImpossible } from './agents.ts';
import {
  endCredential,
  insertCredential,
  lockCredential,
  lockCredentialByKid,
  replaceChallenge,
  selectCredential,
  spendChallenge,
} from './credential-sql.ts';
import { type CredentialInput, type CredentialProof, SIGNATURE_INVALID } from './schema.ts';
import { parseMoment } from './text.ts';
import { agentTopic } from './usable.ts';
import { type AgentRow, type CredentialRow, credentialStatus } from './view.ts';

const CHALLENGE_LIFE_MS = CREDENTIAL_PROOF_MAX_AGE_SECONDS * SECOND_MS;

interface RegisteredCredential {
  credential: CredentialRow;
  challenge: string;
  challengeExpiresAt: Date;
  /** False when an unproved credential got a fresh challenge. */
  isNew: boolean;
}

/**
 * Registers a public key under a kid and returns the text whose signature will prove that the caller holds the private
 * key. The same kid with the same key, while unproved, gets a fresh text and the old one is void.
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
  await audit(tx, act, principal, merchantId, 'credential.registered', credential.credential_id, {
    agent_id: agentId,
    kid: credential.kid,
    again: inserted === undefined,
  });
  if (inserted)
    await queueOwnerMail(tx, act, principal, {
      change: 'agent_credential_added',
      facts: credentialFacts(agent, credential),
    });
  return { credential, challenge, challengeExpiresAt, isNew: inserted !== undefined };
}

/** The details by which an owner finds the key in the portal. */
export function credentialFacts(
  agent: Pick<AgentRow, 'name' | 'agent_id'>,
  { kid }: Pick<CredentialRow, 'kid'>,
) {
  return [
    ['Agent', `${mailName(agent.name)} (${agent.agent_id})`],
    ['Key', kid],
  ] as const;
}

/** The signature over the newest challenge makes the credential active; only success uses up the challenge. */
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
    // Another call was faster: its result is the response.
    const now = await selectCredential(tx, merchantId, agentId, credentialId);
    if (now) refuseChallenge(now, hash, act.now);
    throw new AppError('challenge_expired');
  }
  await audit(tx, act, principal, merchantId, 'credential.activated', credentialId, {
    agent_id: agentId,
    kid: active.kid,
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

/** Revoked and expired credentials keep their status. */
function credentialOver(from: CredentialStatus, to: CredentialStatus): AppError {
  return impossibleMove(
    [from, to],
    allowedNext('credential', from, 'merchant'),
    `The credential is ${from}; register a new one under another kid.`,
  );
}

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
  await audit(tx, act, principal, merchantId, 'credential.revoked', revoked.credential_id, {
    agent_id: revoked.agent_id,
    kid: revoked.kid,
  });
  tx.afterCommit(() => act.announce(agentTopic(place.agentId)));
  return revoked;
}
