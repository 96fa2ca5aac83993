import type { Received } from './client.ts';

/** How long an answer took, beside the answer. */
export async function timed(pending: Promise<Received>): Promise<Received & { ms: number }> {
  const start = performance.now();
  const received = await pending;
  return { ...received, ms: performance.now() - start };
}
