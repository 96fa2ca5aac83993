import type {
  OperatorAnswer,
  OperatorChange,
  OperatorInput,
  OperatorList,
  RemovedOperator,
} from '../contract.ts';
import type { Api } from '../core/api.ts';
import type { CallOptions } from '../core/call.ts';
import { changeOperator, inviteOperator, listOperators, removeOperator } from '../operations.ts';

/** The people who work for the organization. Changes are for owners. */
export class MerchantOperators {
  readonly #api: Api;

  /** Made by `MerchantClient`. */
  constructor(api: Api) {
    this.#api = api;
  }

  /** Invites a person by mail; the first sign-in makes the operator active. */
  invite(input: OperatorInput, options: CallOptions = {}): Promise<OperatorAnswer> {
    return this.#api.call(inviteOperator, { body: input }, options);
  }

  /** All operators, newest first. */
  list(options: CallOptions = {}): Promise<OperatorList> {
    return this.#api.call(listOperators, {}, options);
  }

  /** Gives an operator another role. */
  changeRole(operatorId: string, input: OperatorChange, options: CallOptions = {}): Promise<OperatorAnswer> {
    return this.#api.call(changeOperator, { params: { id: operatorId }, body: input }, options);
  }

  /** Removes an operator, whose sessions end at once. */
  remove(operatorId: string, options: CallOptions = {}): Promise<RemovedOperator> {
    return this.#api.call(removeOperator, { params: { id: operatorId } }, options);
  }
}
