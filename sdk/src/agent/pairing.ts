import type { PairingInput, PairingState, StartedPairing } from '../contract.ts';
import type { Api } from '../core/api.ts';
import type { CallOptions } from '../core/call.ts';
import { needObject } from '../core/checks.ts';
import { withDeadline } from '../core/deadline.ts';
import { NotApprovedError, WaitTimeoutError } from '../errors/waiting.ts';
import { createPairingSession, getPairingSession } from '../operations.ts';
import type { CollectOwnToken } from './connections.ts';
import { type Connected, type OpenConnection, pollUntil, type WaitOptions } from './invitations.ts';

/** Pairing: the agent shows a short code, the customer types it into the wallet and approves. */
export class AgentPairing {
  readonly #api: Api;
  readonly #parts: { collect: CollectOwnToken; open: OpenConnection };

  /** Made by `AgentClient`. */
  constructor(api: Api, parts: { collect: CollectOwnToken; open: OpenConnection }) {
    this.#api = api;
    this.#parts = parts;
  }

  /** Starts a session. Show `code`, or `pairing_uri` as a QR code, to the customer. */
  start(input: PairingInput, options: CallOptions = {}): Promise<StartedPairing> {
    return this.#api.call(createPairingSession, { body: input }, options);
  }

  /** Reads the state of the pairing. A wrong code counts; the fifth ends the session. */
  get(sessionId: string, code: string, options: CallOptions = {}): Promise<PairingState> {
    return this.#api.call(getPairingSession, { params: { id: sessionId }, query: { code } }, options);
  }

  /**
   * Waits for the customer's decision, then collects the agent's private token: the one that the wallet has seen
   * becomes invalid. Throws `NotApprovedError` when the customer rejects it or lets it expire.
   */
  async wait(started: StartedPairing['pairing_session'], options: WaitOptions = {}): Promise<Connected> {
    needObject(started, 'Pass pairing_session of what pairing.start has returned');
    const { timeoutMs, pollMs = started.poll_after_ms, signal, ...rest } = options;
    const late = () => new WaitTimeoutError('The approval', timeoutMs ?? 0);
    const deadline = { late, timeoutMs, signal };
    return withDeadline(this.#api.settings, deadline, (limited) =>
      pollUntil(this.#api.settings, pollMs, { signal: limited.signal, endsAt: started.expires_at }, () =>
        this.#granted(started, { ...rest, ...limited }),
      ),
    );
  }

  async #granted(
    started: StartedPairing['pairing_session'],
    options: CallOptions,
  ): Promise<Connected | undefined> {
    const state = await this.get(started.pairing_session_id, started.code, options);
    const { status } = state.pairing_session;
    if (status === 'rejected' || status === 'expired') throw new NotApprovedError(status);
    if (!state.connection) return undefined;
    const { collect, open } = this.#parts;
    return open(await collect(state.connection.connection_id, options));
  }
}
