export { AgentClient, type AgentClientOptions } from './agent/client.ts';
export type { AgentConnections } from './agent/connections.ts';
export type { AgentInvitations, Connected, ConnectionGrant, WaitOptions } from './agent/invitations.ts';
export type { AgentPairing } from './agent/pairing.ts';
export {
  AgentPaymentsClient,
  type AgentPaymentsClientOptions,
  type AgentPaymentsCredential,
} from './agent-payments/client.ts';
export type { AgentPayments } from './agent-payments/payments.ts';
export type { AgentPaymentSettlementWait, AgentPaymentWait } from './agent-payments/wait-for-status.ts';
export type * from './aliases.ts';
export type { ConnectionAgentPayments } from './connection/agent-payments.ts';
export { ConnectionClient, type ConnectionClientOptions } from './connection/client.ts';
export type { CollectToken } from './connection/connection-credential.ts';
export type { ConnectionContexts } from './connection/contexts.ts';
export type { EventsOptions } from './connection/event-reader.ts';
export type { ConnectionPaymentRequests } from './connection/payment-requests.ts';
export type { SettlementWait, StatusWait } from './connection/wait-for-status.ts';
export type * from './contract.ts';
export type { CallOptions } from './core/call.ts';
export { type Clock, systemClock } from './core/clock.ts';
export type { CreateOptions, Keyed } from './core/idempotency.ts';
export type { RateLimit } from './core/rate-limits.ts';
export type { ClientOptions, Fetch, RetryNotice } from './core/settings.ts';
export { memoryStore, type Store } from './core/store.ts';
export * from './errors/index.ts';
export type { AutomationPolicies } from './generated/agent-payments.ts';
export type { ConnectionPayees } from './generated/connection.ts';
export type {
  MerchantAccess,
  MerchantApprovals,
  MerchantAudit,
  MerchantConnections,
  MerchantDeliveries,
  MerchantDomains,
  MerchantOperators,
  MerchantOrganization,
  MerchantPasskeys,
  MerchantPaymentRequests,
  MerchantRecipients,
} from './generated/merchant.ts';
export type { WalletAudit, WalletConnectKeys, WalletInvitations } from './generated/wallet.ts';
export {
  type AgentKey,
  agentKeyFromCryptoKeys,
  agentKeyFromPem,
  agentKeyFromSeed,
  type GeneratedAgentKey,
  generateAgentKey,
  type WebCryptoKey,
} from './keys/agent-key.ts';
export { type ExpectedProof, signCredentialChallenge } from './keys/credential-proof.ts';
export type { MerchantAgents, MerchantCredentials } from './merchant/agents.ts';
export { MerchantClient, type MerchantClientOptions, type MerchantWebhooks } from './merchant/client.ts';
export type { MerchantSessions } from './merchant/sessions.ts';
export { type Outcome, outcome, type PaymentState, type Standing, standing } from './outcome.ts';
export * from './records.ts';
export { fetchErrorCatalogue, fetchNetworks } from './service.ts';
export { type Enrolled, WalletClient, type WalletClientOptions } from './wallet/client.ts';
export type { WalletConnections } from './wallet/connections.ts';
export {
  authorizeChange,
  type DecisionInput,
  type DecisionKey,
  decisionText,
  type Ed25519DecisionKey,
  hasPinnedFacts,
  type KeyChange,
  type KeySignature,
  type KeySigner,
  keyText,
  keyThumbprint,
  type SignBytes,
  type SignWithKey,
  signDecision,
  signText,
  type WebauthnDecisionKey,
} from './wallet/decisions.ts';
export type { AuthorizedOptions, WalletDevices } from './wallet/devices.ts';
export type { InboxOptions } from './wallet/inbox.ts';
export { readPairingUri, type WalletPairing } from './wallet/pairing.ts';
export type { WalletPaymentRequests } from './wallet/payment-requests.ts';
export type { WalletPendingChanges } from './wallet/pending-changes.ts';
export {
  type IncomingWebhook,
  type PublishedKeys,
  signTestWebhook,
  type TestWebhook,
  verifyWebhook,
  type WebhookEvent,
  type WebhookEventOf,
  type WebhookFamily,
} from './webhook.ts';
