import type { CallFacts } from '../errors/base.ts';
import type { Call, CallOptions } from './call.ts';
import type { CallCredential } from './credential.ts';
import type { AnswerOf, InputOf, OperationData, ParamsOf, QueryOf } from './operation-data.ts';
import { type Answered, request } from './request.ts';
import type { Settings } from './settings.ts';

/** What a call adds to its operation. */
export interface CallInput<Of extends OperationData> {
  params?: ParamsOf<Of>;
  query?: QueryOf<Of>;
  body?: InputOf<Of>;
  /** Sent with every attempt; makes a POST safe to repeat. */
  idempotencyKey?: string;
  /** Kept up to date with every attempt. */
  facts?: CallFacts;
  /** The response may be an event stream; services that have none respond as usual. */
  acceptsStream?: boolean;
}

/** What the parts of a client call through: settings and credential are already decided. */
export interface Api {
  readonly settings: Settings;
  /** Calls an operation of the contract: what it takes and what it gives come from there. */
  call<Of extends OperationData>(
    operation: Of,
    input?: CallInput<Of>,
    options?: CallOptions,
  ): Promise<AnswerOf<Of>>;
  /** The same, with the status and the headers of the response. */
  exchange<Of extends OperationData>(
    operation: Of,
    input?: CallInput<Of>,
    options?: CallOptions,
  ): Promise<Answered<AnswerOf<Of>>>;
}

export function createApi(settings: Settings, credential?: CallCredential): Api {
  const held = credential ? { credential } : {};
  const exchange: Api['exchange'] = (operation, input, options) =>
    request(settings, { ...input, ...operation, ...held } as Call, options);
  return {
    settings,
    exchange,
    async call(operation, input, options) {
      return (await exchange(operation, input, options)).members;
    },
  };
}
