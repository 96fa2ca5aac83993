/** Every closed list of the contract, in the order in which it is published. */

export const PAYMENT_REQUEST_PROTOCOL = 'svc.payment_request.v1';

export const RAILS = [
  'stellar_xlm',
  'solana_sol',
  'ethereum_eth',
  'base_usdc',
  'bitcoin_btc',
  'bsc_bnb',
  'xrpl_xrp',
  'arbitrum_eth',
  'polygon_pol',
  'avalanche_avax',
  'optimism_eth',
  'sui_sui',
  'aptos_apt',
  'ton_ton',
  'cardano_ada',
  'cosmos_atom',
  'polkadot_dot',
  'hedera_hbar',
  'cronos_cro',
  'mantle_mnt',
  'starknet_strk',
  'zksync_eth',
  'linea_eth',
  'algorand_algo',
  'tezos_xtz',
  'internet_computer_icp',
  'filecoin_fil',
  'litecoin_ltc',
  'bitcoin_cash_bch',
  'dogecoin_doge',
  'evm_erc20',
] as const;
export type Rail = (typeof RAILS)[number];

export const NETWORKS = [
  'stellar_public',
  'solana_mainnet',
  'ethereum_mainnet',
  'base_mainnet',
  'bitcoin_mainnet',
  'bsc_mainnet',
  'xrpl_mainnet',
  'arbitrum_one',
  'polygon_pos',
  'avalanche_c_chain',
  'optimism_mainnet',
  'sui_mainnet',
  'aptos_mainnet',
  'ton_mainnet',
  'cardano_mainnet',
  'cosmos_hub',
  'polkadot_mainnet',
  'hedera_mainnet',
  'cronos_mainnet',
  'mantle_mainnet',
  'starknet_mainnet',
  'zksync_era',
  'linea_mainnet',
  'algorand_mainnet',
  'tezos_mainnet',
  'internet_computer',
  'filecoin_mainnet',
  'litecoin_mainnet',
  'bitcoin_cash_mainnet',
  'dogecoin_mainnet',
  'stellar_testnet',
] as const;
export type Network = (typeof NETWORKS)[number];

export function isNetwork(value: unknown): value is Network {
  return (NETWORKS as readonly unknown[]).includes(value);
}

export const SCOPES = [
  'payment.requests.create',
  'payment.requests.read',
  'transaction_contexts.create',
  'transaction_contexts.read',
] as const;
export type Scope = (typeof SCOPES)[number];

export function isScope(value: unknown): value is Scope {
  return (SCOPES as readonly unknown[]).includes(value);
}

export const MERCHANT_STATUSES = ['pending', 'active'] as const;
export type MerchantStatus = (typeof MERCHANT_STATUSES)[number];

/** From the one who may do least to the one who may do everything. */
export const OPERATOR_ROLES = ['viewer', 'developer', 'owner'] as const;
export type OperatorRole = (typeof OPERATOR_ROLES)[number];

/** `invited` until the first sign-in to the organization. */
export const OPERATOR_STATUSES = ['invited', 'active'] as const;
export type OperatorStatus = (typeof OPERATOR_STATUSES)[number];

/** How a session began. */
export const SIGN_IN_METHODS = ['mail', 'passkey'] as const;
export type SignInMethod = (typeof SIGN_IN_METHODS)[number];

export const APPROVAL_STATUSES = ['pending', 'approved', 'rejected', 'expired'] as const;
export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number];

/** What waits for a second owner where an organization requires one. */
export const APPROVAL_ACTS = [
  'recipient.activate',
  'recipient.archive',
  'operator.invite',
  'operator.change_role',
  'operator.remove',
  'merchant.four_eyes_off',
  'domain.delete',
] as const;
export type ApprovalAct = (typeof APPROVAL_ACTS)[number];

/** What lets a changed payee be activated: `details.ways` of a refusal. */
export const PAYEE_CHANGE_WAYS = ['passkey', 'dns_binding', 'second_owner'] as const;
export type PayeeChangeWay = (typeof PAYEE_CHANGE_WAYS)[number];

export const DOMAIN_STATUSES = ['pending', 'verified', 'lapsed'] as const;
export type DomainStatus = (typeof DOMAIN_STATUSES)[number];

export const DOMAIN_METHODS = ['dns', 'https'] as const;
export type DomainMethod = (typeof DOMAIN_METHODS)[number];

export const RECIPIENT_STATUSES = ['draft', 'active', 'suspended', 'archived'] as const;
export type RecipientStatus = (typeof RECIPIENT_STATUSES)[number];

export const RECIPIENT_VERSION_STATUSES = ['created', 'verified', 'active', 'superseded'] as const;
export type RecipientVersionStatus = (typeof RECIPIENT_VERSION_STATUSES)[number];

export const EVIDENCE_TYPES = ['domain_proof'] as const;
export type EvidenceType = (typeof EVIDENCE_TYPES)[number];

/** Why a wallet rejects, for programs. Wallets may use others. */
export const REJECTION_REASONS = [
  'user_rejected',
  'wrong_amount',
  'wrong_payee',
  'duplicate',
  'not_expected',
] as const;

/**
 * Why the service itself ends a payment before a person decides. A wallet gives none of them: merchants and tools read
 * them as the service's word.
 */
export const SERVICE_REASONS: readonly string[] = [
  'payee_recalled',
  'connection_revoked',
  'withdrawn_by_agent',
  'superseded',
];

/** What the proof at the domain was about: this very payee, or the domain alone. */
export const PAYEE_BINDINGS = ['payee', 'domain'] as const;
export type PayeeBinding = (typeof PAYEE_BINDINGS)[number];

export const AGENT_STATUSES = ['pending', 'active', 'suspended', 'revoked'] as const;
export type AgentStatus = (typeof AGENT_STATUSES)[number];

export const CREDENTIAL_STATUSES = ['pending_proof', 'active', 'revoked', 'expired'] as const;
export type CredentialStatus = (typeof CREDENTIAL_STATUSES)[number];

export const CREDENTIAL_ALGORITHMS = ['Ed25519'] as const;

export const DEVICE_STATUSES = ['active', 'revoked'] as const;
export type DeviceStatus = (typeof DEVICE_STATUSES)[number];

/** Changes of a wallet's keys, as an authorization names them. */
export const WALLET_CHANGE_ACTS = ['set_key', 'remove_key', 'delete_device', 'recovery_code'] as const;
export type WalletChangeAct = (typeof WALLET_CHANGE_ACTS)[number];

export const PENDING_CHANGE_STATUSES = ['pending', 'effective', 'cancelled', 'lapsed'] as const;
export type PendingChangeStatus = (typeof PENDING_CHANGE_STATUSES)[number];

/** What a push message is about. */
const PUSH_KINDS = ['payment_request', 'agent_payment', 'invitation', 'policy', 'wallet_change'] as const;
export type PushKind = (typeof PUSH_KINDS)[number];

export const CONNECT_KEY_STATUSES = ['issued', 'used', 'withdrawn', 'expired'] as const;
export type ConnectKeyStatus = (typeof CONNECT_KEY_STATUSES)[number];

export const INVITATION_STATUSES = [
  'pending_approval',
  'approved',
  'exchanged',
  'rejected',
  'expired',
] as const;
export type InvitationStatus = (typeof INVITATION_STATUSES)[number];

export const PAIRING_STATUSES = ['pending', 'approved', 'completed', 'rejected', 'expired'] as const;
export type PairingStatus = (typeof PAIRING_STATUSES)[number];

export const CONNECTION_STATUSES = ['active', 'paused', 'revoked'] as const;
export type ConnectionStatus = (typeof CONNECTION_STATUSES)[number];

export const PAYMENT_REQUEST_STATUSES = [
  'pending',
  'signed',
  'broadcasted',
  'confirmed',
  'failed',
  'expired',
  'rejected',
] as const;
export type PaymentRequestStatus = (typeof PAYMENT_REQUEST_STATUSES)[number];

export const PAYMENT_EVENT_ACTORS = ['wallet', 'system', 'merchant', 'agent', 'observer'] as const;
export type PaymentEventActor = (typeof PAYMENT_EVENT_ACTORS)[number];

/** The state of a payment on the chain, as opposed to the wallet's report. */
export const SETTLEMENT_STATES = [
  'unknown',
  'unseen',
  'seen',
  'final',
  'mismatch',
  'failed_on_chain',
] as const;
export type SettlementState = (typeof SETTLEMENT_STATES)[number];

/** `request`: each payment carries a separate memo, which the service derives. */
export const MEMO_POLICIES = ['fixed', 'request'] as const;
export type MemoPolicy = (typeof MEMO_POLICIES)[number];

/**
 * What a transaction is compared with: the pinned details, that it is not older than the request (`time`), and that no
 * other request took what it paid (`claimed`).
 */
export const SETTLEMENT_FACTS = [
  'to',
  'asset',
  'issuer',
  'contract',
  'amount',
  'memo',
  'time',
  'claimed',
] as const;
export type SettlementFact = (typeof SETTLEMENT_FACTS)[number];

export const WEBHOOK_ENDPOINT_STATUSES = ['pending_verification', 'active', 'disabled'] as const;
export type WebhookEndpointStatus = (typeof WEBHOOK_ENDPOINT_STATUSES)[number];

export const WEBHOOK_DELIVERY_STATUSES = ['pending', 'delivered', 'failed', 'cancelled'] as const;
export type WebhookDeliveryStatus = (typeof WEBHOOK_DELIVERY_STATUSES)[number];

export const API_KEY_STATUSES = ['active', 'revoked'] as const;

export const AGENT_PAYMENT_STATUSES = [
  'intent_created',
  'signed',
  'broadcasted',
  'confirmed',
  'rejected',
  'failed',
  'expired',
  'cancelled',
] as const;
export type AgentPaymentStatus = (typeof AGENT_PAYMENT_STATUSES)[number];

export const PAYMENT_INITIATORS = ['agent', 'human'] as const;
export type PaymentInitiator = (typeof PAYMENT_INITIATORS)[number];

/** Who typed the address of a payment that names no Recipient. */
/** How a payment request was created: with the agent's key, its own token, or a token that a wallet has seen. */
export const REQUEST_ORIGINS = ['proof', 'own_token', 'shared_token'] as const;
export type RequestOrigin = (typeof REQUEST_ORIGINS)[number];

/** The same of an agent payment, which other credentials can create too. */
export const PAYMENT_ORIGINS = [...REQUEST_ORIGINS, 'api_key', 'operator', 'wallet'] as const;
export type PaymentOrigin = (typeof PAYMENT_ORIGINS)[number];

export const ADDRESS_ORIGINS = ['operator', 'agent', 'user'] as const;
export type AddressOrigin = (typeof ADDRESS_ORIGINS)[number];

export const AUTOMATION_POLICY_STATUSES = ['draft', 'active', 'paused', 'expired', 'revoked'] as const;
export type AutomationPolicyStatus = (typeof AUTOMATION_POLICY_STATUSES)[number];

/** In the order in which a refusal names them. */
export const POLICY_THRESHOLDS = [
  'single_tx_limit',
  'cumulative_limit',
  'validity_window',
  'allowlist',
] as const;
export type PolicyThreshold = (typeof POLICY_THRESHOLDS)[number];

export const NO_ACTIVE_POLICY = 'no_active_policy';
export type TriggeredThreshold = PolicyThreshold | typeof NO_ACTIVE_POLICY;

export const POLICY_VERDICTS = ['allow', 'hitl_required'] as const;
export type PolicyVerdict = (typeof POLICY_VERDICTS)[number];

/** The only network on which the second surface works. */
export const SECOND_SURFACE_NETWORK = 'stellar_testnet' satisfies Network;

/** Words that name or imply a mainnet; compared without case. */
export const MAINNET_WORDS = ['mainnet', 'livenet', 'production'] as const;

/**
 * One payee that a policy lets an agent pay. Declared apart from its schema, because the SDK includes the type but no
 * schemas.
 */
export interface AllowlistEntry {
  recipient_id?: string;
  /** The version that the customer sees or has accepted. */
  recipient_version_id?: string | null;
  address?: string;
  /** Next to an address: none means that the payment has none. */
  memo?: string;
}

/**
 * What of a payee a payment is made with, in the order of every list. The name is not among them, nor what follows from
 * them.
 */
export const PAYMENT_DETAILS = [
  'network',
  'asset',
  'address',
  'memo',
  'memo_policy',
  'contract',
  'issuer',
  'decimals',
  'chain_id',
] as const;
