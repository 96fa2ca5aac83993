import { createHash, randomBytes } from 'node:crypto';
import { formatToken, newId, newWebhookSecret, SCOPES, type TokenKind } from '@payassent/protocol';
import type { Database } from '../../../server/src/db/open.ts';
import { sealSecret } from '../../../server/src/features/webhooks/endpoints/secrets.ts';
import { createKeys, hashSecret } from '../../../server/src/lib/keys.ts';
import { systemRandom } from '../../../server/src/lib/random.ts';

/** One connected agent with everything around it, as the load needs to know it. */
export interface Caller {
  merchantId: string;
  agentId: string;
  connectionId: string;
  walletId: string;
  connectionToken: string;
  deviceId: string;
  deviceToken: string;
  recipientId: string;
  versionId: string;
  address: string;
}

/** Sealed webhook secrets are seeded, so the bench has to know the key. It guards nothing but made-up rows. */
export const MASTER_KEY = Buffer.alloc(32, 9);

const CALLERS_PER_MERCHANT = 32;
const CALLERS_PER_WALLET = 2;
const SCOPE_LIST = [...SCOPES];
/** No one holds its key. */
const ADDRESS = 'GAAZI4TCR3TY5OJHCTJC2A4QSY6CJWJH5IAJTGKIN2ER7LBNVKOCCWN7';

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The same each time, so that a database that is emptied and filled again knows the same callers. */
function stableToken(kind: TokenKind, name: string): string {
  return formatToken(kind, createHash('sha256').update(`${kind} ${name}`).digest());
}

function stableId(
  prefix: 'mer' | 'agt' | 'crd' | 'con' | 'wlt' | 'dev' | 'rcp' | 'rcv' | 'evd',
  name: string,
): string {
  const bytes = createHash('sha256').update(`${prefix} ${name}`).digest();
  return newId(prefix, 1_700_000_000_000, (length) => bytes.subarray(0, length));
}

/** Merchants, agents, payees, wallets and connections, in use for a while: every token has been used once. */
export async function populate(sql: Database, group: string, merchants: number): Promise<readonly Caller[]> {
  const now = new Date();
  const callers = Array.from({ length: merchants * CALLERS_PER_MERCHANT }, (_, index) =>
    callerOf(group, merchants, index),
  );
  const firstOf = (key: keyof Caller) => [
    ...new Map(callers.map((caller) => [caller[key], caller])).values(),
  ];
  for (const caller of firstOf('merchantId')) await insertMerchant(sql, caller, now);
  for (const caller of firstOf('walletId')) {
    await sql`insert into wallets (wallet_id, created_at) values (${caller.walletId}, ${now})`;
    await sql`insert into devices (device_id, wallet_id, name, status, created_at)
      values (${caller.deviceId}, ${caller.walletId}, 'Phone', 'active', ${now})`;
    await sql`insert into device_tokens (token_hash, device_id, created_at, first_used_at)
      values (${hashSecret(caller.deviceToken)}, ${caller.deviceId}, ${now}, ${now})`;
  }
  for (const caller of callers) {
    await sql`insert into connections (connection_id, merchant_id, agent_id, wallet_id, status, scopes, created_at, updated_at)
      values (${caller.connectionId}, ${caller.merchantId}, ${caller.agentId}, ${caller.walletId}, 'active',
              ${SCOPE_LIST}::text[], ${now}, ${now})`;
    await sql`insert into connection_tokens (token_hash, merchant_id, connection_id, generation, key_id, created_at, first_used_at)
      values (${hashSecret(caller.connectionToken)}, ${caller.merchantId}, ${caller.connectionId}, 1, 'bench', ${now}, ${now})`;
    await sql`insert into connection_heads (merchant_id, connection_id, last_sequence)
      values (${caller.merchantId}, ${caller.connectionId}, 0)`;
  }
  await sql`vacuum analyze`;
  return callers;
}

/** A wallet is connected to two merchants, never twice to one. */
function callerOf(group: string, merchants: number, index: number): Caller {
  const merchant = `${group} ${index % merchants}`;
  const wallet = `${group} ${Math.floor(index / CALLERS_PER_WALLET)}`;
  const connection = `${group} ${index}`;
  return {
    merchantId: stableId('mer', merchant),
    agentId: stableId('agt', merchant),
    recipientId: stableId('rcp', merchant),
    versionId: stableId('rcv', merchant),
    address: ADDRESS,
    walletId: stableId('wlt', wallet),
    deviceId: stableId('dev', wallet),
    deviceToken: stableToken('device', wallet),
    connectionId: stableId('con', connection),
    connectionToken: stableToken('connection', connection),
  };
}

async function insertMerchant(sql: Database, caller: Caller, now: Date): Promise<void> {
  const { merchantId, agentId, recipientId, versionId } = caller;
  const evidenceId = stableId('evd', merchantId);
  await sql`insert into merchants (merchant_id, name, status, created_at, updated_at)
    values (${merchantId}, 'Harbour Theatre', 'active', ${now}, ${now})`;
  await sql`insert into recipients (recipient_id, merchant_id, name, status, active_version_id, created_at, updated_at)
    values (${recipientId}, ${merchantId}, 'Harbour Theatre', 'active', ${versionId}, ${now}, ${now})`;
  await sql`insert into recipient_versions (recipient_version_id, recipient_id, merchant_id, number, status, name, rail,
      network, asset, address, decimals, evidence_id, created_at, verified_at, activated_at)
    values (${versionId}, ${recipientId}, ${merchantId}, 1, 'active', 'Harbour Theatre', 'stellar_xlm', 'stellar_testnet',
            'XLM', ${caller.address}, 7, ${evidenceId}, ${now}, ${now}, ${now})`;
  await sql`insert into recipient_evidence (evidence_id, recipient_version_id, merchant_id, type, source_id, domain, method,
      evidence_digest, created_at, expires_at)
    values (${evidenceId}, ${versionId}, ${merchantId}, 'domain_proof', ${`dom_${merchantId.slice(4)}`}, 'theatre.example',
            'dns', ${digestOf(merchantId)}, ${now}, ${new Date(now.getTime() + 86_400_000)})`;
  await sql`insert into agents (agent_id, merchant_id, name, runtime, environment, allowed_scopes, status, created_at, updated_at)
    values (${agentId}, ${merchantId}, 'Ticket agent', 'node', 'production', ${SCOPE_LIST}::text[], 'active', ${now}, ${now})`;
  await sql`insert into agent_credentials (credential_id, agent_id, merchant_id, kid, alg, public_key, status, created_at)
    values (${stableId('crd', merchantId)}, ${agentId}, ${merchantId}, 'key-1', 'Ed25519', ${randomBytes(32)}, 'active', ${now})`;
}

/** An active endpoint of a merchant; its secret is known to the service alone. */
export async function listen(sql: Database, merchantId: string, url: string): Promise<string> {
  const now = new Date();
  const id = newId('whe', now.getTime(), (length) => randomBytes(length));
  const keys = createKeys(MASTER_KEY, [], systemRandom);
  const secret = sealSecret(
    keys,
    id,
    newWebhookSecret((length) => randomBytes(length)),
  );
  await sql`insert into webhook_endpoints (webhook_endpoint_id, merchant_id, url, event_types, status, secret_key_id,
      secret_box, created_at, updated_at)
    values (${id}, ${merchantId}, ${url}, '{*}', 'active', ${secret.keyId}, ${secret.box}, ${now}, ${now})`;
  return id;
}
