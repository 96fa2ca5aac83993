import type { ConnectInvitation, InvitationStatus, Scope } from '@payassent/protocol';
import {
  approveConnectInvitation,
  getConnectInvitation,
  listConnectInvitations,
  rejectConnectInvitation,
} from '@payassent/protocol/api';
import type { Api } from '../core/api.ts';
import type { CallOptions } from '../core/call.ts';
import { eachRecord, type Page, type PageQuery } from '../core/pages.ts';

/** Answer with one invitation. */
export interface InvitationAnswer {
  /** Who asks, for whom, for what, and what was decided. */
  connect_invitation: ConnectInvitation;
}

/** Which invitations. */
export interface InvitationQuery extends PageQuery {
  /** Only those in this status. */
  status?: InvitationStatus;
}

/** One page of invitations. */
export interface InvitationsPage extends Page {
  /** Newest first. */
  connect_invitations: ConnectInvitation[];
}

/** Invitations on the wallet's Connect Keys. Show agent, merchant, verified domain and scopes before deciding. */
export class WalletInvitations {
  readonly #api: Api;

  /** Made by `WalletClient`. */
  constructor(api: Api) {
    this.#api = api;
  }

  /** One page of invitations. */
  list(query: InvitationQuery = {}, options: CallOptions = {}): Promise<InvitationsPage> {
    return this.#api.call(listConnectInvitations, { query: { ...query } }, options);
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
    input: { scopes?: readonly Scope[] } = {},
    options: CallOptions = {},
  ): Promise<InvitationAnswer> {
    return this.#api.call(approveConnectInvitation, { params: { id: invitationId }, body: input }, options);
  }

  /** Rejects, also after an approval as long as it was not exchanged. */
  reject(invitationId: string, options: CallOptions = {}): Promise<InvitationAnswer> {
    return this.#api.call(rejectConnectInvitation, { params: { id: invitationId } }, options);
  }
}
