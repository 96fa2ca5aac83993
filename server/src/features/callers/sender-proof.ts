import {
  judgeProof,
  type PossessionProof,
  PROOF_ALGORITHMS,
  PROOF_FAULTS,
  type ProofFault,
  parseProof,
  proofReplayUntilMs,
  verifyProofSignature,
} from '@payassent/protocol';
import { type Database, refuseUnconfirmed } from '../../db/open.ts';
import { AppError } from '../../errors.ts';
import { sha256OfText } from '../../lib/keys.ts';
import type { PresentedCredential } from '../../principals.ts';

const CHALLENGE = `DPoP algs="${PROOF_ALGORITHMS.join(' ')}"`;

/** The call that a proof must have been made for. */
interface SentCall {
  method: string;
  /** As it was sent, without the query. */
  path: string;
  baseUrl: string;
  /** Every distinct value of the header. */
  proofs: readonly string[];
  /** Throws when too many signatures were checked. */
  countSignature(): Promise<unknown>;
}

/**
 * Rejects a call whose sender does not prove that it holds a key of the agent. The cheapest checks come first, and a
 * signature is verified only within a limit. One proof serves one call through all of its checks, as long as its key is
 * valid.
 */
export async function proveSender(
  db: Database,
  presented: PresentedCredential,
  agentId: string,
  call: SentCall,
  now: Date,
): Promise<void> {
  const [sent, ...others] = call.proofs;
  if (sent === undefined)
    throw new AppError('proof_required', { headers: { 'www-authenticate': CHALLENGE } });
  const parsed = parseProof(sent);
  if (others.length > 0) throw refused('malformed', now);
  if (!parsed.ok) throw refused(parsed.reason, now);
  const { proof } = parsed;
  const credentialId = await findProvingCredential(db, agentId, proof.publicKey, now);
  if (credentialId !== undefined && credentialId === presented.provedBy) return;
  const fault = judgeProof(proof, { ...call, token: presented.token }, call.baseUrl, now.getTime());
  if (fault !== undefined) throw refused(fault, now);
  if (credentialId === undefined) throw refused('unknown_key', now);
  await call.countSignature();
  if (!verifyProofSignature(proof)) throw refused('signature', now);
  if (!(await recordProof(db, credentialId, proof))) throw refused('replayed', now);
  presented.provedBy = credentialId;
}

function refused(reason: ProofFault, now: Date): AppError {
  return new AppError('proof_invalid', {
    message: `The proof in the header DPoP is not one for this call: ${PROOF_FAULTS[reason]}.`,
    details: { reason, ...(reason === 'time' ? { server_time: now.toISOString() } : {}) },
    headers: { 'www-authenticate': `${CHALLENGE}, error="invalid_dpop_proof"` },
  });
}

async function findProvingCredential(db: Database, agentId: string, publicKey: Uint8Array, now: Date) {
  const [row] = await db<{ credential_id: string }[]>`
    select k.credential_id
    from working_credentials(${agentId}, ${now}) w join agent_credentials k on k.credential_id = w.credential_id
    where k.public_key = ${Buffer.from(publicKey)}
    order by k.credential_id limit 1`;
  return row?.credential_id;
}

/** False when the jti has been used with this key. */
async function recordProof(db: Database, credentialId: string, { claims }: PossessionProof) {
  refuseUnconfirmed(db);
  const rows = await db`
    insert into connection_proofs (credential_id, jti_hash, expires_at)
    values (${credentialId}, ${Buffer.from(sha256OfText(claims.jti), 'hex')}, ${new Date(proofReplayUntilMs(claims))})
    on conflict do nothing
    returning credential_id`;
  return rows.length > 0;
}

export async function purgeProofs(db: Database, now: Date, limit: number): Promise<number> {
  const result = await db`
    delete from connection_proofs where (credential_id, jti_hash) in (
      select credential_id, jti_hash from connection_proofs where expires_at < ${now} order by expires_at limit ${limit})`;
  return result.count;
}
