import { randomBytes } from 'node:crypto';
import { ed25519PublicKey, encodeBase64Url, signEd25519 } from '@payassent/protocol';
import {
  contextDigest,
  type DecisionFacts,
  type DecisionKind,
  decisionActText,
  decisionKeyText,
  decisionKeyThumbprint,
  decisionStatement,
  type Ed25519DecisionKey,
  type WalletAct,
  type WebauthnAssertion,
  type WebauthnDecisionKey,
  webauthnChallenge,
} from '@payassent/protocol/evidence';
import type { Body, Caller, Received } from '../service/client.ts';
import { type Authenticator, createAuthenticator, pageOrigin } from './authenticator.ts';
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

/** A passkey that signs decisions; `sign` counts on. */
export interface TestPasskey {
  key: WebauthnDecisionKey;
  thumbprint: string;
  authenticator: Authenticator;
  sign(text: string): { webauthn: WebauthnAssertion };
}

export function newDecisionPasskey(url: string): TestPasskey {
  const origin = pageOrigin(url);
  const authenticator = createAuthenticator(origin);
  const { credentialId: credential_id, publicKey: public_key } = authenticator;
  const key: WebauthnDecisionKey = { alg: 'webauthn', credential_id, public_key, rp_id: 'localhost', origin };
  return {
    key,
    thumbprint: decisionKeyThumbprint(key),
    authenticator,
    sign(text) {
      const challenge = encodeBase64Url(webauthnChallenge(text));
      const { response } = authenticator.assert({ challenge, rpId: 'localhost' }) as {
        response: { authenticatorData: string; clientDataJSON: string; signature: string };
      };
      const { authenticatorData: authenticator_data, clientDataJSON: client_data_json, signature } = response;
      return { webauthn: { authenticator_data, client_data_json, signature } };
    },
  };
}

/** What a current key of the wallet signs to authorize a change of its keys. */
export function authorization(
  service: { url: string },
  by: { device: { device_id: string }; key: TestDecisionKey | TestPasskey },
  change: Omit<WalletAct, 'at'>,
  at: Date | string,
) {
  const sent = typeof at === 'string' ? at : at.toISOString();
  const signed = by.key.sign(decisionActText(service.url, { ...change, at: sent }));
  return {
    device_id: by.device.device_id,
    at: sent,
    ...(typeof signed === 'string' ? { signature: signed } : signed),
  };
}

export function putKey(
  service: { call: Caller; url: string },
  device: TestDevice,
  made: TestDecisionKey | TestPasskey,
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
  by: { device: TestDevice; key: TestDecisionKey | TestPasskey },
  of: { device: TestDevice; key: TestDecisionKey },
) {
  const signed = by.key.sign(decisionKeyText(service.url, of.device.device_id, of.key.thumbprint));
  return {
    device_id: by.device.device_id,
    ...(typeof signed === 'string' ? { signature: signed } : signed),
  };
}

/** As a wallet makes it, from the record that it shows. */
export function decide(
  record: Body,
  device: TestDevice,
  key: TestDecisionKey | TestPasskey,
  decision: DecisionKind,
  at: Date,
  options: { context?: Record<string, unknown>; change?: Partial<DecisionFacts> } = {},
): { decided_at: string; signature?: string; webauthn?: WebauthnAssertion } {
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
  const signed = key.sign(statement);
  return { decided_at, ...(typeof signed === 'string' ? { signature: signed } : signed) };
}
