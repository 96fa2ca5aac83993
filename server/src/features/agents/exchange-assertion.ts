import {
  type Assertion,
  type AssertionClaims,
  assertionReplayUntilMs,
  isAssertionAudience,
  judgeAssertionTimes,
  parseAssertion,
  type Scope,
  verifyAssertionSignature,
} from '@payassent/protocol';
import type { Act } from '../../act.ts';
import type { Database, Tx } from '../../db/open.ts';
import { AppError, refuseSuspendedAgent } from '../../errors.ts';
import { addMs, MINUTE_MS } from '../../lib/clock.ts';
import { hashSecret } from '../../lib/keys.ts';
import { selectAssertionKey } from './credential-sql.ts';
import { holdStanding, insertToken, recordJti } from './token-sql.ts';
import { credentialWorks } from './view.ts';

export const AGENT_TOKEN_LIFE_MS = 10 * MINUTE_MS;

/** Any good key does: it is only there so that an unknown agent costs as much as a known one. */
const DECOY_KEY = Buffer.from('d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a', 'hex');

/** An assertion whose signature has been verified; its times, its jti and the standing of its signer have not. */
export interface ProvedAssertion {
  agentId: string;
  credentialId: string;
  claims: AssertionClaims;
}

/** Form and audience: all that can be judged without the key. */
export function readAssertion(compact: string, baseUrl: string): Assertion | undefined {
  const parsed = parseAssertion(compact);
  if (!parsed.ok || !isAssertionAudience(parsed.assertion.claims.aud, baseUrl)) return undefined;
  return parsed.assertion;
}

/**
 * The signature. Unknown agent, unknown kid and bad signature are one answer with the same work: one look-up, one
 * verification. Kid and key of a credential never change, so this holds when the transaction begins.
 */
export async function proveAssertion(
  db: Database,
  assertion: Assertion,
): Promise<ProvedAssertion | undefined> {
  const { header, claims } = assertion;
  const known = await selectAssertionKey(db, claims.iss, header.kid);
  const isGenuine = verifyAssertionSignature(assertion, known?.public_key ?? DECOY_KEY);
  return known && isGenuine ? { agentId: claims.iss, credentialId: known.credential_id, claims } : undefined;
}

export interface IssuedToken {
  token: string;
  scopes: readonly Scope[];
}

/** Judges, records the jti and issues the token together: whatever fails in between frees the jti again. */
export async function issueAgentToken(tx: Tx, act: Act, proved: ProvedAssertion): Promise<IssuedToken> {
  const { agentId, credentialId, claims } = proved;
  const standing = await holdStanding(tx, agentId, credentialId);
  if (!standing) throw new AppError('invalid_assertion');
  if (judgeAssertionTimes(claims, act.now.getTime()) === 'clock_skew') {
    throw new AppError('assertion_clock_skew', { details: { server_time: act.now.toISOString() } });
  }
  if (standing.agent_status === 'revoked' || !credentialWorks(standing, act.now))
    throw new AppError('credential_not_active');
  refuseSuspendedAgent(standing);
  if (standing.agent_status !== 'active') throw new AppError('agent_not_active');
  const replayUntil = new Date(assertionReplayUntilMs(claims));
  if (!(await recordJti(tx, credentialId, claims.jti, replayUntil, act.now)))
    throw new AppError('assertion_replayed');
  const token = act.newToken('agent');
  const expiresAt = addMs(act.now, AGENT_TOKEN_LIFE_MS);
  const { merchant_id: merchantId } = standing;
  await insertToken(tx, { hash: hashSecret(token), merchantId, agentId, credentialId, expiresAt }, act.now);
  return { token, scopes: standing.allowed_scopes };
}
