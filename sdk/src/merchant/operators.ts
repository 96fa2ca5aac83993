import type { ApiKey, Operator, OperatorRole } from '@payassent/protocol';
import { changeOperator, inviteOperator, listOperators, removeOperator } from '@payassent/protocol/api';
import type { Api } from '../core/api.ts';
import type { CallOptions } from '../core/call.ts';

/** Answer with one operator. */
export interface OperatorAnswer {
  /** The operator as it is now. */
  operator: Operator;
}

/** An operator who was removed. */
export interface RemovedOperator extends OperatorAnswer {
  /** Keys that the operator made and that still work: revoke them or keep them. */
  api_keys: ApiKey[];
}

/** The people who work for the organization. Changes are for owners. */
export class MerchantOperators {
  readonly #api: Api;

  /** Made by `MerchantClient`. */
  constructor(api: Api) {
    this.#api = api;
  }

  /** Invites a person by mail; the first sign-in makes the operator active. */
  invite(input: { email: string; role: OperatorRole }, options: CallOptions = {}): Promise<OperatorAnswer> {
    return this.#api.call(inviteOperator, { body: input }, options);
  }

  /** All operators, newest first. */
  list(options: CallOptions = {}): Promise<{ operators: Operator[] }> {
    return this.#api.call(listOperators, {}, options);
  }

  /** Gives an operator another role. */
  changeRole(
    operatorId: string,
    input: { role: OperatorRole },
    options: CallOptions = {},
  ): Promise<OperatorAnswer> {
    return this.#api.call(changeOperator, { params: { id: operatorId }, body: input }, options);
  }

  /** Removes an operator, whose sessions end at once. */
  remove(operatorId: string, options: CallOptions = {}): Promise<RemovedOperator> {
    return this.#api.call(removeOperator, { params: { id: operatorId } }, options);
  }
}
