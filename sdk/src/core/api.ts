import {
  type AnswerOf,
  type Operation as ApiOperation,
  answerMembers,
  type InputOf,
  type ParamsOf,
  type QueryOf,
  surfaceOf,
} from '@payassent/protocol/api';
import type { Call, CallOptions } from './call.ts';
import type { Credential } from './credential.ts';
import { type Answered, request } from './request.ts';
import type { Settings } from './settings.ts';

/** A call before a client adds its credential. */
export type Operation<T> = Omit<Call, 'credential' | 'answer'> & { answer: readonly (keyof T & string)[] };

/** What a call adds to its operation. */
export interface CallInput<Of extends ApiOperation> {
  params?: ParamsOf<Of>;
  query?: QueryOf<Of>;
  body?: InputOf<Of>;
  /** Sent with every attempt; makes a POST safe to repeat. */
  idempotencyKey?: string;
  /** How long the service is asked to hold the response back; the timeout is that much longer. */
  waitMs?: number;
}

/** What the parts of a client call through: settings and credential are already decided. */
export interface Api {
  readonly settings: Settings;
  /** Calls an operation of the contract: what it takes and what it gives come from there. */
  call<Of extends ApiOperation>(
    operation: Of,
    input?: CallInput<Of>,
    options?: CallOptions,
  ): Promise<AnswerOf<Of>>;
  send<T>(operation: Operation<T>, options?: CallOptions): Promise<T>;
  exchange<T>(operation: Operation<T>, options?: CallOptions): Promise<Answered<T>>;
}

export function createApi(settings: Settings, credential?: Credential): Api {
  const exchange = <T>(operation: Operation<T>, options?: CallOptions) =>
    request<T>(settings, credential ? { ...operation, credential } : operation, options);
  return {
    settings,
    exchange,
    async call(operation, input, options) {
      return (await exchange(asCall(operation, input), options)).members;
    },
    async send(operation, options) {
      return (await exchange(operation, options)).members;
    },
  };
}

function asCall<Of extends ApiOperation>(operation: Of, input: CallInput<Of> = {}): CallOf<Of> {
  return {
    ...input,
    method: operation.method,
    path: operation.path,
    surface: surfaceOf(operation.path),
    answer: answerMembers(operation),
  } as CallOf<Of>;
}

type CallOf<Of extends ApiOperation> = Operation<AnswerOf<Of>>;
