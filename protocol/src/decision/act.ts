import type { WalletChangeAct } from '../enumerations.ts';

/** What a change of a wallet's keys is about. */
export interface WalletAct {
  act: WalletChangeAct;
  /** The device acted on; null for a recovery code. */
  deviceId: string | null;
  /** Of the new key, or of the key that ends; null where there is none. */
  thumbprint: string | null;
  /** RFC 3339, as it is sent next to the signature. */
  at: string;
}

/** What a current key of the wallet signs to authorize a change of the wallet's keys. */
export function decisionActText(baseUrl: string, { act, deviceId, thumbprint, at }: WalletAct): string {
  return `svc-decision-act:v1:${baseUrl}:${act}:${deviceId ?? '-'}:${thumbprint ?? '-'}:${at}`;
}
