import { randomUUID } from 'node:crypto';
import type { ServerContext } from '@modelcontextprotocol/server';

/*
 * Over HTTP a client of the older line declares only in its first message that it can open pages, and no later call can
 * look that up, as any process serves it. So the declaration is encoded in the session id, which the client repeats
 * with every call.
 */

const SESSION_HEADER = 'mcp-session-id';
const OPENS_PAGES = 'opens-pages.';

interface FirstMessage {
  method?: string;
  params?: { capabilities?: { elicitation?: { url?: unknown } } };
}

/** The id of a session whose client opens pages. Others need none. */
export function sessionFor(message: unknown): Record<string, string> {
  const { method, params } = (message ?? {}) as FirstMessage;
  const isAble = method === 'initialize' && params?.capabilities?.elicitation?.url !== undefined;
  return isAble ? { [SESSION_HEADER]: `${OPENS_PAGES}${randomUUID()}` } : {};
}

export function isOfSessionThatOpensPages(request: Request): boolean {
  return request.headers.get(SESSION_HEADER)?.startsWith(OPENS_PAGES) ?? false;
}

export interface Page {
  url: string;
  message: string;
  requestId: string;
}

/** Sent in the stream of the call, ahead of its result: opening a page decides nothing, so no response is awaited. */
export function askToOpen({ mcpReq }: ServerContext, { url, message, requestId }: Page): void {
  const params = { mode: 'url', url, message, elicitationId: requestId } as const;
  mcpReq.send({ method: 'elicitation/create', params }).catch(() => undefined);
}
