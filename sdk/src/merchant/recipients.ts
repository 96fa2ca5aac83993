import type { Recipient } from '@payassent/protocol';
import type { Api } from '../core/api.ts';
import type { CallOptions } from '../core/call.ts';
import { eachRecord, type PageQuery } from '../core/pages.ts';
import type {
  ActivateVersionInput,
  RecalledRecipient,
  RecipientChange,
  RecipientInput,
  RecipientsPage,
  RecipientVersionInput,
  RecipientWithVersion,
  RecipientWithVersions,
  VerifiedRecipient,
  VerifyRecipientInput,
} from './recipient-inputs.ts';

/** Payees and their versions. */
export class MerchantRecipients {
  readonly #api: Api;

  /** Made by `MerchantClient`. */
  constructor(api: Api) {
    this.#api = api;
  }

  /** Creates a payee with its first version. */
  create(input: RecipientInput, options: CallOptions = {}): Promise<RecipientWithVersion> {
    return this.#api.send<RecipientWithVersion>(
      { method: 'POST', path: '/v1/recipients', body: input, answer: ['recipient', 'recipient_version'] },
      options,
    );
  }

  /** Adds a version with other facts; the active one stays active until this one is activated. */
  addVersion(
    recipientId: string,
    input: RecipientVersionInput,
    options: CallOptions = {},
  ): Promise<RecipientWithVersion> {
    return this.#api.send<RecipientWithVersion>(
      {
        method: 'POST',
        path: '/v1/recipients/{id}/versions',
        params: { id: recipientId },
        body: input,
        answer: ['recipient', 'recipient_version'],
      },
      options,
    );
  }

  /** One page of payees. */
  list(query: PageQuery = {}, options: CallOptions = {}): Promise<RecipientsPage> {
    return this.#api.send<RecipientsPage>(
      { method: 'GET', path: '/v1/recipients', query: { ...query }, answer: ['recipients', 'next_cursor'] },
      options,
    );
  }

  /** All payees, page by page. */
  each(query: PageQuery = {}, options: CallOptions = {}): AsyncGenerator<Recipient, void, undefined> {
    const read = async (page: PageQuery, pageOptions: CallOptions) => {
      const { recipients, next_cursor } = await this.list(page, pageOptions);
      return { items: recipients, next: next_cursor };
    };
    return eachRecord(read, query, options);
  }

  /** Reads a payee with all of its versions. */
  get(recipientId: string, options: CallOptions = {}): Promise<RecipientWithVersions> {
    return this.#api.send<RecipientWithVersions>(
      {
        method: 'GET',
        path: '/v1/recipients/{id}',
        params: { id: recipientId },
        answer: ['recipient', 'recipient_versions'],
      },
      options,
    );
  }

  /** Renames or archives a payee. */
  update(
    recipientId: string,
    change: RecipientChange,
    options: CallOptions = {},
  ): Promise<{ recipient: Recipient }> {
    return this.#api.send<{ recipient: Recipient }>(
      {
        method: 'PATCH',
        path: '/v1/recipients/{id}',
        params: { id: recipientId },
        body: change,
        answer: ['recipient'],
      },
      options,
    );
  }

  /**
   * Takes back every request to this payee that awaits a decision: from this moment on it is rejected, with the reason
   * `payee_recalled`, and cannot be signed. See what it would concern with
   * `paymentRequests.list({ recipient_id, status: 'pending' })`.
   */
  rejectPending(recipientId: string, options: CallOptions = {}): Promise<RecalledRecipient> {
    return this.#api.send<RecalledRecipient>(
      {
        method: 'POST',
        path: '/v1/recipients/{id}/reject-pending',
        params: { id: recipientId },
        answer: ['recipient', 'rejected'],
      },
      options,
    );
  }

  /** Makes evidence for a version: the domain's proof is looked up again at this moment. */
  verify(
    recipientId: string,
    input: VerifyRecipientInput,
    options: CallOptions = {},
  ): Promise<VerifiedRecipient> {
    return this.#api.send<VerifiedRecipient>(
      {
        method: 'POST',
        path: '/v1/recipients/{id}/verify',
        params: { id: recipientId },
        body: input,
        answer: ['evidence', 'recipient', 'recipient_version'],
      },
      options,
    );
  }

  /** Lets a verified version receive payments; the former active one is superseded. */
  activate(
    recipientId: string,
    recipientVersionId: string,
    input: ActivateVersionInput,
    options: CallOptions = {},
  ): Promise<RecipientWithVersion> {
    return this.#api.send<RecipientWithVersion>(
      {
        method: 'POST',
        path: '/v1/recipients/{id}/versions/{recipient_version_id}/activate',
        params: { id: recipientId, recipient_version_id: recipientVersionId },
        body: input,
        answer: ['recipient', 'recipient_version'],
      },
      options,
    );
  }
}
