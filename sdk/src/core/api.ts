import type { Page } from '../aliases.ts';
import type { PageQuery } from '../contract.ts';
import type { CallFacts } from '../errors/transport.ts';
import type { Call, CallOptions } from './call.ts';
import type { CallCredential } from './credential.ts';
import type { AnswerOf, InputOf, OperationData, ParamsOf, QueryOf } from './operation-data.ts';
import { type Answered, request } from './request.ts';
import type { Settings } from './settings.ts';

/** The input of a call besides its operation. */
interface CallInput<Of extends OperationData> {
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

/** The caller that the parts of a client share: settings and credential are already fixed. */
export interface Api {
  readonly settings: Settings;
  /** Calls an operation of the contract, which determines its input and its result. */
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

/** Iterates over a list to its end, page by page, as the consumer requests more. */
export async function* eachRecord<Of extends OperationData, Name extends keyof AnswerOf<Of>>(
  api: Api,
  list: Of,
  name: Name,
  input: CallInput<Of>,
  options: CallOptions,
): AsyncGenerator<AnswerOf<Of>[Name] extends readonly (infer Item)[] ? Item : never, void, undefined> {
  let { cursor } = (input.query ?? {}) as PageQuery;
  for (;;) {
    const query = { ...input.query, ...(cursor === undefined ? {} : { cursor }) } as QueryOf<Of>;
    const page = await api.call(list, { ...input, query }, options);
    yield* page[name] as Iterable<never>;
    const { next_cursor: next } = page as Page;
    if (next === null || next === cursor) return;
    cursor = next;
  }
}
