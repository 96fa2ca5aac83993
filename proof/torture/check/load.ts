import type { Database } from '../../../server/src/db/open.ts';
import type { Tables } from './evidence.ts';

/** Exact decimals leave as text; everything else the checks look at fits JSON. */
const COLUMNS: Record<Exclude<keyof Tables, 'readAt'>, string> = {
  payment_requests:
    'merchant_id, request_id, connection_id, wallet_id, idempotency_key, recipient_id, recipient_version_id, rail, network, asset, amount, to_address, memo, contract, issuer, decimals, chain_id, facts_digest, tx_hash, decision, created_with, created_at::text, status, state_version',
  payment_request_events:
    'connection_id, sequence, event_id, merchant_id, request_id, type, status, previous_status, state_version, actor, settlement_state, settlement_number',
  pending_requests: 'merchant_id, connection_id, request_id',
  requests_by_status: 'merchant_id, connection_id, request_id, status',
  connection_heads: 'connection_id, last_sequence',
  connections: 'connection_id, merchant_id, wallet_id, agent_id, status',
  transaction_contexts: 'connection_id, transaction_id, revision',
  recipients: 'recipient_id, merchant_id, version',
  recipient_versions:
    'recipient_version_id, recipient_id, merchant_id, address, rail, network, asset, memo, contract, issuer, decimals, chain_id, activated_at::text, evidence_id, suspended_at::text',
  recipient_evidence: 'evidence_id, source_id',
  domains: 'domain_id, merchant_id, domain, status, deleted_at::text',
  devices: 'device_id, wallet_id, status',
  connect_keys: 'connect_key_id, status',
  connect_invitations: 'connect_invitation_id, connect_key_id, status, connection_id',
  pairing_sessions: 'pairing_session_id, status, connection_id',
  merchants: 'merchant_id, version',
  webhook_endpoints: 'webhook_endpoint_id, merchant_id, url, version, status',
  webhook_messages: 'event_id, merchant_id, type, body',
  webhook_deliveries: 'delivery_id, webhook_endpoint_id, merchant_id, event_id, attempt, status',
  automation_policies:
    'policy_id, merchant_id, connection_id, wallet_id, version, status, allowlist, single_tx_limit, cumulative_limit, spent::text, reserved::text',
  agent_payments:
    'agent_payment_id, merchant_id, agent_id, connection_id, wallet_id, idempotency_key, initiated_by, policy_id, recipient_version_id, rail, network, asset, amount, to_address, memo, contract, issuer, decimals, chain_id, facts_digest, tx_hash, created_at::text, status, state_version',
  agent_payment_events:
    'connection_id, sequence, event_id, merchant_id, agent_payment_id, type, status, previous_status, state_version, actor, settlement_state, settlement_number',
  agent_payment_heads: 'connection_id, last_sequence',
  settlements:
    "merchant_id, connection_id, kind, record_id, status, changes, transaction ->> 'block_hash' as block_hash",
  log_entries: 'position, entry',
};

const ONLY: Readonly<Record<string, string>> = {
  // Rows of nobody are there for the planner.
  pending_requests: "where merchant_id <> ''",
  log_entries: "where type like 'payee.%'",
};

/** One moment of the database: all tables in one snapshot. */
export async function loadTables(db: Database): Promise<Tables> {
  const readAt = Date.now();
  const tables = await db.begin('isolation level repeatable read read only', async (tx) => {
    const found: Record<string, unknown> = {};
    for (const [name, columns] of Object.entries(COLUMNS)) {
      found[name] = [...(await tx.unsafe(`select ${columns} from ${name} ${ONLY[name] ?? ''}`))];
    }
    return found;
  });
  return { ...(tables as unknown as Omit<Tables, 'readAt'>), readAt };
}
