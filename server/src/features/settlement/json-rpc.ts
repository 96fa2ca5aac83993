import { type JsonObject, must, parseAnswer, partsOf, SourceFault } from './answer.ts';
import type { ChainFetch } from './chain.ts';

/** The node understood and refused. */
export class RpcError extends SourceFault {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

export type RpcCall = (method: string, params: readonly unknown[], signal: AbortSignal) => Promise<unknown>;

/** Nodes of the bitcoind family say errors with status 500 as well, so that the body decides and not the status. */
export function createRpc(url: string, fetch: ChainFetch): RpcCall {
  let lastId = 0;
  return async (method, params, signal) => {
    lastId += 1;
    const id = lastId;
    const body = JSON.stringify({ jsonrpc: '2.0', id, method, params });
    const headers = { 'content-type': 'application/json' };
    const answer = partsOf(parseAnswer((await fetch({ url, method: 'POST', headers, body }, signal)).body));
    const error = errorOf(answer);
    if (error !== undefined) throw error;
    must(answer.id === id && answer.result !== undefined, 'an answer to something else');
    return answer.result;
  };
}

function errorOf({ error }: JsonObject): RpcError | undefined {
  if (error === undefined || error === null) return undefined;
  const { code, message } = partsOf(error);
  must(typeof code === 'number' && typeof message === 'string', 'an error of another form');
  return new RpcError(code, message);
}
