import { type PairingLink, parsePairingUri } from '@payassent/protocol';
import type {
  ApprovePairingInput,
  ConnectionWithToken,
  PairingAnswer,
  RejectPairingInput,
} from '../contract.ts';
import type { Api } from '../core/api.ts';
import type { CallOptions } from '../core/call.ts';
import { approvePairingSession, findPairingSession, rejectPairingSession } from '../operations.ts';

/** Reads `svc://pair?…` as scanned from a screen; undefined when it is anything else. */
export function readPairingUri(uri: string): PairingLink | undefined {
  return parsePairingUri(uri);
}

/** Pairing by a short code that the agent shows. */
export class WalletPairing {
  readonly #api: Api;

  /** Made by `WalletClient`. */
  constructor(api: Api) {
    this.#api = api;
  }

  /** Finds a pending session by its code, to show who asks before deciding. */
  find(code: string, options: CallOptions = {}): Promise<PairingAnswer> {
    return this.#api.call(findPairingSession, { query: { code } }, options);
  }

  /** Approves; wallet and agent receive the same connection token. */
  approve(
    sessionId: string,
    input: ApprovePairingInput,
    options: CallOptions = {},
  ): Promise<ConnectionWithToken> {
    return this.#api.call(approvePairingSession, { params: { id: sessionId }, body: input }, options);
  }

  /** Rejects. */
  reject(sessionId: string, input: RejectPairingInput, options: CallOptions = {}): Promise<PairingAnswer> {
    return this.#api.call(rejectPairingSession, { params: { id: sessionId }, body: input }, options);
  }
}
