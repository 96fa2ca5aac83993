import type { AnswerOf, Operation, QueryOf } from '@payassent/protocol/api';
import type { Api, CallInput } from './api.ts';
import type { CallOptions } from './call.ts';

/** Which page of a list. */
export interface PageQuery {
  /** Records per page, 1 to 100; 50 unless stated. */
  limit?: number;
  /** `next_cursor` of the page before. */
  cursor?: string;
}

/** Common to every page. */
export interface Page {
  /** Where the next page begins; null on the last one. */
  next_cursor: string | null;
}

/** Walks a list to its end, page by page, as the consumer asks for more. */
export async function* eachRecord<Of extends Operation, Name extends keyof AnswerOf<Of>>(
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
