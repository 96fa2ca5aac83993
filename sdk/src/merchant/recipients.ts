import type {
  ActivateVersionInput,
  PageQuery,
  RecalledRecipient,
  Recipient,
  RecipientAnswer,
  RecipientChange,
  RecipientInput,
  RecipientsPage,
  RecipientVersionInput,
  RecipientWithVersion,
  RecipientWithVersions,
  VerifiedRecipient,
  VerifyRecipientInput,
} from '../contract.ts';
import type { Api } from '../core/api.ts';
import type { CallOptions } from '../core/call.ts';
import { eachRecord } from '../core/pages.ts';
import {
  activateRecipientVersion,
  addRecipientVersion,
  createRecipient,
  getRecipient,
  listRecipients,
  rejectPendingRequests,
  updateRecipient,
  verifyRecipientVersion,
} from '../operations.ts';

/** Payees and their versions. */
export class MerchantRecipients {
  readonly #api: Api;

  /** Made by `MerchantClient`. */
  constructor(api: Api) {
    this.#api = api;
  }

  /** Creates a payee with its first version. */
  create(input: RecipientInput, options: CallOptions = {}): Promise<RecipientWithVersion> {
    return this.#api.call(createRecipient, { body: input }, options);
  }

  /** Adds a version with other facts; the active one stays active until this one is activated. */
  addVersion(
    recipientId: string,
    input: RecipientVersionInput,
    options: CallOptions = {},
  ): Promise<RecipientWithVersion> {
    return this.#api.call(addRecipientVersion, { params: { id: recipientId }, body: input }, options);
  }

  /** One page of payees. */
  list(query: PageQuery = {}, options: CallOptions = {}): Promise<RecipientsPage> {
    return this.#api.call(listRecipients, { query }, options);
  }

  /** All payees, page by page. */
  each(query: PageQuery = {}, options: CallOptions = {}): AsyncGenerator<Recipient, void, undefined> {
    return eachRecord(this.#api, listRecipients, 'recipients', { query }, options);
  }

  /** Reads a payee with all of its versions. */
  get(recipientId: string, options: CallOptions = {}): Promise<RecipientWithVersions> {
    return this.#api.call(getRecipient, { params: { id: recipientId } }, options);
  }

  /** Renames or archives a payee. */
  update(recipientId: string, change: RecipientChange, options: CallOptions = {}): Promise<RecipientAnswer> {
    return this.#api.call(updateRecipient, { params: { id: recipientId }, body: change }, options);
  }

  /**
   * Takes back every request to this payee that awaits a decision: from this moment on it is rejected, with the reason
   * `payee_recalled`, and cannot be signed. See what it would concern with
   * `paymentRequests.list({ recipient_id, status: 'pending' })`.
   */
  rejectPending(recipientId: string, options: CallOptions = {}): Promise<RecalledRecipient> {
    return this.#api.call(rejectPendingRequests, { params: { id: recipientId } }, options);
  }

  /** Makes evidence for a version: the domain's proof is looked up again at this moment. */
  verify(
    recipientId: string,
    input: VerifyRecipientInput,
    options: CallOptions = {},
  ): Promise<VerifiedRecipient> {
    return this.#api.call(verifyRecipientVersion, { params: { id: recipientId }, body: input }, options);
  }

  /** Lets a verified version receive payments; the former active one is superseded. */
  activate(
    recipientId: string,
    recipientVersionId: string,
    input: ActivateVersionInput,
    options: CallOptions = {},
  ): Promise<RecipientWithVersion> {
    return this.#api.call(
      activateRecipientVersion,
      { params: { id: recipientId, recipient_version_id: recipientVersionId }, body: input },
      options,
    );
  }
}
