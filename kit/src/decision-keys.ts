import { randomBytes } from 'node:crypto';
import { ed25519PublicKey, encodeBase64Url, signEd25519 } from '@payassent/protocol';
import {
  contextDigest,
  type DecisionFacts,
  type DecisionKind,
  decisionKeyText,
  decisionKeyThumbprint,
  decisionStatement,
  type Ed25519DecisionKey,
} from '@payassent/protocol/evidence';
import type { Body, Caller, Received } from './client.ts';
import { deviceOf, type TestDevice } from './wallets.ts';

/** A device's own signing key, as a wallet would hold it. */
export interface TestDecisionKey {
  key: Ed25519DecisionKey;
  thumbprint: string;
  sign(text: string): string;
}

export function newDecisionKey(): TestDecisionKey {
  const seed = new Uint8Array(randomBytes(32));
  const key: Ed25519DecisionKey = { alg: 'Ed25519', public_key: encodeBase64Url(ed25519PublicKey(seed)) };
  return {
    key,
    thumbprint: decisionKeyThumbprint(key),
    sign: (text) => encodeBase64Url(signEd25519(new TextEncoder().encode(text), seed)),
  };
}

export function putKey(
  service: { call: Caller; url: string },
  device: TestDevice,
  made: TestDecisionKey,
  more: Record<string, unknown> = {},
): Promise<Received> {
  const text = decisionKeyText(service.url, device.device_id, made.thumbprint);
  return service.call('PUT', `/v1/wallet-devices/${device.device_id}/decision-key`, {
    device: deviceOf(device),
    body: { decision_key: made.key, proof: made.sign(text), ...more },
  });
}

/** What another device signs to vouch for a new key. */
export function endorse(
  service: { url: string },
  by: { device: TestDevice; key: TestDecisionKey },
  of: { device: TestDevice; key: TestDecisionKey },
) {
  const text = decisionKeyText(service.url, of.device.device_id, of.key.thumbprint);
  return { device_id: by.device.device_id, signature: by.key.sign(text) };
}

/** As a wallet makes it, from the record that it shows. */
export function decide(
  record: Body,
  device: TestDevice,
  key: TestDecisionKey,
  decision: DecisionKind,
  at: Date,
  options: { context?: Record<string, unknown>; change?: Partial<DecisionFacts> } = {},
) {
  const decided_at = at.toISOString();
  const statement = decisionStatement({
    ...(record.request_id === undefined
      ? { agent_payment_id: record.id }
      : { request_id: record.request_id }),
    decision,
    connection_id: record.connection_id,
    device_id: device.device_id,
    facts_digest: record.facts_digest,
    context_digest: options.context ? contextDigest(options.context) : null,
    expires_at: record.expires_at,
    decided_at,
    ...options.change,
  } as DecisionFacts);
  return { decided_at, signature: key.sign(statement) };
}
