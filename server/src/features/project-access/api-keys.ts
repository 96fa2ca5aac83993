import type { Act } from '../../act.ts';
import type { Tx } from '../../db/open.ts';
import { AppError, notFound } from '../../errors.ts';
import type { AdminPrincipal, MerchantPrincipal } from '../../http/principals.ts';
import { hashSecret } from '../../lib/keys.ts';
import { readAgent } from '../agents/read.ts';
import { auditActor, recordAudit } from '../audit/record.ts';
import { isMainnetName } from './mainnet.ts';
import type { ApiKeyInput } from './schema.ts';
import { insertApiKey, revokeApiKeyRow } from './sql.ts';
import type { ApiKeyRow } from './view.ts';

/** A key for one agent of the merchant. It is shown once; only its hash stays. */
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
  const key = act.newToken('api_key');
  const names = { apiKeyId: act.newId('key'), keyHash: hashSecret(key) };
  const row = await insertApiKey(
    tx,
    merchantId,
    { ...names, agentId: agent.agent_id, name: input.name },
    act.now,
  );
  await recordAudit(tx, act, {
    merchantId,
    type: 'api_key.created',
    actor: auditActor(principal),
    target: { type: 'api_key', id: row.api_key_id },
    details: { agent_id: row.agent_id, name: row.name },
  });
  return { row, key };
}

/** Revoking it again changes nothing and answers the same. */
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
    await recordAudit(tx, act, {
      merchantId,
      type: 'api_key.revoked',
      actor: auditActor(principal),
      target: { type: 'api_key', id: apiKeyId },
      details: { agent_id: found.key.agent_id },
    });
  }
  return found.key;
}
