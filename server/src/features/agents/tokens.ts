import {
  type AgentStatus,
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
import { type AgentSuspension, AppError, refuseSuspendedAgent } from '../../errors.ts';
import { addMs, MINUTE_MS } from '../../lib/clock.ts';
import { hashSecret } from '../../lib/keys.ts';
import { type CredentialRow, credentialWorks } from './view.ts';

export const AGENT_TOKEN_LIFE_MS = 10 * MINUTE_MS;

/** Any valid key does: its only purpose is that an unknown agent costs as much as a known one. */
const DECOY_KEY = Buffer.from('d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a', 'hex');

/** An assertion whose signature has been verified, but not its times, its jti and whether its signer may still sign. */
interface ProvedAssertion {
  agentId: string;
  credentialId: string;
  claims: AssertionClaims;
}

/** Form and audience: all that can be checked without the key. */
export function readAssertion(compact: string, baseUrl: string): Assertion | undefined {
  const parsed = parseAssertion(compact);
  if (!parsed.ok || !isAssertionAudience(parsed.assertion.claims.aud, baseUrl)) return undefined;
  return parsed.assertion;
}

/**
 * Verifies the signature. Unknown agent, unknown kid and bad signature get one response for the same work: one lookup,
 * one verification. Kid and key of a credential never change, so the result still holds when the transaction begins.
 */
export async function proveAssertion(
  db: Database,
  assertion: Assertion,
): Promise<ProvedAssertion | undefined> {
  const { header, claims } = assertion;
  // Open to any caller: the key that an assertion names. The caller is not known yet, so there is no tenant.
  const [known] = await db<{ credential_id: string; public_key: Buffer }[]>`
    select credential_id, public_key from agent_credentials where agent_id = ${claims.iss} and kid = ${header.kid}`;
  const isGenuine = verifyAssertionSignature(assertion, known?.public_key ?? DECOY_KEY);
  return known && isGenuine ? { agentId: claims.iss, credentialId: known.credential_id, claims } : undefined;
}

interface IssuedToken {
  token: string;
  scopes: readonly Scope[];
}

/** Checks, records the jti and issues the token in one transaction: any failure frees the jti again. */
export async function issueAgentToken(tx: Tx, act: Act, proved: ProvedAssertion): Promise<IssuedToken> {
  const { agentId, credentialId, claims } = proved;
  const permission = await holdPermission(tx, agentId, credentialId);
  if (!permission) throw new AppError('invalid_assertion');
  if (judgeAssertionTimes(claims, act.now.getTime()) === 'clock_skew') {
    throw new AppError('assertion_clock_skew', { details: { server_time: act.now.toISOString() } });
  }
  if (permission.agent_status === 'revoked' || !credentialWorks(permission, act.now))
    throw new AppError('credential_not_active');
  refuseSuspendedAgent(permission);
  if (permission.agent_status !== 'active') throw new AppError('agent_not_active');
  const replayUntil = new Date(assertionReplayUntilMs(claims));
  if (!(await recordJti(tx, credentialId, claims.jti, replayUntil, act.now)))
    throw new AppError('assertion_replayed');
  const token = act.newToken('agent');
  const expiresAt = addMs(act.now, AGENT_TOKEN_LIFE_MS);
  const { merchant_id: merchantId } = permission;
  await insertToken(tx, { hash: hashSecret(token), merchantId, agentId, credentialId, expiresAt }, act.now);
  return { token, scopes: permission.allowed_scopes };
}

export interface Permission
  extends Pick<CredentialRow, 'status' | 'not_before' | 'expires_at'>,
    AgentSuspension {
  merchant_id: string;
  agent_status: AgentStatus;
  allowed_scopes: Scope[];
}

/** The current credential and agent, locked until the token is committed: a revocation waits or came first. */
async function holdPermission(
  tx: Tx,
  agentId: string,
  credentialId: string,
): Promise<Permission | undefined> {
  const rows = await tx<Permission[]>`
    select a.merchant_id, c.status, c.not_before, c.expires_at, a.status as agent_status, a.allowed_scopes,
           a.suspended_by_installation_at, a.merchant_suspended_at
    from agent_credentials c join agents a on a.agent_id = c.agent_id
    where c.credential_id = ${credentialId} and a.agent_id = ${agentId}
    for share`;
  return rows[0];
}

/** False when the jti is taken. It is free again once its assertion has expired. */
async function recordJti(tx: Tx, credentialId: string, jti: string, expiresAt: Date, now: Date) {
  const rows = await tx`
    insert into agent_assertions (credential_id, jti, expires_at)
    values (${credentialId}, ${jti}, ${expiresAt})
    on conflict (credential_id, jti) do update set expires_at = excluded.expires_at
      where agent_assertions.expires_at < ${now}
    returning credential_id`;
  return rows.length > 0;
}

async function insertToken(
  tx: Tx,
  token: { hash: string; merchantId: string; agentId: string; credentialId: string; expiresAt: Date },
  now: Date,
): Promise<void> {
  await tx`
    insert into agent_tokens (token_hash, merchant_id, agent_id, credential_id, created_at, expires_at)
    values (${token.hash}, ${token.merchantId}, ${token.agentId}, ${token.credentialId}, ${now}, ${token.expiresAt})`;
}
