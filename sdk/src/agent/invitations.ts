import type { ConnectionClient } from '../connection/client.ts';
import type { ClaimedInvitation, ClaimInput, ConnectionWithToken, InvitationAnswer } from '../contract.ts';
import { type Api, createApi } from '../core/api.ts';
import type { CallOptions } from '../core/call.ts';
import { needObject } from '../core/checks.ts';
import { sleep } from '../core/clock.ts';
import { bearer } from '../core/credential.ts';
import { withDeadline } from '../core/deadline.ts';
import { createInsist } from '../core/retry.ts';
import { atLeast, type Settings } from '../core/settings.ts';
import { NotApprovedError, WaitTimeoutError } from '../errors/waiting.ts';
import { claimConnectKey, exchangeConnectInvitation, getConnectInvitation } from '../operations.ts';
import type { CollectOwnToken, KeepToken } from './connections.ts';

/** Identifies a connection that was made earlier. */
export interface ConnectionGrant {
  /** `con_…` */
  connectionId: string;
  /** `svc_ct_…`; only where the store does not have it. */
  connectionToken?: string;
}

/** A connection that is ready to be used. */
export interface Connected extends ConnectionWithToken {
  /** Acts within the connection. */
  client: ConnectionClient;
}

/** Opens a connection that was granted. */
export type OpenConnection = (granted: ConnectionWithToken) => Connected | Promise<Connected>;

interface InvitationParts {
  keep: KeepToken;
  collect: CollectOwnToken;
  open: OpenConnection;
}

/** Connect: the customer mints a key in the wallet, the agent claims it, the customer approves, the agent exchanges. */
export class AgentInvitations {
  readonly #api: Api;
  readonly #parts: InvitationParts;

  /** Made by `AgentClient`. */
  constructor(api: Api, parts: InvitationParts) {
    this.#api = api;
    this.#parts = parts;
  }

  /** Claims a Connect Key. This is not approval: the wallet decides. */
  claim(input: ClaimInput, options: CallOptions = {}): Promise<ClaimedInvitation> {
    return this.#api.call(claimConnectKey, { body: input }, options);
  }

  /** Reads an invitation with its claim token. */
  get(invitationId: string, claimToken: string, options: CallOptions = {}): Promise<InvitationAnswer> {
    return createApi(this.#api.settings, bearer(claimToken, 'claimToken')).call(
      getConnectInvitation,
      { params: { id: invitationId } },
      options,
    );
  }

  /**
   * Exchanges an approved invitation, once, and puts the agent's private token into the store. Not retried
   * automatically: if the response is lost, read `connections.list` and collect the token there.
   */
  async exchange(
    invitationId: string,
    claimToken: string,
    options: CallOptions = {},
  ): Promise<ConnectionWithToken> {
    const api = createApi(this.#api.settings, bearer(claimToken, 'claimToken'));
    const { keep, collect } = this.#parts;
    const granted = await keep(
      await api.call(exchangeConnectInvitation, { params: { id: invitationId } }, options),
    );
    // The exchanged token works already, so a failure here is no failure of the exchange, which cannot be repeated.
    return collect(granted.connection.connection_id, options).catch(() => granted);
  }

  /**
   * Waits for the customer's decision on a claimed invitation, then exchanges it. Throws `NotApprovedError` when the
   * customer rejects it or lets it expire. `timeoutMs` ends the wait for the decision, never the exchange after it:
   * that works only once.
   */
  async wait(claimed: ClaimedInvitation, options: WaitOptions = {}): Promise<Connected> {
    needObject(claimed?.connect_invitation, 'Pass what invitations.claim has returned, as it is');
    await this.#untilDecided(options, (limited) => this.#approval(claimed, limited));
    return this.#connected(claimed, options);
  }

  /**
   * `claim`, then `wait`.
   *
   * @example
   * ```ts
   * const { client } = await agent.invitations.connect({
   *   connect_key: connectKey,
   *   requested_scopes: ['payment.requests.create', 'payment.requests.read'],
   * });
   * ```
   */
  async connect(input: ClaimInput, options: WaitOptions = {}): Promise<Connected> {
    const claimed = await this.#untilDecided(options, async (limited) => {
      const made = await this.claim(input, callOptionsOf(limited));
      await this.#approval(made, limited);
      return made;
    });
    return this.#connected(claimed, options);
  }

  #untilDecided<T>(options: WaitOptions, work: (limited: WaitOptions) => Promise<T>): Promise<T> {
    const { timeoutMs, signal, ...rest } = options;
    const late = () => new WaitTimeoutError('The approval', timeoutMs ?? 0);
    const deadline = { late, timeoutMs, signal };
    return withDeadline(this.#api.settings, deadline, (limited) => work({ ...rest, ...limited }));
  }

  async #approval(claimed: ClaimedInvitation, options: WaitOptions): Promise<void> {
    const { connect_invitation_id: id } = claimed.connect_invitation;
    const { pollMs = 2000, signal } = options;
    const ends = { signal, endsAt: claimed.connect_invitation.expires_at };
    await pollUntil(this.#api.settings, pollMs, ends, async () => {
      const seen = await this.get(id, claimed.claim_token, callOptionsOf(options));
      const { status } = seen.connect_invitation;
      if (status === 'rejected' || status === 'expired') throw new NotApprovedError(status);
      return status === 'approved' ? status : undefined;
    });
  }

  async #connected(claimed: ClaimedInvitation, options: WaitOptions): Promise<Connected> {
    const { connect_invitation_id: id } = claimed.connect_invitation;
    return this.#parts.open(await this.exchange(id, claimed.claim_token, callOptionsOf(options)));
  }
}

/** How long to wait for a customer's decision. `timeoutMs` is for the whole wait here, not for one attempt. */
export interface WaitOptions extends Omit<CallOptions, 'timeoutMs'> {
  /**
   * For the whole wait; then it throws `WaitTimeoutError`. By default the end of the invitation or session ends the
   * wait.
   */
  timeoutMs?: number;
  /** The pause between two polls; by default as the service proposes, or 2,000. */
  pollMs?: number;
}

/** The options of each call of a wait, without `timeoutMs` and `pollMs`, which apply to the whole wait. */
function callOptionsOf({ timeoutMs: _, pollMs: __, ...options }: WaitOptions): CallOptions {
  return options;
}

/** Polls until there is something to return. A temporary outage of the service does not end the wait. */
export async function pollUntil<T>(
  settings: Settings,
  pollMs: number,
  ends: { signal: AbortSignal | undefined; endsAt: string | undefined },
  look: () => Promise<T | undefined>,
): Promise<T> {
  atLeast('pollMs', pollMs, 1);
  const insist = createInsist(settings, ends);
  for (;;) {
    const found = await insist(look);
    if (found !== undefined) return found;
    await sleep(settings.clock, pollMs, ends.signal);
  }
}
