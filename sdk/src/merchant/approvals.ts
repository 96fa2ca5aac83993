import type { Approval, ApprovalAnswer, ApprovalQuery, ApprovalsPage } from '../contract.ts';
import type { Api } from '../core/api.ts';
import type { CallOptions } from '../core/call.ts';
import { eachRecord } from '../core/pages.ts';
import { approve, listApprovals, rejectApproval } from '../operations.ts';

/** Changes that wait for a second owner, where the organization requires one. */
export class MerchantApprovals {
  readonly #api: Api;

  /** Made by `MerchantClient`. */
  constructor(api: Api) {
    this.#api = api;
  }

  /** One page of approvals. */
  list(query: ApprovalQuery = {}, options: CallOptions = {}): Promise<ApprovalsPage> {
    return this.#api.call(listApprovals, { query }, options);
  }

  /** All approvals, page by page. */
  each(query: ApprovalQuery = {}, options: CallOptions = {}): AsyncGenerator<Approval, void, undefined> {
    return eachRecord(this.#api, listApprovals, 'approvals', { query }, options);
  }

  /** Carries out what another owner asked for; all its checks are made again. */
  approve(approvalId: string, options: CallOptions = {}): Promise<ApprovalAnswer> {
    return this.#api.call(approve, { params: { id: approvalId } }, options);
  }

  /** Rejects what another owner asked for. */
  reject(approvalId: string, options: CallOptions = {}): Promise<ApprovalAnswer> {
    return this.#api.call(rejectApproval, { params: { id: approvalId } }, options);
  }
}
