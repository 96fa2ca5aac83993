import type { Database } from '../../../server/src/db/open.ts';

/** A column that the checks read, with an expression where it is not read directly. */
interface Column<T> {
  expression?: (name: string) => string;
  /** Only for its type. */
  value?: T;
}

const S: Column<string> = {};
const OPTIONAL: Column<string | null> = {};
const N: Column<number> = {};
/** Times and exact decimals leave as text. */
const asText = (name: string) => `${name}::text`;
const TEXT: Column<string> = { expression: asText };
const TIME: Column<string | null> = { expression: asText };

const FACTS = {
  rail: S,
  network: S,
  asset: S,
  memo: OPTIONAL,
  contract: OPTIONAL,
  issuer: OPTIONAL,
  decimals: N,
  chain_id: {} as Column<number | null>,
};
const PAYMENT = {
  ...FACTS,
  merchant_id: S,
  connection_id: S,
  wallet_id: S,
  amount: S,
  to_address: S,
  facts_digest: S,
  tx_hash: OPTIONAL,
  created_at: TEXT,
  status: S,
  state_version: N,
};
const HEAD = { connection_id: S, last_sequence: N };
const EVENT = {
  connection_id: S,
  sequence: N,
  event_id: S,
  merchant_id: S,
  type: S,
  status: S,
  previous_status: S,
  state_version: N,
  actor: S,
  /** Of a settlement event; null and 0 for all others. */
  settlement_state: OPTIONAL,
  settlement_number: N,
};

export const COLUMNS = {
  payment_requests: {
    ...PAYMENT,
    request_id: S,
    idempotency_key: OPTIONAL,
    recipient_id: S,
    recipient_version_id: S,
    decision: {} as Column<{ statement: string | null; signature?: string | null } | null>,
    created_with: OPTIONAL,
  },
  payment_request_events: { ...EVENT, request_id: S },
  pending_requests: { merchant_id: S, connection_id: S, request_id: S },
  requests_by_status: { merchant_id: S, connection_id: S, request_id: S, status: S },
  connection_heads: HEAD,
  connections: { connection_id: S, merchant_id: S, wallet_id: S, agent_id: S, status: S },
  transaction_contexts: { connection_id: S, transaction_id: S, revision: N },
  recipients: { recipient_id: S, merchant_id: S, version: N },
  recipient_versions: {
    ...FACTS,
    recipient_version_id: S,
    recipient_id: S,
    merchant_id: S,
    address: S,
    activated_at: TIME,
    evidence_id: OPTIONAL,
    suspended_at: TIME,
  },
  recipient_evidence: { evidence_id: S, source_id: S },
  domains: { domain_id: S, merchant_id: S, domain: S, status: S, deleted_at: TIME },
  devices: { device_id: S, wallet_id: S, status: S },
  connect_keys: { connect_key_id: S, status: S },
  connect_invitations: { connect_invitation_id: S, connect_key_id: S, status: S, connection_id: OPTIONAL },
  pairing_sessions: { pairing_session_id: S, status: S, connection_id: OPTIONAL },
  merchants: { merchant_id: S, version: N },
  webhook_endpoints: { webhook_endpoint_id: S, merchant_id: S, url: S, version: N, status: S },
  webhook_messages: { event_id: S, merchant_id: S, type: S, body: S },
  webhook_deliveries: {
    delivery_id: S,
    webhook_endpoint_id: S,
    merchant_id: S,
    event_id: S,
    attempt: N,
    status: S,
  },
  automation_policies: {
    policy_id: S,
    merchant_id: S,
    connection_id: S,
    wallet_id: S,
    version: N,
    status: S,
    allowlist: {} as Column<
      { recipient_id?: string; recipient_version_id?: string; address?: string }[] | null
    >,
    single_tx_limit: OPTIONAL,
    cumulative_limit: OPTIONAL,
    spent: TEXT,
    reserved: TEXT,
  },
  agent_payments: {
    ...PAYMENT,
    agent_payment_id: S,
    agent_id: S,
    idempotency_key: S,
    initiated_by: S,
    policy_id: OPTIONAL,
    recipient_version_id: OPTIONAL,
  },
  agent_payment_events: { ...EVENT, agent_payment_id: S },
  agent_payment_heads: HEAD,
  settlements: {
    merchant_id: S,
    connection_id: S,
    kind: {} as Column<'payment_request' | 'agent_payment'>,
    record_id: S,
    status: S,
    changes: N,
    block_hash: { expression: (name) => `transaction ->> '${name}' as ${name}` } as Column<string | null>,
  },
  log_entries: { position: N, entry: S },
} satisfies Record<string, Record<string, Column<unknown>>>;

type TableName = keyof typeof COLUMNS;
type ValueOf<C> = C extends Column<infer T> ? T : never;
export type Row<Name extends TableName> = {
  [Member in keyof (typeof COLUMNS)[Name]]: ValueOf<(typeof COLUMNS)[Name][Member]>;
};
export type Tables = { [Name in TableName]: Row<Name>[] } & {
  /** When they were read, by the runner's clock. */
  readAt: number;
};

const ONLY: Partial<Record<TableName, string>> = {
  // Rows of no one are there for the planner.
  pending_requests: "where merchant_id <> ''",
  // Those that everyone can read.
  log_entries: "where type like 'payee.%'",
};

/** One moment of the database: all tables in one snapshot. */
export async function loadTables(db: Database): Promise<Tables> {
  const readAt = Date.now();
  const tables = await db.begin('isolation level repeatable read read only', async (tx) => {
    const found: Record<string, unknown> = {};
    for (const [name, columns] of Object.entries(COLUMNS) as [TableName, Record<string, Column<unknown>>][]) {
      const list = Object.entries(columns).map(([column, { expression }]) => expression?.(column) ?? column);
      found[name] = [...(await tx.unsafe(`select ${list.join(', ')} from ${name} ${ONLY[name] ?? ''}`))];
    }
    return found;
  });
  return { ...(tables as unknown as Tables), readAt };
}
