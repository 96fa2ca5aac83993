import type * as api from '@payassent/protocol/api';
import type { BodyOf } from '@payassent/protocol/api';
import type { Act } from '../../act.ts';
import type { Tx } from '../../db/open.ts';
import { AppError, notFound } from '../../errors.ts';
import { addMs, HOUR_MS } from '../../lib/clock.ts';
import { hashSecret } from '../../lib/keys.ts';
import type { AdminPrincipal, MerchantPrincipal } from '../../principals.ts';
import { readAgent } from '../agents/agents.ts';
import { audit } from '../audit/record.ts';
import { readMerchant } from '../merchants/merchant.ts';
import { queueOperatorMail } from '../notices/queue.ts';
import { isMainnetName } from './mainnet.ts';
import {
  endAdminSessionRow,
  holdAdminSession,
  holdMerchantSession,
  insertAdminSession,
  listLivingKeysOf,
  revokeApiKeyRow,
} from './sql.ts';
import type { ApiKeyRow } from './view.ts';

type ApiKeyInput = BodyOf<typeof api.createApiKey>;

/** A key for one agent of the merchant. It is shown once; only its hash is stored. */
export async function createApiKey(
  tx: Tx,
  act: Act,
  principal: AdminPrincipal | MerchantPrincipal,
  input: ApiKeyInput,
): Promise<{ row: ApiKeyRow; key: string }> {
  const { merchantId } = principal;
  const agent = await readAgent(tx, merchantId, input.agent_id);
  if (isMainnetName(agent.environment)) {
    throw new AppError('phase_0_mainnet_disabled', {
      message: `Keys are given to agents of a test environment only; this one is registered as ${agent.environment}.`,
      details: { environment: agent.environment },
    });
  }
  if (agent.status === 'revoked') throw new AppError('agent_not_active');
  await holdSignIn(tx, principal);
  const key = act.newToken('api_key');
  const made = {
    apiKeyId: act.newId('key'),
    keyHash: hashSecret(key),
    agentId: agent.agent_id,
    name: input.name,
    createdBy: principal.accountId,
    madeWith: principal.kind === 'merchant' ? 'session' : 'admin_session',
  } as const;
  const [row] = await tx<[ApiKeyRow]>`
    insert into api_keys (api_key_id, key_hash, merchant_id, agent_id, name, created_by, made_with, created_at)
    values (${made.apiKeyId}, ${made.keyHash}, ${merchantId}, ${made.agentId}, ${made.name}, ${made.createdBy},
            ${made.madeWith}, ${act.now})
    returning api_key_id, agent_id, name, created_by, created_at, revoked_at`;
  await audit(tx, act, principal, merchantId, 'api_key.created', row.api_key_id, {
    agent_id: row.agent_id,
    name: row.name,
  });
  const { name: merchantName } = await readMerchant(tx, merchantId);
  await queueOperatorMail(tx, act, {
    merchantId,
    kind: 'api_key_created',
    payload: {
      merchant_name: merchantName,
      api_key_id: row.api_key_id,
      key_name: row.name,
      agent_id: row.agent_id,
      agent_name: agent.name,
      made_with: made.madeWith,
    },
  });
  return { row, key };
}

/** Against a concurrent sign-out: it either waits for the key, and ends it, or is seen here. */
async function holdSignIn(tx: Tx, principal: AdminPrincipal | MerchantPrincipal): Promise<void> {
  const hold = principal.kind === 'merchant' ? holdMerchantSession : holdAdminSession;
  if (!(await hold(tx, principal.merchantId, principal.sessionId))) throw new AppError('token_revoked');
}

/** Revoking it again changes nothing and returns the same. */
export async function revokeApiKey(
  tx: Tx,
  act: Act,
  principal: AdminPrincipal | MerchantPrincipal,
  apiKeyId: string,
): Promise<ApiKeyRow> {
  const { merchantId } = principal;
  const found = await revokeApiKeyRow(tx, merchantId, apiKeyId, act.now);
  if (!found) throw notFound();
  if (found.isNews) {
    await audit(tx, act, principal, merchantId, 'api_key.revoked', apiKeyId, {
      agent_id: found.key.agent_id,
    });
  }
  return found.key;
}

/** Valid while its age is at most this, to the millisecond. */
const ADMIN_SESSION_LIFE_MS = HOUR_MS;

/** A bearer for scripts of the signed-in team member; it ends with that sign-in at the latest. */
export async function openAdminSession(
  tx: Tx,
  act: Act,
  principal: MerchantPrincipal,
): Promise<{ token: string; expiresAt: Date }> {
  const { merchantId, accountId, sessionId: merchantSessionId } = principal;
  if (!(await holdMerchantSession(tx, merchantId, merchantSessionId))) throw new AppError('token_revoked');
  const token = act.newToken('admin_session');
  const sessionId = act.newId('ses');
  const expiresAt = addMs(act.now, ADMIN_SESSION_LIFE_MS);
  await insertAdminSession(tx, {
    session_id: sessionId,
    token_hash: hashSecret(token),
    merchant_id: merchantId,
    account_id: accountId,
    merchant_session_id: merchantSessionId,
    created_at: act.now,
    expires_at: expiresAt,
  });
  await audit(tx, act, principal, merchantId, 'admin_session.created', sessionId);
  return { token, expiresAt };
}

export async function endAdminSession(tx: Tx, act: Act, principal: AdminPrincipal): Promise<void> {
  const { merchantId, sessionId } = principal;
  if (!(await endAdminSessionRow(tx, merchantId, sessionId, act.now))) return;
  await audit(tx, act, principal, merchantId, 'admin_session.ended', sessionId);
}

export type { ApiKeyRow };

/** Unrevoked keys that a team member created, newest first. */
export function livingKeysOf(tx: Tx, merchantId: string, accountId: string): Promise<ApiKeyRow[]> {
  return listLivingKeysOf(tx, merchantId, accountId);
}
