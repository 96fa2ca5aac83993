import type { Issue } from '@payassent/protocol';
import type { DecisionSignature, WalletAct, WebauthnAssertion } from '@payassent/protocol/evidence';
import type { Act } from '../../act.ts';
import type { Tx } from '../../db/open.ts';
import { AppError } from '../../errors.ts';
import { addMs, DAY_MS } from '../../lib/clock.ts';
import type { WalletPrincipal } from '../../principals.ts';
import { authorize } from '../decisions/authorization.ts';
import { hasKeys } from '../decisions/keys.ts';
import * as sql from './sql.ts';
import type { DeviceRow } from './view.ts';

const RECOVERY_COUNTS_MS = DAY_MS;

/** Members of every call that changes a wallet's keys. */
export interface AuthorizationInput {
  authorization?: {
    device_id: string;
    at: string;
    signature?: string;
    webauthn?: WebauthnAssertion;
  };
}

/** The issues of the authorization that the body alone shows. */
export function authorizationIssues({ authorization: sent }: Partial<AuthorizationInput>): Issue[] {
  if (typeof sent !== 'object' || sent === null) return [];
  if ((sent.signature === undefined) !== (sent.webauthn === undefined)) return [];
  return [
    {
      field: 'authorization.signature',
      code: sent.signature === undefined ? 'required' : 'invalid_format',
      message: 'Send either signature or webauthn.',
    },
  ];
}

/**
 * The calling device. It may have been deleted since its credential was checked. The caller holds the wallet's lock.
 */
export async function askingDevice(tx: Tx, { walletId, deviceId }: WalletPrincipal): Promise<DeviceRow> {
  const device = await sql.findDevice(tx, walletId, deviceId);
  if (device?.status !== 'active') throw new AppError('token_revoked');
  return device;
}

/**
 * What allows a change of the wallet's keys now: the device whose key authorized it, `recovery` on a device that has
 * just recovered the wallet, null where the wallet has no key. Undefined: nothing does. A wrong authorization is
 * rejected, even where none is needed.
 */
export async function allowance(
  tx: Tx,
  act: Act,
  asking: DeviceRow,
  baseUrl: string,
  change: Omit<WalletAct, 'at'>,
  { authorization: sent }: AuthorizationInput,
): Promise<string | null | undefined> {
  const { wallet_id: walletId } = asking;
  if (sent) {
    const signed = signatureOf({ ...sent });
    return authorize(tx, act, { baseUrl, walletId }, change, {
      deviceId: sent.device_id,
      at: sent.at,
      signed,
    });
  }
  if (asking.joined_by === 'recovery' && asking.created_at >= addMs(act.now, -RECOVERY_COUNTS_MS))
    return 'recovery';
  return (await hasKeys(tx, walletId)) ? undefined : null;
}

/** An assertion may also be sent without its name. What is neither is an invalid signature everywhere. */
export function signatureOf(sent: Readonly<Record<string, unknown>>): DecisionSignature {
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
