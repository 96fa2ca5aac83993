import type {
  ApproveInvitationInput,
  ConnectInvitation,
  InvitationAnswer,
  InvitationQuery,
  InvitationsPage,
} from '../contract.ts';
import type { Api } from '../core/api.ts';
import type { CallOptions } from '../core/call.ts';
import { eachRecord } from '../core/pages.ts';
import {
  approveConnectInvitation,
  getConnectInvitation,
  listConnectInvitations,
  rejectConnectInvitation,
} from '../operations.ts';

/** Invitations on the wallet's Connect Keys. Show agent, merchant, verified domain and scopes before deciding. */
export class WalletInvitations {
  readonly #api: Api;

  /** Made by `WalletClient`. */
  constructor(api: Api) {
    this.#api = api;
  }

  /** One page of invitations. */
  list(query: InvitationQuery = {}, options: CallOptions = {}): Promise<InvitationsPage> {
    return this.#api.call(listConnectInvitations, { query }, options);
  }

  /** All invitations, page by page. */
  each(
    query: InvitationQuery = {},
    options: CallOptions = {},
  ): AsyncGenerator<ConnectInvitation, void, undefined> {
    return eachRecord(this.#api, listConnectInvitations, 'connect_invitations', { query }, options);
  }

  /** Reads one invitation. */
  get(invitationId: string, options: CallOptions = {}): Promise<InvitationAnswer> {
    return this.#api.call(getConnectInvitation, { params: { id: invitationId } }, options);
  }

  /** Approves with all requested scopes, or with some of them. */
  approve(
    invitationId: string,
    input: ApproveInvitationInput = {},
    options: CallOptions = {},
  ): Promise<InvitationAnswer> {
    return this.#api.call(approveConnectInvitation, { params: { id: invitationId }, body: input }, options);
  }

  /** Rejects, also after an approval as long as it was not exchanged. */
  reject(invitationId: string, options: CallOptions = {}): Promise<InvitationAnswer> {
    return this.#api.call(rejectConnectInvitation, { params: { id: invitationId } }, options);
  }
}
