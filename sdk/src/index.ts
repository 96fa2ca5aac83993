export type { AgentToken } from './agent/agent-credential.ts';
export { AgentClient, type AgentClientOptions, type ConnectionGrant } from './agent/client.ts';
export type { AgentConnections, ConnectionsPage } from './agent/connections.ts';
export type {
  AgentInvitations,
  ClaimedInvitation,
  ClaimInput,
  Connected,
  ConnectionWithToken,
} from './agent/invitations.ts';
export type { AgentPairing, PairingState, StartedPairing } from './agent/pairing.ts';
export type { WaitOptions } from './agent/poll-until.ts';
export {
  AgentPaymentsClient,
  type AgentPaymentsClientOptions,
  type AgentPaymentsCredential,
} from './agent-payments/client.ts';
export type {
  AgentPaymentInput,
  AgentPaymentQuery,
  AgentPaymentReport,
  AgentPayments,
  ItemsPage,
} from './agent-payments/payments.ts';
export type {
  AutomationPolicies,
  PolicyChange,
  PolicyInput,
  PolicyQuery,
  PolicyThresholds,
  PolicyTrial,
} from './agent-payments/policies.ts';
export { ConnectionClient, type ConnectionClientOptions } from './connection/client.ts';
export type { CollectToken } from './connection/connection-credential.ts';
export type { ConnectionContexts, ContextAnswer, ContextInput, ContextQuery } from './connection/contexts.ts';
export type { EventsOptions, EventsPage, EventsQuery } from './connection/events.ts';
export type { ConnectionPaymentRequests, PaymentRequestInput } from './connection/payment-requests.ts';
export type {
  PaymentRequestAnswer,
  PaymentRequestQuery,
  PaymentRequestsPage,
} from './connection/request-reads.ts';
export type { StatusWait } from './connection/wait-for-status.ts';
export type { CallOptions } from './core/call.ts';
export { type Clock, systemClock } from './core/clock.ts';
export type { CreateOptions, IdempotencyStore, Keyed } from './core/idempotency.ts';
export type { Page, PageQuery } from './core/pages.ts';
export type { RateLimit } from './core/rate-limits.ts';
export type { ClientOptions, Fetch, RetryNotice } from './core/settings.ts';
export * from './errors/index.ts';
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
export type { ApiKeysPage, CreatedApiKey, MerchantAccess } from './merchant/access.ts';
export type { AgentAnswer, AgentChange, AgentInput, AgentsPage, MerchantAgents } from './merchant/agents.ts';
export type { AuditPage, AuditQuery, MerchantAudit } from './merchant/audit.ts';
export { MerchantClient, type MerchantClientOptions } from './merchant/client.ts';
export type { MerchantConnections } from './merchant/connections.ts';
export type {
  CredentialAnswer,
  CredentialDates,
  CredentialInput,
  CredentialsPage,
  MerchantCredentials,
  RegisteredCredential,
} from './merchant/credentials.ts';
export type { DeliveriesPage, DeliveryQuery, MerchantDeliveries } from './merchant/deliveries.ts';
export type { DomainInput, DomainsPage, DomainWithChallenge, MerchantDomains } from './merchant/domains.ts';
export type { MerchantOperators, OperatorAnswer, RemovedOperator } from './merchant/operators.ts';
export type { MerchantAnswer, MerchantOrganization } from './merchant/organization.ts';
export type {
  MerchantPasskeys,
  PasskeyAnswer,
  PasskeyAssertion,
  PasskeyOptions,
  PasskeyRegistration,
  PasskeyResponse,
} from './merchant/passkeys.ts';
export type { MerchantPaymentRequests } from './merchant/payment-requests.ts';
export type * from './merchant/recipient-inputs.ts';
export type { MerchantRecipients } from './merchant/recipients.ts';
export type {
  CreatedOrganization,
  EmailGrant,
  MerchantSessions,
  OpenSession,
  SessionGrant,
} from './merchant/sessions.ts';
export type {
  EndpointAnswer,
  EndpointChange,
  EndpointInput,
  EndpointsPage,
  EndpointWithSecret,
  MerchantWebhooks,
} from './merchant/webhooks.ts';
export * from './records.ts';
export { fetchErrorCatalogue } from './service.ts';
export type { WalletAudit } from './wallet/audit.ts';
export { type Enrolled, WalletClient, type WalletClientOptions } from './wallet/client.ts';
export type { ConnectKeysPage, CreatedConnectKey, WalletConnectKeys } from './wallet/connect-keys.ts';
export type { ConnectionAnswer, WalletConnections } from './wallet/connections.ts';
export {
  type DecisionInput,
  type DecisionKey,
  decisionText,
  type Ed25519DecisionKey,
  type KeySignature,
  keyText,
  type SignBytes,
  type SignedDecision,
  signDecision,
  signText,
  type WebauthnAssertion,
  type WebauthnDecisionKey,
} from './wallet/decisions.ts';
export type { DevicesPage, EnrolAnswer, EnrolInput, WalletDevices } from './wallet/devices.ts';
export { hasPinnedFacts } from './wallet/facts.ts';
export type { InboxOptions } from './wallet/inbox.ts';
export type {
  InvitationAnswer,
  InvitationQuery,
  InvitationsPage,
  WalletInvitations,
} from './wallet/invitations.ts';
export {
  type ApprovePairingInput,
  type PairingAnswer,
  readPairingUri,
  type WalletPairing,
} from './wallet/pairing.ts';
export type { StatusAnswer, StatusReport, WalletPaymentRequests } from './wallet/payment-requests.ts';
export {
  type IncomingWebhook,
  verifyWebhook,
  type WebhookEvent,
  type WebhookEventOf,
  type WebhookFamily,
} from './webhook.ts';
