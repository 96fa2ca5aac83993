import type { ServerContext } from '@modelcontextprotocol/server';

/* Progress of a wait, for clients that request it: MCP hosts show it, and many end calls that are silent for long. */

/** The waiting tool, and its default wait. */
export const WAITING_TOOL = 'wait_for_decision';
const USUAL_WAIT_S = 25;
const EVERY_MS = 2_000;

interface ToolCall {
  name: string;
  arguments?: Record<string, unknown> | undefined;
  _meta?: { progressToken?: string | number | undefined } | undefined;
}

export function wantsProgress({ name, _meta }: ToolCall): boolean {
  return name === WAITING_TOOL && _meta?.progressToken !== undefined;
}

/** Reports every two seconds that the decision is pending, until the work is done. */
export async function withProgress<T>(
  { mcpReq }: ServerContext,
  call: ToolCall,
  work: () => Promise<T>,
): Promise<T> {
  if (!wantsProgress(call)) return work();
  const progressToken = call._meta?.progressToken as string | number;
  const total = Number(call.arguments?.['seconds'] ?? USUAL_WAIT_S);
  let turns = 0;
  const timer = setInterval(() => {
    turns += 1;
    const progress = Math.min((turns * EVERY_MS) / 1000, total);
    const params = { progressToken, progress, total, message: 'The person has not decided yet.' };
    // A client that has disconnected needs no progress; the call itself ends by its signal.
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
  }, EVERY_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
