import type { Evidence, EvidenceType, Network, Recipient, RecipientVersion } from '@payassent/protocol';
import type { Page } from '../core/pages.ts';

/** Where a payee is paid. What follows from the network is filled in; when sent, it must agree. */
export interface PayeeFacts {
  /** For example `stellar_testnet`. */
  network: Network;
  /** The native symbol, such as `XLM`, or a token. */
  asset: string;
  /** Checked with the checksum of its network. */
  address: string;
  /** Memo, destination tag or comment. */
  memo?: string;
  /** Token contract, on EVM networks. */
  contract?: string;
  /** Issuing account, on Stellar for every asset but XLM. */
  issuer?: string;
  /** Needed for ERC-20 tokens. */
  decimals?: number;
  /** The network's own. */
  chain_id?: number;
}

/** A new payee. */
export interface RecipientInput extends PayeeFacts {
  /** What wallets show. */
  name: string;
}

/** Other facts for a payee, based on a version of its record. */
export interface RecipientVersionInput extends PayeeFacts {
  /** The Recipient's version that this is based on. */
  version: number;
}

/** A change of the label, or the end of a payee. */
export interface RecipientChange {
  /** The label; versions keep theirs. */
  name?: string;
  /** Final. */
  status?: 'archived';
  /** Only with `archived`. What becomes of requests to this payee that await a decision: kept when absent, or rejected as `payee_recalled`. */
  pending?: 'keep' | 'reject';
  /** The version that the change is based on. */
  version: number;
}

/** Which version is proved by which domain. */
export interface VerifyRecipientInput {
  /** The version to verify. */
  recipient_version_id: string;
  /** `domain_proof` */
  type: EvidenceType;
  /** A verified domain of the organization. */
  source_id: string;
  /** The Recipient's version that this is based on. */
  version: number;
}

/** The evidence on which a version is activated. */
export interface ActivateVersionInput {
  /** `evd_…` */
  evidence_id: string;
  /** As it came with the evidence. */
  evidence_digest: string;
  /** What becomes of requests to this payee that await a decision: kept when absent, or rejected as `payee_recalled`. */
  pending?: 'keep' | 'reject';
  /** The Recipient's version that this is based on. */
  version: number;
}

/** A payee with one of its versions. */
export interface RecipientWithVersion {
  /** The payee. */
  recipient: Recipient;
  /** Its facts, which never change. */
  recipient_version: RecipientVersion;
}

/** A payee with all of its versions. */
export interface RecipientWithVersions {
  /** The payee. */
  recipient: Recipient;
  /** Newest first. */
  recipient_versions: RecipientVersion[];
}

/** Fresh evidence for a version. */
export interface VerifiedRecipient extends RecipientWithVersion {
  /** Valid for 24 hours. */
  evidence: Evidence;
}

/** What a recall has taken back. */
export interface RecalledRecipient {
  /** The payee. */
  recipient: Recipient;
  /** How many payment requests it has rejected. */
  rejected: number;
}

/** One page of payees. */
export interface RecipientsPage extends Page {
  /** Newest first. */
  recipients: Recipient[];
}
