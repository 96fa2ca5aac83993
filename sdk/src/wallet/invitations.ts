import type { ConnectInvitation, InvitationStatus, Scope } from '@payassent/protocol';
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
    return this.#api.send<InvitationsPage>(
      {
        method: 'GET',
        path: '/v1/connect-invitations',
        query: { ...query },
        answer: ['connect_invitations', 'next_cursor'],
      },
      options,
    );
  }

  /** All invitations, page by page. */
  each(
    query: InvitationQuery = {},
    options: CallOptions = {},
  ): AsyncGenerator<ConnectInvitation, void, undefined> {
    const read = async (page: InvitationQuery, pageOptions: CallOptions) => {
      const { connect_invitations, next_cursor } = await this.list(page, pageOptions);
      return { items: connect_invitations, next: next_cursor };
    };
    return eachRecord(read, query, options);
  }

  /** Reads one invitation. */
  get(invitationId: string, options: CallOptions = {}): Promise<InvitationAnswer> {
    return this.#api.send<InvitationAnswer>(
      {
        method: 'GET',
        path: '/v1/connect-invitations/{id}',
        params: { id: invitationId },
        answer: ['connect_invitation'],
      },
      options,
    );
  }

  /** Approves with all requested scopes, or with some of them. */
  approve(
    invitationId: string,
    input: { scopes?: readonly Scope[] } = {},
    options: CallOptions = {},
  ): Promise<InvitationAnswer> {
    return this.#api.send<InvitationAnswer>(
      {
        method: 'POST',
        path: '/v1/connect-invitations/{id}/approve',
        params: { id: invitationId },
        body: input,
        answer: ['connect_invitation'],
      },
      options,
    );
  }

  /** Rejects, also after an approval as long as it was not exchanged. */
  reject(invitationId: string, options: CallOptions = {}): Promise<InvitationAnswer> {
    return this.#api.send<InvitationAnswer>(
      {
        method: 'POST',
        path: '/v1/connect-invitations/{id}/reject',
        params: { id: invitationId },
        answer: ['connect_invitation'],
      },
      options,
    );
  }
}
