import { type PairingLink, parsePairingUri } from '@payassent/protocol';
import type { PairingAnswer } from '../contract.ts';
import type { Api } from '../core/api.ts';
import type { CallOptions } from '../core/call.ts';
import { WalletPairingCalls } from '../generated/wallet.ts';
import { findPairingSession } from '../operations.ts';

/** Reads `svc://pair?…` as scanned from a screen; undefined when it is anything else. */
export function readPairingUri(uri: string): PairingLink | undefined {
  return parsePairingUri(uri);
}

/** Pairing by a short code that the agent shows. */
export class WalletPairing extends WalletPairingCalls {
  readonly #api: Api;

  /** Made by `WalletClient`. */
  constructor(api: Api) {
    super(api);
    this.#api = api;
  }

  /** Finds a pending session by its code, to show who requests it before deciding. */
  find(code: string, options: CallOptions = {}): Promise<PairingAnswer> {
    return this.#api.call(findPairingSession, { query: { code } }, options);
  }
}
