import type { OperatorRole, Scope } from '@payassent/protocol';
import type { CredentialKind } from '@payassent/protocol/api';

/** `suspended`: by the host. */
export type MerchantStanding = 'pending' | 'active' | 'suspended';

/** What a session proves in addition to the identity. */
export interface Factors {
  /** An effective one. */
  hasPasskey: boolean;
  /** When a passkey was last used in the session. */
  steppedUpAt: Date | null;
  /** When that passkey became effective. */
  passkeyEffectiveAt: Date | null;
  /** Set when the session began with a mailed link although there were passkeys: none is accepted in it before. */
  recoversAt: Date | null;
}

/** The caller, as proved by a credential. Tenant and actor come only from here. */
export interface MerchantPrincipal {
  kind: 'merchant';
  merchantId: string;
  merchantStatus: MerchantStanding;
  accountId: string;
  role: OperatorRole;
  /** The organization requires two owners for sensitive calls. */
  fourEyes: boolean;
  factors: Factors;
  sessionId: string;
  /** The required `X-CSRF-Token` of a mutation. */
  csrfToken: string;
}

export interface AgentPrincipal {
  kind: 'agent';
  merchantId: string;
  agentId: string;
  credentialId: string;
  scopes: readonly Scope[];
}

export interface ClaimPrincipal {
  kind: 'claim';
  merchantId: string;
  agentId: string;
  invitationId: string;
  tokenHash: string;
}

export interface ConnectionPrincipal {
  kind: 'connection';
  merchantId: string;
  agentId: string;
  walletId: string;
  connectionId: string;
  status: 'active' | 'paused';
  /** Approved by the customer and still allowed to the agent. */
  scopes: readonly Scope[];
  /** A wallet has seen the token: the caller may be the customer. */
  isShared: boolean;
}

export interface WalletPrincipal {
  kind: 'wallet';
  walletId: string;
  deviceId: string;
}

export interface ApiKeyPrincipal {
  kind: 'api_key';
  merchantId: string;
  agentId: string;
  apiKeyId: string;
}

export interface AdminPrincipal {
  kind: 'admin';
  merchantId: string;
  merchantStatus: MerchantStanding;
  accountId: string;
  role: OperatorRole;
  factors: Factors;
  sessionId: string;
}

export interface Principals {
  merchant: MerchantPrincipal;
  agent: AgentPrincipal;
  claim: ClaimPrincipal;
  connection: ConnectionPrincipal;
  wallet: WalletPrincipal;
  api_key: ApiKeyPrincipal;
  admin: AdminPrincipal;
}

export type Principal = Principals[CredentialKind];
export type OperatorPrincipal = Principals['merchant' | 'admin'];

/** A credential as sent: its kind is known from its form, its validity is not. */
export interface PresentedCredential {
  kind: CredentialKind;
  token: string;
  /** SHA-256 of the token in hex, as stored. */
  tokenHash: string;
  /** Sent by a wallet with its token; absent when it sent the token as a bearer. */
  deviceId?: string;
  /** The credential whose key signed for this call, once that has been checked. */
  provedBy?: string;
}

/** By the hash of a token: its owner, which never changes, and its permissions as of the last lookup. */
export interface TokenOwner {
  /** The subject whose calls limits count together. */
  subject: string;
  /** For a connection's token. */
  place?: TokenPlace | undefined;
  permission?: CallerPermission | undefined;
}

export interface TokenPlace extends AgentName {
  connectionId: string;
}

/** An agent and its merchant. */
export interface AgentName {
  merchantId: string;
  agentId: string;
}

/** What the token of a connection may do as long as its merchant's permissions have this version, and no longer. */
export interface CallerPermission extends TokenPlace {
  version: string;
  /** Approved by the customer and allowed to the agent. */
  scopes: readonly Scope[];
  requiresProof: boolean;
  /** A wallet has seen the token. */
  isShared: boolean;
  /** Of the agent: one must be within its dates, and must have signed the call's proof where one is required. */
  credentials: readonly CredentialDates[];
  /** A recall of its payee may have ended something that awaits a decision. */
  hasRecalls: boolean;
}

export interface CredentialDates {
  credentialId: string;
  /** Both inclusive. */
  fromMs: number;
  untilMs: number;
}
