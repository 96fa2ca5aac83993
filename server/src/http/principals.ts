import type { OperatorRole, Scope } from '@payassent/protocol';
import type { CredentialKind } from '@payassent/protocol/api';

/** `suspended`: by the operator of the installation. */
export type MerchantStanding = 'pending' | 'active' | 'suspended';

/** What a session shows besides who it is. */
export interface Factors {
  /** One that is effective. */
  hasPasskey: boolean;
  /** When a passkey was last used in the session. */
  steppedUpAt: Date | null;
  /** Since when that passkey was effective. */
  passkeyEffectiveAt: Date | null;
  /** Set when the session began with a mailed link although there were passkeys: none is accepted in it before. */
  recoversAt: Date | null;
}

/** Who is calling, as proved by a credential. Tenant and actor come from here and from nowhere else. */
export interface MerchantPrincipal {
  kind: 'merchant';
  merchantId: string;
  merchantStatus: MerchantStanding;
  accountId: string;
  role: OperatorRole;
  /** The organization requires two owners for what matters. */
  fourEyes: boolean;
  factors: Factors;
  sessionId: string;
  /** What `X-CSRF-Token` must carry on a mutation. */
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
  /** Approved by the user and still allowed to the agent, at this moment. */
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

/** A credential as sent: its kind is known from its form, its worth is not. */
export interface PresentedCredential {
  kind: CredentialKind;
  token: string;
  /** SHA-256 of the token in hex, the form in which it is stored. */
  tokenHash: string;
  /** What a wallet sent beside its token; absent when it sent the token as a bearer. */
  deviceId?: string;
  /** The credential whose key signed for this call, once that has been checked. */
  provedBy?: string;
}

/** By the hash of a token: whose it is, which never changes, and what it could do when that was last looked up. */
export interface TokenOwner {
  /** Whose calls limits count together. */
  subject: string;
  /** Of a connection's token. */
  place?: TokenPlace | undefined;
  permission?: CallerPermission | undefined;
}

export interface TokenPlace {
  connectionId: string;
  agentId: string;
}

/** What the token of a connection may do as long as its merchant's permissions has this version, and no longer. */
export interface CallerPermission extends TokenPlace {
  merchantId: string;
  version: string;
  /** Approved by the user and allowed to the agent. */
  scopes: readonly Scope[];
  requiresProof: boolean;
  /** A wallet has seen the token. */
  isShared: boolean;
  /** Of the agent: one must be within its dates, and must have signed for the call where a proof is required. */
  credentials: readonly CredentialDates[];
  /** Something that awaits a decision can have been ended by a recall of its payee. */
  hasRecalls: boolean;
}

export interface CredentialDates {
  credentialId: string;
  /** Both inclusive. */
  fromMs: number;
  untilMs: number;
}
