import type { Issue } from '@payassent/protocol';
import type * as api from '@payassent/protocol/api';
import type { BodyOf } from '@payassent/protocol/api';
import {
  type DecisionKey,
  type DecisionSignature,
  decisionKeyFaults,
  type WebauthnAssertion,
} from '@payassent/protocol/evidence';
import type { Act } from '../../act.ts';
import type { Tx } from '../../db/open.ts';
import { AppError, notFound } from '../../errors.ts';
import type { WalletPrincipal } from '../../http/principals.ts';
import { addMs, DAY_MS } from '../../lib/clock.ts';
import { auditActor, recordAudit } from '../audit/record.ts';
import { setKey } from '../decisions/keys.ts';
import * as sql from './sql.ts';
import type { DeviceRow } from './view.ts';

export type SetKeyInput = BodyOf<typeof api.setDecisionKey>;

const WEBAUTHN_MEMBERS = ['credential_id', 'rp_id', 'origin'] as const;

/** What the body alone can say about the key. */
export function decisionKeyIssues(body: Partial<SetKeyInput>): Issue[] {
  const { decision_key: key } = body;
  if (typeof key !== 'object' || key === null) return [];
  const issues: Issue[] = [];
  for (const name of WEBAUTHN_MEMBERS) {
    const isWanted = key.alg === 'webauthn';
    if (isWanted === (key[name] !== undefined)) continue;
    issues.push({
      field: `decision_key.${name}`,
      code: isWanted ? 'required' : 'unknown_field',
      message: isWanted ? `${name} is required for webauthn.` : `${name} belongs to webauthn only.`,
    });
  }
  if (issues.length > 0 || typeof key.public_key !== 'string') return issues;
  return decisionKeyFaults(key as DecisionKey).map(({ field, message }) => ({
    field: `decision_key.${field}`,
    code: 'invalid_format' as const,
    message: `${field}: ${message}.`,
  }));
}

const RECOVERY_COUNTS_MS = DAY_MS;

/** Sets or replaces the key of the device that asks; no other device can. */
export async function setDecisionKey(
  tx: Tx,
  act: Act,
  baseUrl: string,
  principal: WalletPrincipal,
  deviceId: string,
  input: SetKeyInput,
): Promise<DeviceRow> {
  const { walletId } = principal;
  if (deviceId !== principal.deviceId) throw notFound();
  // Two devices that get their first keys at once: the second meets the first one's.
  await sql.lockWallet(tx, walletId, 'exclusive');
  const device = await sql.findDevice(tx, walletId, deviceId);
  if (device?.status !== 'active') throw new AppError('token_revoked');
  const { endorsement } = input;
  const isRecovered =
    device.joined_by === 'recovery' && device.created_at >= addMs(act.now, -RECOVERY_COUNTS_MS);
  const { row, isNew } = await setKey(
    tx,
    act,
    baseUrl,
    { walletId, deviceId, isRecovered },
    {
      key: input.decision_key as DecisionKey,
      proof: signatureOf(typeof input.proof === 'string' ? { signature: input.proof } : input.proof),
      endorsement: endorsement && { deviceId: endorsement.device_id, signed: signatureOf(endorsement) },
    },
  );
  const { alg, thumbprint, created_at, endorsed_by } = row;
  if (isNew)
    await recordAudit(tx, act, {
      merchantId: null,
      type: 'device.decision_key_set',
      actor: auditActor(principal),
      target: { type: 'device', id: deviceId },
      details: {
        wallet_id: walletId,
        alg,
        thumbprint,
        endorsed_by,
        replaced: device.decision_key?.thumbprint ?? null,
      },
    });
  return { ...device, decision_key: { alg, thumbprint, created_at, endorsed_by } };
}

/** An assertion may also stand by itself. What is neither is a signature that holds nowhere. */
function signatureOf(sent: Readonly<Record<string, unknown>>): DecisionSignature {
  const assertion = (sent['webauthn'] ?? (sent['client_data_json'] ? sent : undefined)) as
    | Partial<WebauthnAssertion>
    | undefined;
  if (!assertion) return { signature: textOf(sent['signature']) };
  return {
    webauthn: {
      authenticator_data: textOf(assertion.authenticator_data),
      client_data_json: textOf(assertion.client_data_json),
      signature: textOf(assertion.signature),
    },
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
