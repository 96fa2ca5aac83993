/*
 * Written from protocol/src/api and protocol/src/records by "npm run generate". Do not edit.
 */
import type {
  AddressOrigin,
  AgentPaymentStatus,
  AgentStatus,
  AllowlistEntry,
  AuditEventType,
  AutomationPolicyStatus,
  DomainMethod,
  ErrorCode,
  InvitationStatus,
  Network,
  OperatorRole,
  OperatorStatus,
  PaymentInitiator,
  PaymentOrigin,
  PaymentRequestStatus,
  PendingChangeStatus,
  Rail,
  RequestOrigin,
  Scope,
  SettlementState,
  SignInMethod,
  WalletChangeAct,
  WebhookDeliveryStatus,
  WebhookSubscription,
} from '@payassent/protocol';

/** The evidence on which a version is activated. */
export interface ActivateVersionInput {
  /** The evidence, `evd_…`. */
  evidence_id: string;
  /** As it came with the evidence. */
  evidence_digest: string;
  /** What becomes of requests to this payee that await a decision: kept when absent; rejected with the reason payee_recalled. */
  pending?: 'keep' | 'reject';
  /** The version that it is based on. */
  version: number;
}

/** A token with which an operator acts on agent payments and policies. */
export interface AdminSession {
  /** Sent as a bearer. Shown once. */
  session_token: string;
  /** When the token ends at the latest. */
  expires_at: string;
}

/** Software of a merchant that requests payments from customers. */
export interface Agent {
  /** The agent. */
  agent_id: string;
  /** What operators and customers see. */
  name: string;
  /** What the agent runs on; shown to customers. */
  runtime: string;
  /** The merchant's own word for where it runs, such as `test`. */
  environment: string;
  /** What the agent may request from customers. */
  allowed_scopes: Scope[];
  /** Whether the agent may act. `revoked` is final. */
  status: AgentStatus;
  /** Whether every call with a connection token of this agent needs a DPoP proof signed by one of its keys. */
  require_proof: boolean;
  /** Raised by every change, which names the previous one. */
  version: number;
  /** When the agent was registered. */
  created_at: string;
  /** When the record last changed. */
  updated_at: string;
}

/** One agent. */
export interface AgentAnswer {
  /** Software of a merchant that requests payments from customers. */
  agent: Agent;
}

/** A change of an agent. */
export interface AgentChange {
  /** pending → active, active ⇄ suspended, and from each → revoked, which is final. */
  status?: AgentStatus;
  /** What operators and wallets see. One line, without `://`, `www.` and `@`, and without *verified* or *official* next to a domain. */
  name?: string;
  /** What the agent may request from customers, out of: payment.requests.create, payment.requests.read, transaction_contexts.create, transaction_contexts.read. */
  allowed_scopes?: readonly Scope[];
  /** Whether every call with a connection token of this agent needs the header DPoP with a proof (RFC 9449) signed by one of the agent's keys. */
  require_proof?: boolean;
  /** The version that it is based on. */
  version: number;
}

/** A new agent. */
export interface AgentInput {
  /** What operators and wallets see. One line, without `://`, `www.` and `@`, and without *verified* or *official* next to a domain. */
  name: string;
  /** What the agent runs on; shown to customers. */
  runtime: string;
  /** Any word, such as `test`. */
  environment: string;
  /** What the agent may request from customers, out of: payment.requests.create, payment.requests.read, transaction_contexts.create, transaction_contexts.read. */
  allowed_scopes: readonly Scope[];
}

/** An intended payment under an automation policy, or by a person. */
export interface AgentPayment {
  /** The payment. */
  id: string;
  /** Status of the payment. `confirmed` is what the wallet reports. */
  status: AgentPaymentStatus;
  /** Raised by every change of status. */
  state_version: number;
  /** The connection whose wallet pays. */
  connection_id: string;
  /** The network on which to pay. */
  network: Network;
  /** The native symbol of the network, such as `XLM`, or a token. */
  asset: string;
  /** Exact decimal, for example "12.50". */
  amount: string;
  /** The address that is paid. */
  to: string;
  /** The Recipient; null when an address was stated instead. */
  recipient_id: string | null;
  /** Who submitted it. What a `human` submits always needs the approval of the wallet. */
  initiated_by: PaymentInitiator;
  /** The policy that covers it; null for a human. */
  policy_id: string | null;
  /** The transaction, as the wallet reported it. */
  tx_hash: string | null;
  /** Why it was rejected or failed, as a code. */
  reason: string | null;
  /** Why it was rejected or failed, in words. */
  reason_text?: string | null;
  /** What the customer decided; null before. */
  decision?: Decision | null;
  /** What the chain shows; null without an observer, and before its first check. */
  settlement?: Settlement | null;
  /** What the customer should know before deciding. */
  risk?: PaymentRisk;
  /** A payment that the wallet has not signed by this instant expires. */
  expires_at: string;
  /** When the payment was created. */
  created_at: string;
  /** When the record last changed. */
  updated_at: string;
  /** Notes of the caller. */
  metadata: Record<string, unknown> | null;
  /** The family of payment methods. */
  rail: Rail;
  /** Token contract, on EVM networks. */
  contract?: string | null;
  /** Issuing account, on Stellar for every asset but XLM. */
  issuer?: string | null;
  /** Decimal places of the asset. */
  decimals?: number | null;
  /** Chain id, on EVM networks. */
  chain_id?: number | null;
  /** Memo, destination tag or comment that the payment must carry. */
  memo?: string | null;
  /** The memo is a hash, 64 hex digits. Absent where it is text. */
  memo_type?: 'hash';
  /** The version of the Recipient that was active then. */
  recipient_version_id?: string | null;
  /** Who is paid and who vouches for it; null without a Recipient. */
  payee?: Record<string, unknown> | null;
  /** Who entered the address; null with a Recipient. */
  to_entered_by?: AddressOrigin | null;
  /** For merchants and wallets: the credential that created it. Null for payments from before this was recorded. */
  created_with?: PaymentOrigin | null;
  /** Over the payment facts: a wallet checks that they are the pinned ones. */
  facts_digest: string;
  /** For wallets: the payment as a link; null without a standard. */
  payment_uri?: string | null;
}

/** One change of an agent payment. */
export interface AgentPaymentEvent {
  /** The event; a webhook about the same change has the same id. */
  event_id: string;
  /** Its number among the agent payments of the connection, without a gap. */
  sequence: number;
  /** What happened. */
  type: 'agent_payment.signed' | 'agent_payment.broadcasted' | 'agent_payment.confirmed' | 'agent_payment.failed' | 'agent_payment.expired' | 'agent_payment.rejected' | 'agent_payment.cancelled' | 'agent_payment.settlement_updated';
  /** The payment. */
  agent_payment_id: string;
  /** The connection. */
  connection_id: string;
  /** The status from then on. */
  status: AgentPaymentStatus;
  /** The status before. */
  previous_status: AgentPaymentStatus;
  /** The `state_version` of the payment from then on. */
  state_version: number;
  /** Who caused the change. */
  actor: 'wallet' | 'system' | 'merchant' | 'agent' | 'observer';
  /** The transaction, as the wallet reported it. */
  tx_hash?: string | null;
  /** Why it was rejected or failed, as a code. */
  reason?: string | null;
  /** Reported by another device of the wallet than the one that had signed. */
  takeover?: true;
  /** The settlement from then on. */
  settlement_state?: SettlementState;
  /** When it happened. */
  occurred_at: string;
}

/** One page of events. */
export interface AgentPaymentEventsPage {
  /** In the order of their numbers. */
  events: AgentPaymentEvent[];
  /** The last number of this page, or `since` when it is empty. */
  next_cursor: number;
  /** Whether more are already there. */
  has_more: boolean;
}

/** What happened to one agent payment. */
export interface AgentPaymentHistory {
  /** The payment. */
  id: string;
  /** Its status. */
  status: AgentPaymentStatus;
  /** Oldest first. */
  events: AgentPaymentEvent[];
}

/** An intended payment: to a Recipient, or to an address with the network's own coin. */
export interface AgentPaymentInput {
  /** The connection whose wallet is to pay. */
  connection_id: string;
  /** Every other network is refused with phase_0_mainnet_disabled. */
  network: 'stellar_testnet';
  /** As the Recipient names it; upper and lower case count. */
  asset: string;
  /** Exact decimal, for example "12.50". */
  amount: string;
  /** An active Recipient; it fixes every payment fact. */
  recipient_id?: string;
  /** An address, instead of a Recipient, for the network's own coin. */
  to?: string;
  /** `agent` when absent. `human` needs an admin session, an operator or a wallet. */
  initiated_by?: PaymentInitiator;
  /** The policy that is meant, where it should be no other. */
  policy_id?: string;
  /** One hour from now when absent; at most 366 days ahead. */
  expires_at?: string;
  /** Notes of the caller, no payment facts. Up to 8 KiB, 8 levels deep. */
  metadata?: Record<string, unknown>;
  /** The same as the header; one of them is needed. */
  idempotency_key?: string;
}

/** Which agent payments. */
export interface AgentPaymentQuery {
  /** Records per page. */
  limit?: number;
  /** `next_cursor` of the page before. */
  cursor?: string;
  /** Only of this connection. */
  connection_id?: string;
  /** Only those in this status. */
  status?: AgentPaymentStatus;
}

/** Since when. */
export interface AgentPaymentReadQuery {
  /** Seconds to wait until the record has changed. */
  wait?: number;
  /** The known version: a higher one is returned immediately. */
  state_version?: number;
}

/** What the wallet did. */
export interface AgentPaymentReport {
  /** Present status of the payment. */
  status: AgentPaymentStatus;
  /** The transaction on its network, in printable ASCII. Every spelling of a hash is taken; records have the canonical one. Once set it never changes. */
  tx_hash?: string;
  /** Why, for programs. Only with rejected and failed. Not a reason of the service itself: payee_recalled, connection_revoked, withdrawn_by_agent, superseded. */
  reason_code?: string;
  /** Why, for people. Only with rejected and failed. */
  reason?: string;
  /** Only with signed and rejected: the decision statement, signed by the decision key of this device. Required with signed once the wallet has such a key; rejecting never needs one. */
  decision?: SignedDecision;
  /** Must be the payment's own. */
  connection_id?: string;
  /** After `signed` only that device may report. With true this one takes its place, and the event records it. Let the customer confirm first: the other may still send. */
  takeover?: boolean;
}

/** One page of a list. */
export interface AgentPaymentsPage {
  /** Newest first. */
  items: AgentPayment[];
  /** Null on the last page. */
  next_cursor: string | null;
}

/** A short token of an agent. */
export interface AgentToken {
  /** Sent as `Authorization: Bearer …`. */
  agent_token: string;
  /** Always `Bearer`. */
  token_type: 'Bearer';
  /** Seconds until it ends. */
  expires_in: number;
  /** What the agent may request from customers. */
  scopes: Scope[];
}

/** One page of a list. */
export interface AgentsPage {
  /** Newest first. */
  agents: Agent[];
  /** Null on the last page. */
  next_cursor: string | null;
}

/** An allowlisted Recipient as a person can read it, in the version that the customer accepts or has accepted. */
export interface AllowedPayee {
  /** The Recipient. */
  recipient_id: string;
  /** The version. */
  recipient_version_id: string;
  /** The payee. */
  name: string;
  /** The address that is paid. */
  address: string;
  /** The memo that payments carry. */
  memo: string | null;
  /** Each payment carries a separate memo. */
  memo_policy?: 'request';
  /** The domain that vouches for it; null when none does. */
  domain: string | null;
}

/** One payee. */
export interface AllowlistInput {
  /** A Recipient. */
  recipient_id?: string;
  /** An address. */
  address?: string;
  /** With an address: covers payments with exactly this memo. Without it, those without one. */
  memo?: string;
}

/** A key with which one agent creates agent payments. */
export interface ApiKey {
  /** The record of the key, not the key itself. */
  api_key_id: string;
  /** What operators see in the list. */
  name: string;
  /** The agent that the key speaks for. */
  agent_id: string;
  /** A `revoked` key is refused everywhere. */
  status: 'active' | 'revoked';
  /** The operator who made it; null when that is not known. */
  created_by: string | null;
  /** When the key was made. */
  created_at: string;
  /** When it was revoked; null while it works. */
  revoked_at: string | null;
}

/** One API key, without the key itself. */
export interface ApiKeyAnswer {
  /** A key with which one agent creates agent payments. */
  api_key: ApiKey;
}

/** A new API key. */
export interface ApiKeyInput {
  /** What operators see in the list. */
  name: string;
  /** The agent that the key speaks for. */
  agent_id: string;
}

/** One page of a list. */
export interface ApiKeysPage {
  /** Newest first. */
  api_keys: ApiKey[];
  /** Null on the last page. */
  next_cursor: string | null;
}

/** A change that one owner requested and that another one carries out or rejects. */
export interface Approval {
  /** The approval. */
  approval_id: string;
  /** What would be carried out. */
  act: 'recipient.activate' | 'recipient.archive' | 'operator.invite' | 'operator.change_role' | 'operator.remove' | 'merchant.four_eyes_off' | 'domain.delete';
  /** What would be changed. */
  target: ApprovalTarget;
  /** What exactly would be carried out: for a payee its address, for an operator the role. */
  details: Record<string, unknown>;
  /** Only a pending one can be decided. */
  status: 'pending' | 'approved' | 'rejected' | 'expired';
  /** The owner who requested it. */
  requested_by: string;
  /** The address of that owner. */
  requested_by_email: string;
  /** The owner who decided; null before. */
  decided_by: string | null;
  /** The address of that owner. */
  decided_by_email: string | null;
  /** When it was decided; null before. */
  decided_at: string | null;
  /** When it was requested. */
  created_at: string;
  /** When it can no longer be decided. */
  expires_at: string;
}

/** One approval. */
export interface ApprovalAnswer {
  /** A change that one owner requested and that another one carries out or rejects. */
  approval: Approval;
}

/** Which approvals. */
export interface ApprovalQuery {
  /** Records per page. */
  limit?: number;
  /** `next_cursor` of the page before. */
  cursor?: string;
  /** Only those with this status. */
  status?: 'pending' | 'approved' | 'rejected' | 'expired';
}

/** What would be changed. */
export interface ApprovalTarget {
  /** What kind of record. */
  type: 'recipient' | 'operator' | 'merchant' | 'domain';
  /** Its id; of an operator who is not there yet, the address. */
  id: string;
}

/** One page of a list. */
export interface ApprovalsPage {
  /** Newest first. */
  approvals: Approval[];
  /** Null on the last page. */
  next_cursor: string | null;
}

/** The customer's approval of an invitation. */
export interface ApproveInvitationInput {
  /** Some of the requested scopes; all of them when absent. */
  scopes?: readonly Scope[];
}

/** The customer's approval of a pairing. */
export interface ApprovePairingInput {
  /** As shown by the agent; case and hyphen do not matter. */
  code: string;
  /** Some of the requested scopes; all of them when absent. */
  scopes?: readonly Scope[];
}

/** What an agent signed to prove who it is. */
export interface AssertionInput {
  /** A compact JWS, signed with a credential of the agent. */
  assertion: string;
}

/** One act that changed a right or a secret. */
export interface AuditEvent {
  /** The entry. */
  audit_event_id: string;
  /** What was done. */
  type: AuditEventType;
  /** Who did it. */
  actor: {
    /** What kind of party acted. */
    kind: 'operator' | 'agent' | 'wallet' | 'api_key' | 'admin_session' | 'system' | 'installation' | 'merchant';
    /** Which one, or its name; null for the service itself. */
    id: string | null;
  };
  /** What it was done to. */
  target: {
    /** What kind of record. */
    type: 'merchant' | 'merchant_session' | 'operator' | 'passkey' | 'approval' | 'domain' | 'recipient' | 'agent' | 'credential' | 'device' | 'pending_change' | 'connect_key' | 'connect_invitation' | 'pairing_session' | 'connection' | 'webhook_endpoint' | 'api_key' | 'admin_session' | 'automation_policy';
    /** Which one. */
    id: string;
  };
  /** More about the act. Never a secret. */
  details: Record<string, unknown>;
  /** The HTTP request that caused it; null for the service itself. */
  request_id: string | null;
  /** When it was done. */
  occurred_at: string;
}

/** One page of a list. */
export interface AuditPage {
  /** Newest first. */
  audit_events: AuditEvent[];
  /** Null on the last page. */
  next_cursor: string | null;
}

/** Which audit events. */
export interface AuditQuery {
  /** Records per page. */
  limit?: number;
  /** `next_cursor` of the page before. */
  cursor?: string;
  /** Only acts of this type. */
  type?: AuditEventType;
  /** Only acts on this record. */
  target_id?: string;
}

/** One page of a list. */
export interface AutomationPoliciesPage {
  /** Newest first. */
  items: AutomationPolicy[];
  /** Null on the last page. */
  next_cursor: string | null;
}

/** What an agent may pay without a decision on each. Only the customer can put it into force. */
export interface AutomationPolicy {
  /** The policy. */
  id: string;
  /** Payments are covered only while it is `active`. */
  status: AutomationPolicyStatus;
  /** Raised by every change, which names the previous one. */
  version: number;
  /** The connection whose agent may act. */
  connection_id: string;
  /** The network on which it may pay. */
  network: Network;
  /** The asset in which it may pay. */
  asset: string;
  /** Issuer of the asset; null for the native one. */
  issuer: string | null;
  /** The most that one payment may be. */
  single_tx_limit: string | null;
  /** The most that all payments may be together. */
  cumulative_limit: string | null;
  /** When the policy holds. Null until it is filled. */
  validity_window: {
    /** The first instant. */
    from: string;
    /** The first instant after it. */
    until: string;
  } | null;
  /** Who may be paid: Recipients or addresses. Null until it is filled. */
  allowlist: AllowlistEntry[] | null;
  /** The Recipients of the allowlist, in the versions that the customer accepts or has accepted. */
  allowed_payees?: AllowedPayee[];
  /** The versions that the next consent would accept, when they are not those in force; otherwise empty. */
  proposed_payees?: AllowedPayee[];
  /** How much of the cumulative limit is used. */
  usage: {
    /** What was paid under the policy. */
    spent: string;
    /** What payments under way have reserved. */
    reserved: string;
    /** What is left of the cumulative limit; null without one. */
    remaining: string | null;
  };
  /** When the customer last consented; null before. */
  opted_in_at: string | null;
  /** When the draft was made. */
  created_at: string;
}

/** What was cancelled. */
export interface CancelledPasskey {
  /** The passkey is removed. */
  cancelled: true;
}

/** Claims a Connect Key. */
export interface ClaimInput {
  /** What the customer copied from the wallet, `svc_ck_…`. */
  connect_key: string;
  /** What the agent requests from the customer. */
  requested_scopes: readonly Scope[];
}

/** A claimed invitation with the token that reads and exchanges it. */
export interface ClaimedInvitation {
  /** An agent that claimed a Connect Key and waits for the decision of the customer. */
  connect_invitation: ConnectInvitation;
  /** For this invitation only, `svc_cl_…`. */
  claim_token: string;
}

/** An agent that claimed a Connect Key and waits for the decision of the customer. */
export interface ConnectInvitation {
  /** The invitation. */
  connect_invitation_id: string;
  /** What the customer decided, and whether the agent has exchanged it. */
  status: InvitationStatus;
  /** What the agent requests. */
  requested_scopes: Scope[];
  /** What the customer approved; null before the approval. */
  approved_scopes: Scope[] | null;
  /** The requesting agent. */
  agent: RequestingAgent;
  /** The organization that the agent acts for. */
  merchant: RequestingMerchant;
  /** The connection that came of it; null before. */
  connection_id: string | null;
  /** When the agent requested it. */
  created_at: string;
  /** From this instant on it can no longer be approved. */
  expires_at: string;
}

/** A one-time key that a customer gives to an agent. It lets the agent request a connection; it approves nothing. */
export interface ConnectKey {
  /** The record of the key, not the key itself. */
  connect_key_id: string;
  /** Only an `issued` key can be claimed, once. */
  status: 'issued' | 'used' | 'withdrawn' | 'expired';
  /** When the key was made. */
  created_at: string;
  /** From this instant on the key can no longer be claimed. */
  expires_at: string;
}

/** One Connect Key, without the key itself. */
export interface ConnectKeyAnswer {
  /** A one-time key that a customer gives to an agent. It lets the agent request a connection; it approves nothing. */
  connect_key: ConnectKey;
}

/** One page of a list. */
export interface ConnectKeysPage {
  /** Newest first. */
  connect_keys: ConnectKey[];
  /** Null on the last page. */
  next_cursor: string | null;
}

/** The permission of one customer for one agent: which agent may request what from which wallet. */
export interface Connection {
  /** The connection. */
  connection_id: string;
  /** While `paused` the agent can read but request nothing. `revoked` is final. */
  status: 'active' | 'paused' | 'revoked';
  /** What the customer approved, without what the agent has lost since. */
  scopes: Scope[];
  /** The connected agent. */
  agent: {
    /** The agent. */
    agent_id: string;
    /** Its name. */
    name: string;
    /** To the wallet only, after a rename: the name that the customer knows, until the new one was seen. */
    former_name?: string;
  };
  /** The organization that the agent acts for. */
  merchant: {
    /** What the organization calls itself; not verified. */
    name: string;
    /** A domain that the organization has proved; null when it has none. */
    verified_domain: string | null;
    /** To the wallet only, after a rename: the name that the customer knows, until the new one was seen. */
    former_name?: string;
  };
  /** When the connection was made. */
  created_at: string;
  /** When the record last changed. */
  updated_at: string;
}

/** One connection. */
export interface ConnectionAnswer {
  /** The permission of one customer for one agent: which agent may request what from which wallet. */
  connection: Connection;
}

/** A change of a connection by the wallet. */
export interface ConnectionChange {
  /** Pauses or resumes the connection. */
  status?: 'paused' | 'active';
  /** The names that the customer was shown. When one of them is still the present name, the connection no longer carries its former_name. */
  seen_names?: {
    /** The name of the agent. */
    agent?: string;
    /** The name of the merchant. */
    merchant?: string;
  };
}

/** Selects between equal ids of two connections. */
export interface ConnectionQuery {
  /** Only of this connection. */
  connection_id?: string;
}

/** A connection with the token to act in it. */
export interface ConnectionWithToken {
  /** The permission of one customer for one agent: which agent may request what from which wallet. */
  connection: Connection;
  /** `svc_ct_…`; store it as a secret. */
  connection_token: string;
}

/** One page of a list. */
export interface ConnectionsPage {
  /** Newest first. */
  connections: Connection[];
  /** Null on the last page. */
  next_cursor: string | null;
}

/** One transaction context. */
export interface ContextAnswer {
  /** What a payment is for, in the words of the agent. It may carry further members, but no payment facts. */
  transaction_context: TransactionContext;
}

/** What the customer should read before approving. It may carry further members, but no payment facts. */
export interface ContextInput {
  /** A known id gets a new revision; a new one is made when absent. */
  transaction_id?: string;
  /** Must be the token's own. */
  connection_id?: string;
  /** A line that names the purchase. */
  title?: string;
  /** A few sentences for the customer. */
  summary?: string;
  /** What is bought. */
  line_items?: readonly unknown[];
  /** Anything else. */
  [member: string]: unknown;
}

/** Selects a context. */
export interface ContextQuery {
  /** Only of this connection. */
  connection_id?: string;
  /** The one that a request has pinned; the newest when absent. */
  revision?: number;
}

/** The request of an agent. Network, asset, address and every other detail come from the payee. */
export interface CreatePaymentRequestInput {
  /** A Recipient with an active version. */
  recipient_id: string;
  /** When sent, it must be the active version; otherwise nothing is created. */
  recipient_version_id?: string;
  /** How much. */
  payment: {
    /** Exact decimal, for example "12.50". */
    amount: string;
  };
  /** Under which conditions the wallet may pay. */
  policy: {
    /** Always true: the customer decides. */
    requires_user_approval: true;
  };
  /** One hour from now when absent; at most 366 days ahead. */
  expires_at?: string;
  /** Seconds from now, instead of expires_at: the same in every retry. */
  expires_in?: number;
  /** What the caller believes. When something else is true, nothing is created. */
  expect?: {
    /** The network of the payee. */
    network?: string;
    /** The asset of the payee. */
    asset?: string;
    /** Decimal places of the asset. */
    decimals?: number;
    /** The active version. */
    recipient_version_id?: string;
  };
  /** A pending request of this connection, which is withdrawn in the same step. */
  supersedes?: string;
  /** When the same was requested within 24 hours: `flag` marks the record, `refuse` creates nothing. */
  if_duplicate?: 'flag' | 'refuse';
  /** An earlier request of which this is a second payment on purpose; the customer sees it. */
  duplicate_of?: string;
  /** The same as the header. One of the two, or request_id, is needed. */
  idempotency_key?: string;
  /** Becomes the id of the request; unique in this connection. */
  request_id?: string;
  /** A transaction context, whose newest revision is pinned, or an id that has none yet. */
  transaction_id?: string;
  /** Must be the token's own. */
  connection_id?: string;
  /** Where the request comes from. Up to 8 KiB, 8 levels deep. */
  source?: Record<string, unknown>;
  /** What the customer may be shown, no payment facts. Up to 8 KiB, 8 levels deep. */
  display?: Record<string, unknown>;
  /** Notes of the agent, no payment facts. Up to 8 KiB, 8 levels deep. */
  metadata?: Record<string, unknown>;
  /** The format of the record. */
  protocol?: 'svc.payment_request.v1';
}

/** A new API key. The key itself is shown in this response only. */
export interface CreatedApiKey {
  /** `svc_key_test_…`; store it as a secret. */
  api_key: string;
  /** The record of the key, not the key itself. */
  api_key_id: string;
  /** What operators see in the list. */
  name: string;
  /** The agent that the key speaks for. */
  agent_id: string;
  /** A `revoked` key is refused everywhere. */
  status: 'active' | 'revoked';
  /** The operator who made it; null when that is not known. */
  created_by: string | null;
  /** When the key was made. */
  created_at: string;
  /** When it was revoked; null while it works. */
  revoked_at: string | null;
}

/** A new Connect Key. The key itself is shown in this response only. */
export interface CreatedConnectKey {
  /** What the customer hands to the agent, `svc_ck_…`. */
  connect_key: string;
  /** The record of the key, not the key itself. */
  connect_key_id: string;
  /** Only an `issued` key can be claimed, once. */
  status: 'issued' | 'used' | 'withdrawn' | 'expired';
  /** When the key was made. */
  created_at: string;
  /** From this instant on the key can no longer be claimed. */
  expires_at: string;
}

/** A new organization with the grant that opens its first session. */
export interface CreatedOrganization {
  /** The organization behind payees and agents. */
  merchant: Merchant;
  /** Opens a session; once. */
  next_grant: string;
  /** When the grant ends. */
  next_grant_expires_at: string;
}

/** A public key with which an agent signs assertions. */
export interface Credential {
  /** The credential. */
  credential_id: string;
  /** The agent that it belongs to. */
  agent_id: string;
  /** Names the key in assertions; unique per agent and never reused. */
  kid: string;
  /** The signature algorithm. */
  alg: 'Ed25519';
  /** Only an `active` credential can sign; it must be proved first. */
  status: 'pending_proof' | 'active' | 'revoked' | 'expired';
  /** The key works from this instant on; null means from its activation. */
  not_before: string | null;
  /** The key works up to and including this instant; null means without an end. */
  expires_at: string | null;
  /** When the key was registered. */
  created_at: string;
}

/** One credential. */
export interface CredentialAnswer {
  /** A public key with which an agent signs assertions. */
  credential: Credential;
}

/** The signature that proves possession of a private key. */
export interface CredentialProof {
  /** proof_challenge, byte for byte. */
  challenge: string;
  /** Ed25519 over the UTF-8 bytes of the challenge, base64url or base64. */
  signature: string;
}

/** One page of a list. */
export interface CredentialsPage {
  /** Newest first. */
  credentials: Credential[];
  /** Null on the last page. */
  next_cursor: string | null;
}

/** The connection of the calling agent. */
export interface CurrentConnection {
  /** The permission of one customer for one agent: which agent may request what from which wallet. */
  connection: Connection;
  /** What the agent may do here at this moment. */
  effective_scopes: Scope[];
  /** Those in force, paused or proposed; newest first. */
  policies: PolicySummary[];
  /** Whether the customer can be reached. */
  wallet: {
    /** The last call of any of its devices, to the minute; null when there was none. */
    last_seen_at: string | null;
    /** Whether a message can be pushed to one of its devices. */
    has_push: boolean;
  };
  /** How much more may be requested. */
  limits: {
    /** Requests of this connection that await a decision. */
    pending: number;
    /** At most so many may; null without a limit. */
    max_pending: number | null;
  };
}

/** What a device decided, and what it signed. */
export interface Decision {
  /** What the customer chose. */
  decision: 'approve' | 'reject';
  /** When the customer decided. */
  decided_at: string;
  /** The device that reported it. Of an unsigned decision only the wallet reads it; null for others. */
  device_id: string | null;
  /** The kind of the decision key; null where nothing was signed. */
  alg: 'Ed25519' | 'webauthn' | null;
  /** Of the decision key; with `alg` and what follows null where nothing was signed. */
  key_thumbprint: string | null;
  /** The text that was signed. */
  statement: string | null;
  /** By an Ed25519 key, base64url without padding. */
  signature?: string | null;
  /** The response of an authenticator, each member base64url without padding. */
  webauthn?: WebauthnAssertion;
}

/** A new decision key for a device. */
export interface DecisionKeyChange {
  /** The public part of a key that signs decisions. */
  decision_key: DecisionKeyInput;
  /** By the new key, over `svc-decision-key:v1:<base URL>:<device_id>:<thumbprint>`: an Ed25519 signature, or `{webauthn: {authenticator_data, client_data_json, signature}}` whose challenge is the SHA-256 of that text. */
  proof: string | Record<string, unknown>;
  /** Instead of an authorization, for a key that this device never had: the text of `proof`, signed by the key of another device of the wallet. */
  endorsement?: DecisionKeyEndorsement;
  /** Needed in a wallet with a decision key; without it the change takes effect after 24 hours. A current key of the wallet signs `svc-decision-act:v1:<base URL>:<act>:<device acted on or ->:<thumbprint or ->:<at>`; `act` is `set_key`, `remove_key`, `delete_device` or `recovery_code`, the thumbprint that of the new key or of the key that ends. Counts once. */
  authorization?: WalletAuthorization;
}

/** Instead of an authorization, for a key that this device never had: the text of `proof`, signed by the key of another device of the wallet. */
export interface DecisionKeyEndorsement {
  /** The device that vouches. */
  device_id: string;
  /** By an Ed25519 key. Base64url without padding. */
  signature?: string;
  /** By a passkey: the response of its authenticator. */
  webauthn?: WebauthnAssertionInput;
}

/** The public part of a key that signs decisions. */
export interface DecisionKeyInput {
  /** The kind of the key. */
  alg: 'Ed25519' | 'webauthn';
  /** Base64url without padding: 32 bytes, or for webauthn a COSE key of ES256 or EdDSA. */
  public_key: string;
  /** Of a passkey only. Base64url without padding. */
  credential_id?: string;
  /** Of a passkey only: the party it was made for. */
  rp_id?: string;
  /** Of a passkey only: where the wallet uses it. */
  origin?: string;
}

/** The end of a decision key. */
export interface DecisionKeyRemoval {
  /** Needed in a wallet with a decision key; without it the change takes effect after 24 hours. A current key of the wallet signs `svc-decision-act:v1:<base URL>:<act>:<device acted on or ->:<thumbprint or ->:<at>`; `act` is `set_key`, `remove_key`, `delete_device` or `recovery_code`, the thumbprint that of the new key or of the key that ends. Counts once. */
  authorization?: WalletAuthorization;
}

/** The decision key of a device, as its owner reads it. */
export interface DecisionKeySummary {
  /** The kind of the key. */
  alg: 'Ed25519' | 'webauthn';
  /** Names the key. */
  thumbprint: string;
  /** When the key was set. */
  created_at: string;
  /** The device whose key authorized it, `recovery` after a recovery, or `delay` after 24 hours; null for the first key of a wallet. */
  endorsed_by: string | null;
}

/** One device of a customer's wallet. */
export interface Device {
  /** The device. */
  device_id: string;
  /** The wallet that it belongs to. */
  wallet_id: string;
  /** What the customer calls the device. */
  name: string;
  /** What it runs on, such as `ios`; null when it was not stated. */
  platform: string | null;
  /** A `revoked` device has no right any more. */
  status: 'active' | 'revoked';
  /** The key with which it signs decisions; null when it has none. */
  decision_key?: DecisionKeySummary | null;
  /** Whether it gets notifications. */
  has_push: boolean;
  /** When the device was enrolled. */
  created_at: string;
}

/** One device. */
export interface DeviceAnswer {
  /** One device of a customer's wallet. */
  device: Device;
}

/** What allows the removal of a device with a decision key. */
export interface DeviceDeletion {
  /** Needed in a wallet with a decision key; without it the change takes effect after 24 hours. A current key of the wallet signs `svc-decision-act:v1:<base URL>:<act>:<device acted on or ->:<thumbprint or ->:<at>`; `act` is `set_key`, `remove_key`, `delete_device` or `recovery_code`, the thumbprint that of the new key or of the key that ends. Counts once. */
  authorization?: WalletAuthorization;
}

/** A device with its new token. */
export interface DeviceWithToken {
  /** One device of a customer's wallet. */
  device: Device;
  /** `svc_dt_…`; store it before anything else. */
  token: string;
}

/** One page of a list. */
export interface DevicesPage {
  /** Newest first. */
  devices: Device[];
  /** Null on the last page. */
  next_cursor: string | null;
}

/** A domain that an organization has proved or wants to prove. */
export interface Domain {
  /** The record of the domain. */
  domain_id: string;
  /** The exact host, such as `shop.example`. */
  domain: string;
  /** How the challenge is published. */
  method: DomainMethod;
  /** `lapsed` when the challenge is no longer published. */
  status: 'pending' | 'verified' | 'lapsed';
  /** When it was registered. */
  created_at: string;
  /** When the challenge was last found; null before. */
  verified_at: string | null;
}

/** One domain. */
export interface DomainAnswer {
  /** A domain that an organization has proved or wants to prove. */
  domain: Domain;
}

/** What to publish. Both ways are always shown; only the chosen one is checked. */
export interface DomainChallenge {
  /** The way that is checked. */
  method: DomainMethod;
  /** The DNS record. */
  dns: {
    /** The type of the record. */
    type: 'TXT';
    /** The name of the record. */
    name: string;
    /** The text of the record. */
    value: string;
  };
  /** The file. */
  https: {
    /** Where the file is fetched. */
    url: string;
    /** What the file contains. */
    body: string;
  };
  /** When the challenge ends. */
  expires_at: string;
}

/** A domain that is to be proved. */
export interface DomainInput {
  /** The exact host, such as shop.example: no scheme, port, path or wildcard. */
  domain: string;
  /** How the challenge will be published; dns unless stated. */
  method?: DomainMethod;
}

/** A domain and what to publish for it. */
export interface DomainWithChallenge {
  /** A domain that an organization has proved or wants to prove. */
  domain: Domain;
  /** What to publish. Both ways are always shown; only the chosen one is checked. */
  challenge: DomainChallenge;
}

/** One page of a list. */
export interface DomainsPage {
  /** Newest first. */
  domains: Domain[];
  /** Null on the last page. */
  next_cursor: string | null;
}

/** What a mailed link or a passkey is exchanged for. */
export interface EmailGrant {
  /** Creates an organization, or opens a session with one of `merchants`; once. */
  session_grant: string;
  /** When the grant ends. */
  session_grant_expires_at: string;
  /** Organizations that the operator may enter. */
  merchants: MerchantChoice[];
}

/** The secret of a mailed link. */
export interface EmailVerificationInput {
  /** The part of the mailed link behind `#token=`. */
  token: string;
}

/** A freshly enrolled device. */
export interface EnrolAnswer {
  /** One device of a customer's wallet. */
  device: Device;
  /** The device token, `svc_dt_…`. Shown once; store it as a secret. */
  token: string;
  /** Brings back the wallet when every device is lost. Shown once; null when the device joined with a link code, because the previous one stays valid. */
  recovery_code: string | null;
  /** After a recovery: the other devices that had a right until then, with their status now. */
  other_devices?: Device[];
}

/** A device that is to be enrolled. */
export interface EnrolInput {
  /** Shown in the list of devices. */
  name: string;
  /** What it runs on, such as `ios`. */
  platform?: string;
  /** From another device: joins its wallet. */
  link_code?: string;
  /** Joins the wallet whose devices are lost; it is replaced by a new one. */
  recovery_code?: string;
  /** With recovery_code: ends every other device of the wallet in the same step, and cancels its pending changes. */
  revoke_others?: boolean;
}

/** Every code that the service can return. */
export interface ErrorCatalogue {
  /** Every error code. */
  errors: ErrorCatalogueEntry[];
  /** Reasons that wallets should use when they reject; others are allowed. */
  reason_codes: string[];
  /** Every type of audit event. */
  audit_event_types: string[];
}

/** One error code. */
export interface ErrorCatalogueEntry {
  /** The code. */
  code: ErrorCode;
  /** The HTTP status that comes with it. */
  http_status: number;
  /** What it means. */
  meaning: string;
  /** What to do. */
  recovery: string;
  /** Whether a program may send the same request again without a person. */
  safe_to_retry: boolean;
}

/** One page of events. */
export interface EventsPage {
  /** In the order of their numbers. */
  events: PaymentRequestEvent[];
  /** The last number of this page, or `since` when it is empty. */
  next_cursor: number;
  /** Whether more are already there. */
  has_more: boolean;
}

/** A proof that a domain vouches for a version. */
export interface Evidence {
  /** The evidence. */
  evidence_id: string;
  /** The version that it is for. */
  recipient_version_id: string;
  /** What kind of proof it is. */
  type: 'domain_proof';
  /** The domain that vouches. */
  source_id: string;
  /** `payee`: the domain publishes this very payee. `domain`: only that it belongs to the organization. */
  binding: 'payee' | 'domain';
  /** Over everything that was proved; send it with the activation. */
  evidence_digest: string;
  /** When the proof was queried. */
  created_at: string;
  /** From this instant on it can no longer activate a version. */
  expires_at: string;
}

/** Everything that proves the outcome of a payment, in RFC 8785 form: written again, it is the bytes that were served. */
export interface EvidenceBundle {
  /** The format. */
  profile: 'svc.evidence.v1';
  /** Whose word it is. */
  service: EvidenceService;
  /** The payee's facts and what they rest on; null for a payment to a bare address. */
  payee: Record<string, unknown> | null;
  /** The record as it was created, with `intent_digest` (64 hex digits without a prefix); its payee has no `is_current`. */
  request: Record<string, unknown>;
  /** The agent, with the newest key that it had proved. */
  agent: Record<string, unknown>;
  /** The words that were pinned; null when there were none. */
  context: Record<string, unknown> | null;
  /** What the customer decided, with the key that signed it; null before. */
  decision: Record<string, unknown> | null;
  /** The request's events, oldest first. */
  history: (Record<string, unknown>)[];
  /** What the chain showed, where it is observed: the service's word. */
  settlement: Record<string, unknown> | null;
  /** What the transparency log has of it. */
  log: EvidenceLog;
  /** When this was put together. */
  as_of: string;
  /** By the service's evidence key, over everything else. */
  signature: EvidenceSignature;
}

/** What the transparency log has of it. */
export interface EvidenceLog {
  /** In the order of the log; those that wait come last. */
  entries: (Record<string, unknown>)[];
}

/** Whose word it is. */
export interface EvidenceService {
  /** The base URL of the service. */
  origin: string;
}

/** By the service's evidence key, over everything else. */
export interface EvidenceSignature {
  /** Which of the published keys. */
  kid: string;
  /** Ed25519, base64url without padding. */
  value: string;
}

/** Sums and counts of the requests of thirty days. No payment is in two rows. */
export interface Figures {
  /** When today began. */
  today: string;
  /** All since then is counted; later than thirty days ago when there was too much. */
  complete_since: string;
  /** Payment requests and agent payments. */
  received: ReceivedFigure[];
  /** Requests that customers approved. */
  approved: number;
  /** Requests that customers rejected. */
  rejected: number;
  /** Requests that ended without a decision. */
  undecided: number;
  /** From request to decision; null without one. */
  median_decision_ms: number | null;
  /** Pending now, of any age, 10,000 at most. */
  waiting: number;
}

/** The figures. */
export interface FiguresAnswer {
  /** Sums and counts of the requests of thirty days. No payment is in two rows. */
  figures: Figures;
}

/** Where the reader is. */
export interface FiguresQuery {
  /** When today began there; midnight UTC when absent. */
  today?: string;
}

/** The `error.details` of HC_NC_5_HITL_REQUIRED. */
export interface HumanRequiredDetails {
  /** Every threshold that the payment would cross. */
  triggered_thresholds: ('single_tx_limit' | 'cumulative_limit' | 'validity_window' | 'allowlist' | 'no_active_policy')[];
  /** The policy that was judged; null when there is none. */
  policy_id: string | null;
  /** The thresholds of that policy. */
  limits: Record<string, unknown> | null;
  /** What is left of the cumulative limit; null without one. */
  remaining: string | null;
  /** The most that a payment to this payee could be at this moment. */
  max_amount_allowed: string;
  /** What to change so that a person can submit it. */
  resubmit: {
    /** Who has to submit it. */
    initiated_by: 'human';
  };
}

/** One invitation. */
export interface InvitationAnswer {
  /** An agent that claimed a Connect Key and waits for the decision of the customer. */
  connect_invitation: ConnectInvitation;
}

/** Which invitations. */
export interface InvitationQuery {
  /** Records per page. */
  limit?: number;
  /** `next_cursor` of the page before. */
  cursor?: string;
  /** Only those in this status. */
  status?: InvitationStatus;
}

/** One page of a list. */
export interface InvitationsPage {
  /** Newest first. */
  connect_invitations: ConnectInvitation[];
  /** Null on the last page. */
  next_cursor: string | null;
}

/** A code with which another device joins the wallet. */
export interface LinkCode {
  /** Works once. Shown once. */
  link_code: string;
  /** When the code ends. */
  expires_at: string;
}

/** A call that an agent made, without its body. */
export interface LoggedCall {
  /** When it got its response. */
  called_at: string;
  /** Whose call it was. */
  agent_id: string;
  /** What was called: `createPaymentRequest`. */
  operation: string;
  /** The HTTP status of the response. */
  status: number;
  /** What the response refused; null for a call that succeeded. */
  error_code: ErrorCode | null;
  /** `X-Request-Id` of the response. */
  request_id: string;
  /** How long the service took, including a requested `wait`. */
  latency_ms: number;
}

/** The organization behind payees and agents. */
export interface Merchant {
  /** The organization. */
  merchant_id: string;
  /** What it calls itself; not verified. */
  name: string;
  /** `active` since its first domain was proved. */
  status: 'pending' | 'active';
  /** Whether evidence counts only when the domain publishes the payee itself. Once true it stays so. */
  require_payee_binding: boolean;
  /** Whether changes of payees and operators, and the deletion of a domain, wait for a second owner. */
  four_eyes: boolean;
  /** Raised by every change, which names the previous one. */
  version: number;
  /** When it was created. */
  created_at: string;
  /** When the record last changed. */
  updated_at: string;
}

/** The organization. */
export interface MerchantAnswer {
  /** The organization behind payees and agents. */
  merchant: Merchant;
}

/** A change of the organization. */
export interface MerchantChange {
  /** What the organization calls itself. One line, without `://`, `www.` and `@`, and without *verified* or *official* next to a domain. */
  name?: string;
  /** true: evidence is made only for payees whose payee_record the domain publishes. Cannot be taken back. */
  require_payee_binding?: boolean;
  /** true: activating and archiving payees, deleting domains, changes of operators and switching this off wait for a second owner. Needs two active owners. */
  four_eyes?: boolean;
  /** The version that it is based on. */
  version: number;
}

/** An organization that the operator may enter, without its identifier. */
export interface MerchantChoice {
  /** Names the choice when the session is opened. */
  choice_id: string;
  /** The organization. */
  name: string;
  /** Its status. */
  status: 'pending' | 'active';
}

/** The session of an operator. */
export interface MerchantSession {
  /** The session. */
  session_id: string;
  /** Whether it is the calling session. */
  current: boolean;
  /** How the operator signed in. */
  signed_in_by: SignInMethod;
  /** Where the sign-in came from; null for sessions from before this was kept. */
  network_address: string | null;
  /** The `User-Agent` of the browser; null without one. */
  user_agent: string | null;
  /** Until when calls that need a passkey pass; null when none was used. */
  stepped_up_until: string | null;
  /** When the operator signed in. */
  created_at: string;
  /** When the session was last used. */
  last_seen_at: string;
  /** When the session ends at the latest. */
  expires_at: string;
}

/** Every network that payees can be on. */
export interface NetworkCatalogue {
  /** Every network. */
  networks: NetworkInfo[];
}

/** A network and what payments on it can carry. */
export interface NetworkInfo {
  /** The network. */
  network: Network;
  /** The same network in CAIP-2 form, such as `eip155:1`. */
  caip2: string;
  /** Every rail that leads through this network. */
  rails: Rail[];
  /** The symbol of the network’s own coin; null where it has no rail. */
  native_asset: string | null;
  /** Decimal places of the native asset; where there is none, of the asset of its rail. */
  decimals: number;
  /** The form of an address. */
  address_form: string;
  /** What a payer can attach; null where payments carry no memo. */
  memo: NetworkMemo | null;
  /** The largest amount of the native asset that one payment can carry. */
  max_amount: string | null;
  /** The page of a transaction in an explorer, with `{tx_hash}` for its hash. */
  explorer: string;
  /** True for test networks. */
  is_testnet: boolean;
  /** Whether this service lets payees on it be activated and paid. */
  enabled: boolean;
}

/** What a payer can attach. */
export interface NetworkMemo {
  /** What the memo is. */
  kind: 'text' | 'number';
  /** At most so many bytes. */
  max_bytes: number;
}

/** A payee proof with the result of the query. */
export interface NewEvidence {
  /** The evidence. */
  evidence_id: string;
  /** The version that it is for. */
  recipient_version_id: string;
  /** What kind of proof it is. */
  type: 'domain_proof';
  /** The domain that vouches. */
  source_id: string;
  /** `payee`: the domain publishes this very payee. `domain`: only that it belongs to the organization. */
  binding: 'payee' | 'domain';
  /** Over everything that was proved; send it with the activation. */
  evidence_digest: string;
  /** When the proof was queried. */
  created_at: string;
  /** From this instant on it can no longer activate a version. */
  expires_at: string;
  /** The domain that vouches. */
  domain: string;
  /** Where its proof was found. */
  method: DomainMethod;
}

/** A transaction by its effects. */
export interface ObservedTransaction {
  /** Its name on the network; of a fee bump, that of the fee bump. */
  tx_hash: string;
  /** The number of its block or ledger. */
  block: number | null;
  /** The hash of that block. */
  block_hash: string | null;
  /** When that block was made. */
  time: string | null;
  /** Blocks since then, its own included. */
  confirmations: number;
  /** What moved. */
  payments: ({
    /** Who was paid. */
    to: string;
    /** In what. */
    asset: string;
    /** How much. */
    amount: string;
    /** Issuing account, on Stellar. */
    issuer?: string;
    /** Token contract, on EVM networks. */
    contract?: string;
  })[];
  /** The memo that it carries. */
  memo: string | null;
}

/** An open session of an operator. */
export interface OpenSession {
  /** The organization behind payees and agents. */
  merchant: Merchant;
  /** A person who works for an organization. The audit trail names operators by this id. */
  operator: Operator;
  /** Sent as X-CSRF-Token with every change. */
  csrf_token: string;
  /** The session of an operator. */
  session: MerchantSession;
}

/** A person who works for an organization. The audit trail names operators by this id. */
export interface Operator {
  /** The operator. */
  operator_id: string;
  /** Where sign-in links are sent. */
  email: string;
  /** What the operator may do. */
  role: OperatorRole;
  /** `active` since the first sign-in to the organization. */
  status: OperatorStatus;
  /** When the operator was invited. */
  created_at: string;
}

/** One operator. */
export interface OperatorAnswer {
  /** A person who works for an organization. The audit trail names operators by this id. */
  operator: Operator;
}

/** Another role for an operator. */
export interface OperatorChange {
  /** What the operator may do. */
  role: OperatorRole;
}

/** A person to invite. */
export interface OperatorInput {
  /** Compared in lower case. */
  email: string;
  /** What the operator may do. */
  role: OperatorRole;
}

/** All operators of the organization. */
export interface OperatorList {
  /** Newest first. */
  operators: TeamMember[];
}

/** A new organization. */
export interface OrganizationInput {
  /** From the email verification. */
  session_grant: string;
  /** What the organization calls itself. One line, without `://`, `www.` and `@`, and without *verified* or *official* next to a domain. */
  name: string;
}

/** Which page of a list. */
export interface PageQuery {
  /** Records per page. */
  limit?: number;
  /** `next_cursor` of the page before. */
  cursor?: string;
}

/** One pairing session. */
export interface PairingAnswer {
  /** An agent that shows a short code and waits for a customer to enter it in the wallet. */
  pairing_session: PairingSession;
}

/** A new pairing. */
export interface PairingInput {
  /** What the agent requests from the customer. */
  requested_scopes: readonly Scope[];
}

/** Which pairing session. */
export interface PairingQuery {
  /** As shown by the agent; case and hyphen do not matter. */
  code: string;
}

/** An agent that shows a short code and waits for a customer to enter it in the wallet. */
export interface PairingSession {
  /** The session. */
  pairing_session_id: string;
  /** What the customer decided; `completed` after the first use of the token, or once the agent has collected its own. */
  status: 'pending' | 'approved' | 'completed' | 'rejected' | 'expired';
  /** How long to wait before the next poll, in milliseconds. */
  poll_after_ms: number;
  /** What the agent requests. */
  requested_scopes: Scope[];
  /** What the customer approved; null before the approval. */
  approved_scopes: Scope[] | null;
  /** The requesting agent. */
  agent: RequestingAgent;
  /** The organization that the agent acts for. */
  merchant: RequestingMerchant;
  /** The connection that came of it; null before. */
  connection_id: string | null;
  /** When the agent requested it. */
  created_at: string;
  /** From this instant on it can no longer be approved. */
  expires_at: string;
}

/** The state of a pairing. */
export interface PairingState {
  /** An agent that shows a short code and waits for a customer to enter it in the wallet. */
  pairing_session: PairingSession;
  /** Null before the approval. */
  connection: Connection | null;
  /** The token that the wallet has seen. Null before the approval, after its first use, and once the agent has collected its own. */
  connection_token: string | null;
}

/** An operator's key in a phone, a computer or a security key. It counts in every organization of the operator. */
export interface Passkey {
  /** The passkey. */
  passkey_id: string;
  /** What the operator calls it. */
  name: string;
  /** Whether its maker keeps it in step on several devices. */
  backed_up: boolean;
  /** When it was registered. */
  created_at: string;
  /** From when on calls that matter need it. Before, it steps nothing up and nothing needs it; an owner can cancel it. */
  effective_at: string;
  /** When it was last used; null before. */
  last_used_at: string | null;
}

/** One passkey. */
export interface PasskeyAnswer {
  /** An operator's key in a phone, a computer or a security key. It counts in every organization of the operator. */
  passkey: Passkey;
}

/** The credential as `toJSON()` of the browser gives it (AuthenticationResponseJSON). */
export interface PasskeyAssertion {
  /** The credential's id, base64url. */
  id: string;
  /** The same. */
  rawId: string;
  /** `public-key`. */
  type: string;
  /** What the authenticator signed. */
  response: {
    /** The request to the browser, base64url. */
    clientDataJSON: string;
    /** The authenticator data, base64url. */
    authenticatorData: string;
    /** Over both, base64url. */
    signature: string;
  };
}

/** The link that cancels a passkey. */
export interface PasskeyCancellation {
  /** What follows `#token=` in the link. */
  token: string;
}

/** A new passkey. */
export interface PasskeyInput {
  /** What the operator calls it. */
  name: string;
  /** The new credential as `toJSON()` of the browser gives it (RegistrationResponseJSON). */
  credential: PasskeyRegistration;
}

/** All passkeys of the operator. */
export interface PasskeyList {
  /** Newest first. */
  passkeys: Passkey[];
}

/** The request to the browser. */
export interface PasskeyOptions {
  /** For the browser, in the JSON form of WebAuthn Level 3. The challenge works once, for 5 minutes. */
  options: Record<string, unknown>;
}

/** The new credential as `toJSON()` of the browser gives it (RegistrationResponseJSON). */
export interface PasskeyRegistration {
  /** The credential's id, base64url. */
  id: string;
  /** The same. */
  rawId: string;
  /** `public-key`. */
  type: string;
  /** What the authenticator made. */
  response: {
    /** The request to the browser, base64url. */
    clientDataJSON: string;
    /** The new public key, base64url. */
    attestationObject: string;
  };
}

/** The use of a passkey. */
export interface PasskeyUse {
  /** The credential as `toJSON()` of the browser gives it (AuthenticationResponseJSON). */
  credential: PasskeyAssertion;
}

/** A payee that the agent may request payments to. */
export interface Payee {
  /** The Recipient; a create names it. */
  recipient_id: string;
  /** Its active version. */
  recipient_version_id: string;
  /** The payee, as the active version names it. */
  name: string;
  /** The domain that vouches for it. */
  domain: string;
  /** Only payees that a domain vouches for are listed. */
  verified: true;
  /** `payee`: the domain publishes this very payee. `domain`: only that it belongs to the organization. */
  binding: 'payee' | 'domain';
  /** The evidence with which the version was activated. */
  evidence_digest: string;
  /** Where and in what the payee is paid. */
  payment: PayeePayment;
  /** When the version was activated. */
  activated_at: string;
}

/** One payee. */
export interface PayeeAnswer {
  /** A payee that the agent may request payments to. */
  payee: Payee;
}

/** Where and in what the payee is paid. */
export interface PayeePayment {
  /** The family of payment methods. */
  rail: Rail;
  /** The network on which to pay. */
  network: Network;
  /** The native symbol of the network, such as `XLM`, or a token. */
  asset: string;
  /** The address that is paid. */
  to: string;
  /** Decimal places of the asset. */
  decimals: number;
  /** Token contract, on EVM networks. */
  contract?: string;
  /** Issuing account, on Stellar for every asset but XLM. */
  issuer?: string;
  /** Chain id, on EVM networks. */
  chain_id?: number;
  /** Memo, destination tag or comment that the payment must carry. */
  memo?: string;
  /** Each request gets a separate memo. */
  memo_policy?: 'request';
}

/** Which payees. */
export interface PayeeQuery {
  /** Records per page. */
  limit?: number;
  /** `next_cursor` of the page before. */
  cursor?: string;
  /** Part of the name or of the domain; upper and lower case are the same. */
  q?: string;
  /** Only on this network. */
  network?: Network;
  /** Only in this asset. */
  asset?: string;
}

/** One page of a list. */
export interface PayeesPage {
  /** By name. */
  payees: Payee[];
  /** Null on the last page. */
  next_cursor: string | null;
}

/** A payment that an agent requests from a customer. It exists before anything is paid; the wallet decides. */
export interface PaymentRequest {
  /** The format of this record. */
  protocol: 'svc.payment_request.v1';
  /** The request; unique in its connection. */
  request_id: string;
  /** The connection of the request. */
  connection_id: string;
  /** The transaction context that describes the purpose of the payment. */
  transaction_id?: string;
  /** When the request was created. */
  created_at: string;
  /** A request that is still `pending` at this instant expires. */
  expires_at: string;
  /** The key that the agent sent with the create. */
  idempotency_key?: string;
  /** Status of the request. `confirmed` is what the wallet reports. */
  status: PaymentRequestStatus;
  /** Where the request comes from, in the words of the agent. */
  source: Record<string, unknown>;
  /** What to pay and where. Comes from the pinned version of the Recipient and never changes. */
  payment: RequestedPayment;
  /** Under which conditions the wallet may pay. */
  policy: {
    /** Always true: the customer decides. */
    requires_user_approval: true;
  };
  /** What the customer may be shown, in the words of the agent. Never payment facts. */
  display?: Record<string, unknown>;
  /** Notes of the agent. */
  metadata?: Record<string, unknown>;
  /** Who is paid, and who vouches for it. */
  payee: PinnedPayee;
  /** For merchants and wallets: what the request was created with. `proof`: the agent's key signed the call. `own_token`: only the agent has had the token. `shared_token`: a wallet has seen the token, so the customer may have created the request. Null for requests from before this was recorded. */
  created_with?: RequestOrigin | null;
  /** Raised by every change of status. */
  state_version: number;
  /** Whether the status can no longer change. */
  is_final: boolean;
  /** What the customer should know before deciding. */
  risk?: PaymentRisk;
  /** Over the payment facts: a wallet checks that they are the pinned ones. */
  facts_digest: string;
  /** Which revision of the transaction context belongs to this request. */
  transaction_context?: {
    /** Pinned at the creation; null when there was no context yet. */
    revision: number | null;
  } | null;
  /** The transaction, as the wallet reported it. */
  tx_hash?: string | null;
  /** Why it was rejected or failed, as a code. */
  reason?: string | null;
  /** Why it was rejected or failed, in words. */
  reason_text?: string | null;
  /** What the customer decided; null before. */
  decision?: Decision | null;
  /** What the chain shows; null without an observer, and before its first check. */
  settlement?: Settlement | null;
  /** When the record last changed. */
  updated_at: string;
  /** For agents and merchants: the page on which the person decides. */
  review_url?: string;
  /** For agents and merchants: the same for wallet apps. */
  wallet_uri?: string;
  /** For wallets: the payment as a link; null without a standard. */
  payment_uri?: string | null;
}

/** One payment request. */
export interface PaymentRequestAnswer {
  /** A payment that an agent requests from a customer. It exists before anything is paid; the wallet decides. */
  payment_request: PaymentRequest;
}

/** One change of a payment request. */
export interface PaymentRequestEvent {
  /** The event; a webhook about the same change has the same id. */
  event_id: string;
  /** Its number in the connection: 1, 2, 3 and so on without a gap. */
  sequence: number;
  /** What happened. */
  type: 'payment_request.signed' | 'payment_request.broadcasted' | 'payment_request.confirmed' | 'payment_request.failed' | 'payment_request.expired' | 'payment_request.rejected' | 'payment_request.settlement_updated';
  /** The request. */
  request_id: string;
  /** The connection. */
  connection_id: string;
  /** The status from then on. */
  status: PaymentRequestStatus;
  /** The status before. */
  previous_status: PaymentRequestStatus;
  /** The `state_version` of the request from then on. */
  state_version: number;
  /** Who caused the change. */
  actor: 'wallet' | 'system' | 'merchant' | 'agent' | 'observer';
  /** The transaction, as the wallet reported it. */
  tx_hash?: string | null;
  /** Why it was rejected or failed, as a code. */
  reason?: string | null;
  /** Reported by another device of the wallet than the one that had signed. */
  takeover?: true;
  /** The settlement from then on. */
  settlement_state?: SettlementState;
  /** When it happened. */
  occurred_at: string;
}

/** Which events. */
export interface PaymentRequestEventsQuery {
  /** The last sequence that is known; 0, the start, when absent. */
  since?: string;
  /** Events per page. */
  limit?: number;
  /** Seconds to wait when there is no event yet. */
  wait?: number;
}

/** What happened to one payment request. */
export interface PaymentRequestHistory {
  /** Oldest first. */
  events: PaymentRequestEvent[];
}

/** What a create would pin, and what the customer should know. */
export interface PaymentRequestPreview {
  /** Where the money would go. */
  payment: PreviewedPayment;
  /** Who is paid, and who vouches for it. */
  payee: PinnedPayee;
  /** A request that is still `pending` at this instant expires. */
  expires_at: string;
  /** Over the payment details that a create would pin. Where each request gets a separate memo, it is computed without a memo, and no request has it. */
  facts_digest: string;
  /** What the customer should know before deciding. */
  risk?: PaymentRisk;
}

/** Which payment requests. */
export interface PaymentRequestQuery {
  /** Records per page. */
  limit?: number;
  /** `next_cursor` of the page before. */
  cursor?: string;
  /** Only those in these statuses, comma separated. */
  status?: string;
  /** Only of this connection. */
  connection_id?: string;
  /** Only to this Recipient. */
  recipient_id?: string;
  /** Only the one with this key. For agents. */
  idempotency_key?: string;
  /** Only what was created then or later. */
  created_after?: string;
  /** Only what was created before. */
  created_before?: string;
  /** Part of amount with asset, purpose (a text of `display`), payee name, domain or request id, without case. A page may be short and still have a next one. */
  q?: string;
  /** Seconds to wait for requests newer than `cursor`; 0 does not wait. For wallets. */
  wait?: number;
}

/** Which one, and since when. */
export interface PaymentRequestReadQuery {
  /** Only of this connection. */
  connection_id?: string;
  /** Seconds to wait until the record has changed. */
  wait?: number;
  /** The known version: a higher one is returned immediately. */
  state_version?: number;
}

/** One page of a list. */
export interface PaymentRequestsPage {
  /** Newest first. */
  payment_requests: PaymentRequest[];
  /** Null on the last page. */
  next_cursor: string | null;
}

/** What the customer should know before deciding. */
export interface PaymentRisk {
  /** Requests of the same connection for the same amount to the same payee within 24 hours before, newest first, at most 5. */
  possible_duplicate_of?: string[];
  /** The request after which the agent declares this one a deliberate second payment. */
  acknowledged_duplicate_of?: string;
  /** The network cannot carry this amount: wallets offer no approval. */
  exceeds_network_maximum?: true;
}

/** A change of a wallet's keys that no key of the wallet has authorized. It takes effect after 24 hours unless a device cancels it. */
export interface PendingChange {
  /** The change. */
  change_id: string;
  /** What it does. */
  act: WalletChangeAct;
  /** The device that it is about; null for a recovery code. */
  device_id: string | null;
  /** The device that requested it. */
  requested_by: string;
  /** When it was requested. */
  created_at: string;
  /** When it takes effect, unless a device cancels it before. */
  takes_effect_at: string;
  /** `lapsed`: the device or key is gone, or the same was done with an authorization. */
  status: PendingChangeStatus;
}

/** One change that waits or waited. */
export interface PendingChangeAnswer {
  /** A change of a wallet's keys that no key of the wallet has authorized. It takes effect after 24 hours unless a device cancels it. */
  pending_change: PendingChange;
}

/** Changes of the wallet's keys. */
export interface PendingChangeList {
  /** Newest first. */
  pending_changes: PendingChange[];
}

/** A passkey that is not effective yet. */
export interface PendingPasskey {
  /** The passkey. */
  passkey_id: string;
  /** What the operator calls it. */
  name: string;
  /** When it was registered. */
  created_at: string;
  /** When it becomes effective, unless another owner confirms it before. */
  effective_at: string;
}

/** Who is paid, and who vouches for it. */
export interface PinnedPayee {
  /** The payee, as the pinned version names it. */
  name: string;
  /** Whether a domain has vouched for the pinned version. */
  verified: boolean;
  /** The domain that vouched for it. */
  domain: string;
  /** The Recipient. */
  recipient_id: string;
  /** The version that was active when the request was created. */
  recipient_version_id: string;
  /** The evidence with which that version was activated. */
  evidence_digest: string;
  /** `payee`: the domain publishes this very payee. `domain`: only that it belongs to the organization. */
  binding: 'payee' | 'domain';
  /** When that version was activated. */
  activated_at: string;
  /** Whether that version is still the active one. */
  is_current: boolean;
}

/** Other thresholds for a policy. */
export interface PolicyChange {
  /** The most that one payment may be. */
  single_tx_limit?: string;
  /** The most that all payments under the policy may be together. */
  cumulative_limit?: string;
  /** When the policy holds. */
  validity_window?: ValidityWindow;
  /** Who may be paid; each entry names a Recipient or an address. */
  allowlist?: readonly AllowlistInput[];
  /** The version that it is based on. */
  version: number;
}

/** The version that the customer consents to. */
export interface PolicyConsent {
  /** The version that the customer has seen. */
  version: number;
}

/** What would happen to an intended payment under a policy. Nothing is reserved. */
export interface PolicyEvaluation {
  /** The policy. */
  id: string;
  /** Its status. */
  status: AutomationPolicyStatus;
  /** Whether the agent may pay, or a person has to. */
  verdict: 'allow' | 'hitl_required';
  /** Every threshold that the payment would cross. */
  triggered_thresholds: ('single_tx_limit' | 'cumulative_limit' | 'validity_window' | 'allowlist' | 'no_active_policy')[];
  /** What is left of the cumulative limit; null without one. */
  remaining: string | null;
  /** The most that a payment to this payee could be at this moment. */
  max_amount_allowed: string;
}

/** A new policy, as a draft. */
export interface PolicyInput {
  /** The connection whose agent may act. */
  connection_id: string;
  /** Every other network is refused with phase_0_mainnet_disabled. */
  network: 'stellar_testnet';
  /** As the Recipient names it; upper and lower case count. */
  asset: string;
  /** Required when the asset is not the native one. */
  issuer?: string;
  /** The most that one payment may be. */
  single_tx_limit?: string;
  /** The most that all payments under the policy may be together. */
  cumulative_limit?: string;
  /** When the policy holds. */
  validity_window?: ValidityWindow;
  /** Who may be paid; each entry names a Recipient or an address. */
  allowlist?: readonly AllowlistInput[];
}

/** Which policies. */
export interface PolicyQuery {
  /** Records per page. */
  limit?: number;
  /** `next_cursor` of the page before. */
  cursor?: string;
  /** Only of this connection. */
  connection_id?: string;
  /** Only those in this status. */
  status?: AutomationPolicyStatus;
}

/** A policy of the connection, in short. */
export interface PolicySummary {
  /** The policy. */
  id: string;
  /** Whether it is in force; a draft awaits the customer. */
  status: AutomationPolicyStatus;
  /** The network on which it allows payments. */
  network: Network;
  /** In what. */
  asset: string;
  /** How much may still be paid under it; null while it has no limit. */
  remaining: string | null;
}

/** An intended payment to try out: to a Recipient or to an address. */
export interface PolicyTrial {
  /** Exact decimal, for example "12.50". */
  amount: string;
  /** A destination address. */
  to?: string;
  /** A Recipient, instead of an address. */
  recipient_id?: string;
}

/** A preview. */
export interface PreviewAnswer {
  /** What a create would pin, and what the customer should know. */
  preview: PaymentRequestPreview;
}

/** Where the money would go. */
export interface PreviewedPayment {
  /** The family of payment methods. */
  rail: Rail;
  /** The network on which to pay. */
  network: Network;
  /** The native symbol of the network, such as `XLM`, or a token. */
  asset: string;
  /** Exact decimal, for example "12.50". */
  amount: string;
  /** The address that is paid. */
  to: string;
  /** Token contract, on EVM networks. */
  contract?: string;
  /** Issuing account, on Stellar for every asset but XLM. */
  issuer?: string;
  /** Decimal places of the asset. */
  decimals?: number;
  /** Chain id, on EVM networks. */
  chain_id?: number;
  /** Memo, destination tag or comment that the payment must carry; null where each request gets a separate one. */
  memo?: string | null;
  /** On Stellar: the memo is a hash, 64 hex digits. Absent where it is text. */
  memo_type?: 'hash';
}

/** The public key of push messages. */
export interface PushKey {
  /** A point of P-256, base64url. */
  public_key: string;
}

/** The browser's keys. */
export interface PushKeys {
  /** 65 bytes. Base64url without padding. */
  p256dh: string;
  /** 16 bytes. Base64url without padding. */
  auth: string;
}

/** As the browser made it. */
export interface PushSubscriptionInput {
  /** Of the push service; https. */
  endpoint: string;
  /** The browser's keys. */
  keys: PushKeys;
}

/** What a recall has taken back. */
export interface RecalledRecipient {
  /** A payee of an organization. Its facts are in versions, which never change. */
  recipient: Recipient;
  /** How many payment requests it has rejected. */
  rejected: number;
}

/** Exact sums of one asset on one word. */
export interface ReceivedFigure {
  /** The network. */
  network: Network;
  /** The asset. */
  asset: string;
  /** Issuing account, on Stellar. */
  issuer?: string;
  /** Token contract, on EVM networks. */
  contract?: string;
  /** `final`: the chain shows payment as pinned. `reported`: only the wallet reports payment. `disputed`: the wallet reports payment, the chain contradicts it. */
  standing: 'final' | 'reported' | 'disputed';
  /** Since `today`. */
  today: string;
  /** Seven days. */
  week: string;
  /** Thirty days. */
  month: string;
}

/** A payee of an organization. Its facts are in versions, which never change. */
export interface Recipient {
  /** The Recipient. */
  recipient_id: string;
  /** The label in the portal; each version has its own name. */
  name: string;
  /** Only an `active` one can be paid. `archived` is final. */
  status: 'draft' | 'active' | 'suspended' | 'archived';
  /** The version that new requests use; null before the first. */
  active_version_id: string | null;
  /** Raised by every change, which names the previous one. */
  version: number;
  /** When it was created. */
  created_at: string;
  /** When the record last changed. */
  updated_at: string;
}

/** One payee. */
export interface RecipientAnswer {
  /** A payee of an organization. Its facts are in versions, which never change. */
  recipient: Recipient;
}

/** A change of the label, or the end of a payee. */
export interface RecipientChange {
  /** The label; versions keep theirs. One line, without `://`, `www.` and `@`, and without *verified* or *official* next to a domain. */
  name?: string;
  /** Final. */
  status?: 'archived';
  /** What becomes of requests to this payee that await a decision: kept when absent; rejected with the reason payee_recalled. */
  pending?: 'keep' | 'reject';
  /** The version that it is based on. */
  version: number;
}

/** A new payee. */
export interface RecipientInput {
  /** What wallets show as the payee. One line, without `://`, `www.` and `@`, and without *verified* or *official* next to a domain. */
  name: string;
  /** The network on which it is paid. */
  network: Network;
  /** The native symbol, such as XLM, or a token. */
  asset: string;
  /** Checked with the checksum of its network. */
  address: string;
  /** Memo, destination tag or comment, as the network has it. */
  memo?: string;
  /** `fixed` when absent: every payment carries `memo`, or none. `request`: each request gets a separate memo, so that no payment can be taken for another; not together with `memo`. */
  memo_policy?: 'fixed' | 'request';
  /** Token contract, on EVM networks. */
  contract?: string;
  /** Issuing account, on Stellar for every asset but XLM. */
  issuer?: string;
  /** Needed for ERC-20 tokens; otherwise known. */
  decimals?: number;
  /** When sent, it must be the network’s. */
  chain_id?: number;
}

/** The facts of a payee: where it is paid. They never change; other facts are another version. */
export interface RecipientVersion {
  /** The version. */
  recipient_version_id: string;
  /** The Recipient that it belongs to. */
  recipient_id: string;
  /** Counts the versions of the Recipient from 1. */
  number: number;
  /** Created, then verified by evidence, then active. */
  status: 'created' | 'verified' | 'active' | 'superseded';
  /** What wallets show as the payee. */
  name: string;
  /** The family of payment methods. */
  rail: Rail;
  /** The network on which it is paid. */
  network: Network;
  /** The native symbol of the network, such as `XLM`, or a token. */
  asset: string;
  /** The address that is paid. */
  address: string;
  /** Memo, destination tag or comment that payments must carry. */
  memo: string | null;
  /** `request`: each payment carries a separate memo, which its request pins. */
  memo_policy?: 'fixed' | 'request';
  /** Token contract, on EVM networks. */
  contract: string | null;
  /** Issuing account, on Stellar for every asset but XLM. */
  issuer: string | null;
  /** Decimal places of the asset. */
  decimals: number | null;
  /** Chain id, on EVM networks. */
  chain_id: number | null;
  /** What the domain publishes so that evidence is bound to this very payee. */
  payee_record: string;
  /** Of the evidence it was activated with; before that, of its newest evidence. */
  binding: 'payee' | 'domain' | null;
  /** When the version was added. */
  created_at: string;
  /** When it was verified; null before. */
  verified_at: string | null;
  /** When it was activated; null before. */
  activated_at: string | null;
  /** Since when the domain of its evidence no longer vouches for it; null otherwise. */
  suspended_at: string | null;
}

/** Other facts for a payee. */
export interface RecipientVersionInput {
  /** The network on which it is paid. */
  network: Network;
  /** The native symbol, such as XLM, or a token. */
  asset: string;
  /** Checked with the checksum of its network. */
  address: string;
  /** Memo, destination tag or comment, as the network has it. */
  memo?: string;
  /** `fixed` when absent: every payment carries `memo`, or none. `request`: each request gets a separate memo, so that no payment can be taken for another; not together with `memo`. */
  memo_policy?: 'fixed' | 'request';
  /** Token contract, on EVM networks. */
  contract?: string;
  /** Issuing account, on Stellar for every asset but XLM. */
  issuer?: string;
  /** Needed for ERC-20 tokens; otherwise known. */
  decimals?: number;
  /** When sent, it must be the network’s. */
  chain_id?: number;
  /** The version that it is based on. */
  version: number;
}

/** A payee with one of its versions. */
export interface RecipientWithVersion {
  /** A payee of an organization. Its facts are in versions, which never change. */
  recipient: Recipient;
  /** The facts of a payee: where it is paid. They never change; other facts are another version. */
  recipient_version: RecipientVersion;
}

/** A payee with all of its versions. */
export interface RecipientWithVersions {
  /** A payee of an organization. Its facts are in versions, which never change. */
  recipient: Recipient;
  /** Newest first. */
  recipient_versions: RecipientVersion[];
}

/** One page of a list. */
export interface RecipientsPage {
  /** Newest first. */
  recipients: Recipient[];
  /** Null on the last page. */
  next_cursor: string | null;
}

/** A code that brings back the wallet. */
export interface RecoveryCode {
  /** Shown once; the customer keeps it. */
  recovery_code: string;
}

/** What allows a new recovery code. */
export interface RecoveryCodeInput {
  /** Needed in a wallet with a decision key; without it the change takes effect after 24 hours. A current key of the wallet signs `svc-decision-act:v1:<base URL>:<act>:<device acted on or ->:<thumbprint or ->:<at>`; `act` is `set_key`, `remove_key`, `delete_device` or `recovery_code`, the thumbprint that of the new key or of the key that ends. Counts once. */
  authorization?: WalletAuthorization;
}

/** A public key that is to be registered. */
export interface RegisterCredentialInput {
  /** Names the key in assertions; printable ASCII, unique per agent and never reused. */
  kid: string;
  /** The signature algorithm. */
  alg: 'Ed25519';
  /** 32 raw bytes as base64url, base64 or hex, or SPKI PEM. Never a private key. */
  public_key: string;
  /** The key works from this instant on. */
  not_before?: string;
  /** The key works up to and including this instant. */
  expires_at?: string;
}

/** A registered key with the text that proves possession. */
export interface RegisteredCredential {
  /** A public key with which an agent signs assertions. */
  credential: Credential;
  /** The text to sign, byte for byte. */
  proof_challenge: string;
  /** When the challenge ends: five minutes ahead. */
  proof_challenge_expires_at: string;
}

/** The customer's rejection of a pairing. */
export interface RejectPairingInput {
  /** As shown by the agent; case and hyphen do not matter. */
  code: string;
}

/** An operator who was removed. */
export interface RemovedOperator {
  /** A person who works for an organization. The audit trail names operators by this id. */
  operator: Operator;
  /** Keys that the operator made and that still work: revoke them or keep them. */
  api_keys: ApiKey[];
}

/** One page of a list. */
export interface RequestLogPage {
  /** Newest first. */
  calls: LoggedCall[];
  /** Null on the last page. */
  next_cursor: string | null;
}

/** Which calls. */
export interface RequestLogQuery {
  /** Records per page. */
  limit?: number;
  /** `next_cursor` of the page before. */
  cursor?: string;
  /** Only calls of this agent. */
  agent_id?: string;
  /** Only calls of this operation. */
  operation?: string;
  /** Only calls that ended with this error code. */
  error_code?: string;
  /** Only the call with this request id. */
  request_id?: string;
}

/** What to pay and where. Comes from the pinned version of the Recipient and never changes. */
export interface RequestedPayment {
  /** The family of payment methods. */
  rail: Rail;
  /** The network on which to pay. */
  network: Network;
  /** The native symbol of the network, such as `XLM`, or a token. */
  asset: string;
  /** Exact decimal, for example "12.50". */
  amount: string;
  /** The address that is paid. */
  to: string;
  /** Token contract, on EVM networks. */
  contract?: string;
  /** Issuing account, on Stellar for every asset but XLM. */
  issuer?: string;
  /** Decimal places of the asset. */
  decimals?: number;
  /** Chain id, on EVM networks. */
  chain_id?: number;
  /** Memo, destination tag or comment that the payment must carry. */
  memo?: string;
  /** On Stellar: the memo is a hash, 64 hex digits. Absent where it is text. */
  memo_type?: 'hash';
}

/** The requesting agent. */
export interface RequestingAgent {
  /** The agent. */
  agent_id: string;
  /** Its name. */
  name: string;
  /** What it runs on. */
  runtime: string;
}

/** The organization that the agent acts for. */
export interface RequestingMerchant {
  /** What the organization calls itself; not verified. */
  name: string;
  /** A domain that the organization has proved; null when it has none. */
  verified_domain: string | null;
}

/** One session. */
export interface SessionAnswer {
  /** The session of an operator. */
  session: MerchantSession;
}

/** How to open a session: with `next_grant` after creating an organization, or with `session_grant` and `choice_id`. */
export interface SessionInput {
  /** From POST /v1/merchants. */
  next_grant?: string;
  /** From the email verification. */
  session_grant?: string;
  /** One of the choices that came with session_grant. */
  choice_id?: string;
}

/** The open sessions of the operator in this organization. */
export interface SessionList {
  /** Newest first. */
  sessions: MerchantSession[];
}

/** The state of the reported transaction on the chain. */
export interface Settlement {
  /** `final`: paid as pinned, for this request alone. `mismatch`: final, but something differs. */
  state: SettlementState;
  /** When the sources were last queried. */
  checked_at: string;
  /** How many nodes agree on the state. */
  sources: {
    /** Configured ones. */
    asked: number;
    /** Those that agree on the state. */
    agreed: number;
  };
  /** As found. */
  transaction: ObservedTransaction | null;
  /** Pinned facts that it does not keep. */
  differences: ({
    /** What differs. `time`: the transaction is older than the request. `claimed`: other requests took its payments. */
    fact: 'to' | 'asset' | 'issuer' | 'contract' | 'amount' | 'memo' | 'time' | 'claimed';
    /** As the customer approved it. */
    pinned: string | null;
    /** As the chain has it. */
    observed: string | null;
  })[];
}

/** The same whether or not the address is known. */
export interface SignInLinkAnswer {
  /** Always `accepted`. */
  status: 'accepted';
}

/** Where to send a one-time link. */
export interface SignInLinkInput {
  /** The operator's email address. */
  email: string;
}

/** Only with signed and rejected: the decision statement, signed by the decision key of this device. Required with signed once the wallet has such a key; rejecting never needs one. */
export interface SignedDecision {
  /** When the customer decided. */
  decided_at: string;
  /** By an Ed25519 key. Base64url without padding. */
  signature?: string;
  /** By a passkey: the response of its authenticator. */
  webauthn?: WebauthnAssertionInput;
}

/** A new pairing session. */
export interface StartedPairing {
  /** A new pairing session with the code and the URI to show to the customer. No later response repeats them. */
  pairing_session: StartedPairingSession;
}

/** A new pairing session with the code and the URI to show to the customer. No later response repeats them. */
export interface StartedPairingSession {
  /** The session. */
  pairing_session_id: string;
  /** What the customer decided; `completed` after the first use of the token, or once the agent has collected its own. */
  status: 'pending' | 'approved' | 'completed' | 'rejected' | 'expired';
  /** How long to wait before the next poll, in milliseconds. */
  poll_after_ms: number;
  /** What the agent requests. */
  requested_scopes: Scope[];
  /** What the customer approved; null before the approval. */
  approved_scopes: Scope[] | null;
  /** The requesting agent. */
  agent: RequestingAgent;
  /** The organization that the agent acts for. */
  merchant: RequestingMerchant;
  /** The connection that came of it; null before. */
  connection_id: string | null;
  /** When the agent requested it. */
  created_at: string;
  /** From this instant on it can no longer be approved. */
  expires_at: string;
  /** What the customer types into the wallet. */
  code: string;
  /** The same as a URI, to be shown as a QR code. */
  pairing_uri: string;
}

/** What a report changed. */
export interface StatusAnswer {
  /** A payment that an agent requests from a customer. It exists before anything is paid; the wallet decides. */
  payment_request: PaymentRequest;
  /** Null when nothing changed: the wallet repeats itself. */
  event: PaymentRequestEvent | null;
}

/** What the wallet did. */
export interface StatusReport {
  /** Present status of the payment. */
  status: PaymentRequestStatus;
  /** The transaction on its network, in printable ASCII. Every spelling of a hash is taken; records have the canonical one. Once set it never changes. */
  tx_hash?: string;
  /** Why, for programs. Only with rejected and failed. Not a reason of the service itself: payee_recalled, connection_revoked, withdrawn_by_agent, superseded. */
  reason_code?: string;
  /** Why, for people. Only with rejected and failed. */
  reason?: string;
  /** Only with signed and rejected: the decision statement, signed by the decision key of this device. Required with signed once the wallet has such a key; rejecting never needs one. */
  decision?: SignedDecision;
  /** Selects between equal ids of two connections. */
  connection_id?: string;
  /** After `signed` only that device may report. With true this one takes its place, and the event records it. Let the customer confirm first: the other may still send. */
  takeover?: boolean;
}

/** An operator as the list of the team shows one. */
export interface TeamMember {
  /** The operator. */
  operator_id: string;
  /** Where sign-in links are sent. */
  email: string;
  /** What the operator may do. */
  role: OperatorRole;
  /** `active` since the first sign-in to the organization. */
  status: OperatorStatus;
  /** When the operator was invited. */
  created_at: string;
  /** First passkeys that are not effective yet: another owner can confirm them. */
  pending_passkeys: PendingPasskey[];
}

/** What a payment is for, in the words of the agent. It may carry further members, but no payment facts. */
export interface TransactionContext {
  /** The context. */
  transaction_id: string;
  /** Which revision this is: 1 for the first. */
  revision: number;
  /** A line that names the purchase. */
  title?: string;
  /** A few sentences for the customer. */
  summary?: string;
  /** What is bought. */
  line_items?: unknown[];
  /** When this revision was written. */
  created_at: string;
}

/** When the policy holds. */
export interface ValidityWindow {
  /** The first instant. */
  from: string;
  /** The first instant after it. */
  until: string;
}

/** A proved domain and its organization. */
export interface VerifiedDomain {
  /** A domain that an organization has proved or wants to prove. */
  domain: Domain;
  /** The organization behind payees and agents. */
  merchant: Merchant;
}

/** Fresh evidence for a version. */
export interface VerifiedRecipient {
  /** A payee proof with the result of the query. */
  evidence: NewEvidence;
  /** A payee of an organization. Its facts are in versions, which never change. */
  recipient: Recipient;
  /** The facts of a payee: where it is paid. They never change; other facts are another version. */
  recipient_version: RecipientVersion;
}

/** Which version is proved by which domain. */
export interface VerifyRecipientInput {
  /** The version to verify. */
  recipient_version_id: string;
  /** What kind of proof it is. */
  type: 'domain_proof';
  /** A verified domain of this organization. */
  source_id: string;
  /** The version that it is based on. */
  version: number;
}

/** Needed in a wallet with a decision key; without it the change takes effect after 24 hours. A current key of the wallet signs `svc-decision-act:v1:<base URL>:<act>:<device acted on or ->:<thumbprint or ->:<at>`; `act` is `set_key`, `remove_key`, `delete_device` or `recovery_code`, the thumbprint that of the new key or of the key that ends. Counts once. */
export interface WalletAuthorization {
  /** The device whose key signs. */
  device_id: string;
  /** When it was signed, as in the signed text; at most 5 minutes off. */
  at: string;
  /** By an Ed25519 key. Base64url without padding. */
  signature?: string;
  /** By a passkey: the response of its authenticator. */
  webauthn?: WebauthnAssertionInput;
}

/** The response of an authenticator, each member base64url without padding. */
export interface WebauthnAssertion {
  /** `authenticatorData` of the response. */
  authenticator_data: string;
  /** `clientDataJSON` of the response. */
  client_data_json: string;
  /** `signature` of the response. */
  signature: string;
}

/** By a passkey: the response of its authenticator. */
export interface WebauthnAssertionInput {
  /** `authenticatorData` of the response. Base64url without padding. */
  authenticator_data: string;
  /** `clientDataJSON` of the response. Base64url without padding. */
  client_data_json: string;
  /** `signature` of the response. Base64url without padding. */
  signature: string;
}

/** One page of a list. */
export interface WebhookDeliveriesPage {
  /** Newest first. */
  webhook_deliveries: WebhookDelivery[];
  /** Null on the last page. */
  next_cursor: string | null;
}

/** One attempt to deliver an event. Never bodies, headers or secrets. */
export interface WebhookDelivery {
  /** The attempt. */
  delivery_id: string;
  /** The event; the same for every attempt. */
  event_id: string;
  /** What the event is about. */
  event_type: 'payment_request.created' | 'payment_request.signed' | 'payment_request.broadcasted' | 'payment_request.confirmed' | 'payment_request.failed' | 'payment_request.expired' | 'payment_request.rejected' | 'payment_request.settlement_updated' | 'connection.created' | 'connection.paused' | 'connection.resumed' | 'connection.revoked' | 'recipient.version_activated' | 'agent_payment.created' | 'agent_payment.signed' | 'agent_payment.broadcasted' | 'agent_payment.confirmed' | 'agent_payment.failed' | 'agent_payment.expired' | 'agent_payment.rejected' | 'agent_payment.cancelled' | 'agent_payment.settlement_updated' | 'automation_policy.created' | 'automation_policy.updated' | 'automation_policy.activated' | 'automation_policy.paused' | 'automation_policy.resumed' | 'automation_policy.expired' | 'automation_policy.revoked' | 'webhook.verification';
  /** The endpoint. */
  webhook_endpoint_id: string;
  /** Counts the attempts for this event from 1. */
  attempt: number;
  /** Outcome of the attempt. */
  status: WebhookDeliveryStatus;
  /** The status of the response; null without one. */
  http_status: number | null;
  /** Why there was no usable response; null when there was one. */
  error_class: string | null;
  /** How long the attempt took, in milliseconds; null before it. */
  duration_ms: number | null;
  /** When the attempt was planned. */
  created_at: string;
  /** When it was made; null before. */
  attempted_at: string | null;
  /** When the next attempt is due; null when there is none. */
  next_attempt_at: string | null;
}

/** One delivery. */
export interface WebhookDeliveryAnswer {
  /** One attempt to deliver an event. Never bodies, headers or secrets. */
  webhook_delivery: WebhookDelivery;
}

/** Which deliveries. */
export interface WebhookDeliveryQuery {
  /** Records per page. */
  limit?: number;
  /** `next_cursor` of the page before. */
  cursor?: string;
  /** Only those to this endpoint. */
  webhook_endpoint_id?: string;
  /** Only those in this status. */
  status?: WebhookDeliveryStatus;
  /** Only those of these events, comma separated. */
  event_id?: string;
}

/** A delivery and the message that it sent. */
export interface WebhookDeliveryWithPayload {
  /** One attempt to deliver an event. Never bodies, headers or secrets. */
  webhook_delivery: WebhookDelivery;
  /** The body of the message, as it was signed. Null for a verification, and once the message is no longer kept: 7 days after the last attempt. */
  payload: string | null;
}

/** An address that gets signed messages. */
export interface WebhookEndpoint {
  /** The endpoint. */
  webhook_endpoint_id: string;
  /** Where messages are sent. */
  url: string;
  /** What it wants: `*`, an exact type, or `<prefix>.*`. */
  event_types: WebhookSubscription[];
  /** Messages are sent only to an `active` endpoint. */
  status: 'pending_verification' | 'active' | 'disabled';
  /** Since then so much waits for the endpoint that it gets no new deliveries; null otherwise. */
  queue_full_since: string | null;
  /** Raised by every change, which names the previous one. */
  version: number;
  /** When it was created. */
  created_at: string;
  /** When the record last changed. */
  updated_at: string;
}

/** One webhook endpoint. */
export interface WebhookEndpointAnswer {
  /** An address that gets signed messages. */
  webhook_endpoint: WebhookEndpoint;
}

/** A change of a webhook endpoint. */
export interface WebhookEndpointChange {
  /** HTTPS, at a public address. http and loopback are for a local service only. */
  url?: string;
  /** `*`, an exact type, or `<prefix>.*`; everything when absent. */
  event_types?: readonly WebhookSubscription[];
  /** `active` only from `disabled`; the endpoint gets a challenge again. */
  status?: 'active' | 'disabled';
  /** The version that it is based on. */
  version: number;
}

/** A new webhook endpoint. */
export interface WebhookEndpointInput {
  /** HTTPS, at a public address. http and loopback are for a local service only. */
  url: string;
  /** `*`, an exact type, or `<prefix>.*`; everything when absent. */
  event_types?: readonly WebhookSubscription[];
}

/** A webhook endpoint with its secret. */
export interface WebhookEndpointWithSecret {
  /** An address that gets signed messages. */
  webhook_endpoint: WebhookEndpoint;
  /** `whsec_` and 32 bytes in base64. Shown once. */
  secret: string;
}

/** One page of a list. */
export interface WebhookEndpointsPage {
  /** Newest first. */
  webhook_endpoints: WebhookEndpoint[];
  /** Null on the last page. */
  next_cursor: string | null;
}

/** What the withdrawal changed. */
export interface WithdrawAnswer {
  /** A payment that an agent requests from a customer. It exists before anything is paid; the wallet decides. */
  payment_request: PaymentRequest;
  /** Null when it was withdrawn before. */
  event: PaymentRequestEvent | null;
}
