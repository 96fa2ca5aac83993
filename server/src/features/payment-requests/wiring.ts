import type { Act } from '../../act.ts';
import type { Context } from '../../context.ts';
import { AppError } from '../../errors.ts';
import type { Memory } from '../../lib/memory.ts';
import { createEngine, createLinkSigner, createLinks, type Engine, REFUSED } from '../../payments/index.ts';
import type { PresentedCredential, TokenOwner } from '../../principals.ts';

/** One engine per service in this process. Its statements prove their caller themselves. */
export function openEngine(
  { serviceDb: db, clock, signals, stopping, config, keys, metrics }: Context,
  owners: Memory<TokenOwner>,
): Engine {
  const engine = createEngine({
    db,
    clock,
    signals,
    stopping,
    owners,
    enabledNetworks: config.enabledNetworks,
    observedNetworks: [...config.observe.keys()],
    links: createLinks(config.baseUrl, createLinkSigner(config.baseUrl, keys)),
    maxPending: config.caps.pendingRequests,
  });
  metrics.gauge({ name: 'svc_waiting_calls', help: 'Long polls and event streams.' }, () =>
    engine.waiters.waiting(),
  );
  metrics.gauge({ name: 'svc_event_streams', help: 'Open event streams.' }, () => engine.streams.taken());
  return engine;
}

/** Routes that check the credential in their own statement always have one: a call without it is rejected earlier. */
export function callerOf(presented: PresentedCredential | undefined): PresentedCredential {
  if (!presented) throw new AppError('unauthenticated');
  return presented;
}

export function hashOf(presented: PresentedCredential | undefined): string {
  return callerOf(presented).tokenHash;
}

export async function countRefusals<Result>(act: Act, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError) act.count(REFUSED, { code: error.code });
    throw error;
  }
}
