import { encodeBase64Url, factsDigest } from '@payassent/protocol';
import {
  contextDigest,
  decisionActText,
  decisionKeyText,
  decisionKeyThumbprint,
  decisionStatement,
} from '@payassent/protocol/evidence';
import type {
  AgentPayment,
  PaymentRequest,
  PendingChange,
  SignedDecision,
  WalletAuthorization,
  WebauthnAssertion,
} from '../contract.ts';
import { needObject } from '../core/checks.ts';

/** An Ed25519 key that signs decisions. */
export interface Ed25519DecisionKey {
  /** The kind of the key. */
  alg: 'Ed25519';
  /** 32 bytes, base64url without padding. */
  public_key: string;
}

/** A passkey that signs decisions. */
export interface WebauthnDecisionKey {
  /** The kind of the key. */
  alg: 'webauthn';
  /** Base64url without padding. */
  credential_id: string;
  /** A COSE key of ES256 or EdDSA, base64url without padding. */
  public_key: string;
  /** The relying party that the passkey was made for. */
  rp_id: string;
  /** The origin at which the wallet uses it. */
  origin: string;
}

/** The public key with which a device signs its decisions. */
export type DecisionKey = Ed25519DecisionKey | WebauthnDecisionKey;

/** Signs bytes with the device's Ed25519 key and returns the 64 bytes of the signature. */
export type SignBytes = (text: Uint8Array) => Promise<Uint8Array> | Uint8Array;

/** A signature by an Ed25519 key, or an assertion of an authenticator. */
export type KeySignature = { signature: string } | { webauthn: WebauthnAssertion };

/** Signs a text with a decision key of the wallet: `signText` does it for an Ed25519 key. */
export type SignWithKey = (text: string) => Promise<KeySignature> | KeySignature;

/** A decision key that the service knows, for changes of the wallet's keys. */
export interface KeySigner {
  /** The device whose key it is. */
  deviceId: string;
  /** Signs with the key. A passkey prompts its owner. */
  sign: SignWithKey;
}

/** What an authorization allows. */
export interface KeyChange {
  /** What is done. */
  act: PendingChange['act'];
  /** The device that it is about; null for a recovery code. */
  deviceId: string | null;
  /** Of the new key (`set_key`) or of the key that ends (`remove_key`, `delete_device`); null where there is none. */
  thumbprint: string | null;
}

/** What the customer was shown, and how the customer decided. */
export interface DecisionInput {
  /**
   * The record as it was shown. Its facts are computed again here; a record that differs from its pinned facts is
   * rejected.
   */
  record: PaymentRequest | AgentPayment;
  /** The pinned context as the customer could read it; null when none is pinned. */
  context: Readonly<Record<string, unknown>> | null;
  /** The customer's decision. */
  decision: 'approve' | 'reject';
  /** The device that decides. */
  deviceId: string;
  /** Default: now. */
  decidedAt?: string;
}

/**
 * The text to sign. It is built from what was shown, not from the service's description of it: the digests of facts and
 * context are computed here.
 */
export function decisionText(input: DecisionInput): { statement: string; decided_at: string } {
  const { record, context, decision, deviceId } = input;
  if (!hasPinnedFacts(record))
    throw new TypeError('The facts of this record are not the ones that were pinned.');
  const decided_at = input.decidedAt ?? new Date().toISOString();
  const { connection_id, facts_digest, expires_at } = record;
  const statement = decisionStatement({
    ...('request_id' in record ? { request_id: record.request_id } : { agent_payment_id: record.id }),
    decision,
    connection_id,
    device_id: deviceId,
    facts_digest,
    context_digest: context && contextDigest(withoutServiceMembers(context)),
    expires_at,
    decided_at,
  });
  return { statement, decided_at };
}

/** The service adds members to a context that are not the agent's words. */
function withoutServiceMembers(context: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const added = new Set(['transaction_id', 'connection_id', 'revision', 'created_at']);
  return Object.fromEntries(Object.entries(context).filter(([name]) => !added.has(name)));
}

/** Signs a decision with an Ed25519 key. */
export async function signDecision(input: DecisionInput, sign: SignBytes): Promise<SignedDecision> {
  const { statement, decided_at } = decisionText(input);
  return { decided_at, signature: await signText(statement, sign) };
}

/** The text that a new decision key signs as its proof, and another device's key as its endorsement. */
export function keyText(baseUrl: string, deviceId: string, key: DecisionKey): string {
  return decisionKeyText(baseUrl, deviceId, decisionKeyThumbprint(key));
}

/** Names a key: what `authorizeChange` needs for `set_key`. */
export function keyThumbprint(key: DecisionKey): string {
  return decisionKeyThumbprint(key);
}

/**
 * Authorizes one change of the wallet's keys, now and once. `baseUrl` is the name that the service knows itself by;
 * `WalletClient` does this for its own calls when it has a `signer`.
 */
export async function authorizeChange(
  baseUrl: string,
  { deviceId, sign }: KeySigner,
  change: KeyChange,
): Promise<WalletAuthorization> {
  const at = new Date().toISOString();
  return { device_id: deviceId, at, ...(await sign(decisionActText(baseUrl, { ...change, at }))) };
}

/** Signs a text as decision keys do: base64url without padding. */
export async function signText(text: string, sign: SignBytes): Promise<string> {
  return encodeBase64Url(await sign(new TextEncoder().encode(text)));
}

/**
 * Whether the facts of a payment request or an agent payment are the ones that were pinned when it was created:
 * network, asset, amount, destination and the rest, computed again on this machine. A wallet that shows one should
 * refuse it when this is false.
 */
export function hasPinnedFacts(record: PaymentRequest | AgentPayment): boolean {
  needObject(record, 'Pass the payment request itself, for example response.payment_request');
  const pinned = 'payment' in record ? { ...record.payment, ...versionOf(record) } : record;
  const { rail, network, asset, amount, to, contract, issuer, decimals, chain_id, memo } = pinned;
  const facts = { rail, network, asset, amount, to, contract, issuer, decimals, chain_id, memo };
  const { recipient_version_id } = pinned;
  return factsDigest({ ...facts, recipient_version_id }) === record.facts_digest;
}

function versionOf({ payee }: PaymentRequest) {
  return { recipient_version_id: payee.recipient_version_id };
}
