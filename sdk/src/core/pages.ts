import type { Page } from '../aliases.ts';
import type { PageQuery } from '../contract.ts';
import type { Api, CallInput } from './api.ts';
import type { CallOptions } from './call.ts';
import type { AnswerOf, OperationData, QueryOf } from './operation-data.ts';

/** Walks a list to its end, page by page, as the consumer asks for more. */
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
