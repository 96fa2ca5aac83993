import type { Network } from '@payassent/protocol';
import type { Act } from '../../act.ts';
import { AppError } from '../../errors.ts';
import type { PresentedCredential } from '../../http/principals.ts';
import type { Keys } from '../../lib/keys.ts';
import type { Metrics } from '../../metrics.ts';
import { REFUSED } from './counters.ts';
import { createEngine, type Engine, type EngineParts } from './engine.ts';
import { linkSigner } from './link-key.ts';
import { createLinks } from './links.ts';

type Surroundings = Omit<
  EngineParts,
  'enabledNetworks' | 'observedNetworks' | 'links' | 'maxPending' | 'db'
> & {
  serviceDb: EngineParts['db'];
  metrics: Pick<Metrics, 'gauge'>;
  keys: Keys;
  config: Pick<EngineParts, 'enabledNetworks'> & {
    baseUrl: string;
    caps: { pendingRequests: number };
    observe: ReadonlyMap<Network, unknown>;
  };
};

const engines = new WeakMap<object, Engine>();

/** One engine per service in this process, made when it is first needed. Its statements prove their caller themselves. */
export function engineOf(context: Surroundings): Engine {
  const known = engines.get(context.serviceDb);
  if (known) return known;
  const { serviceDb: db, clock, signals, stopping, config } = context;
  const engine = createEngine({
    db,
    clock,
    signals,
    stopping,
    enabledNetworks: config.enabledNetworks,
    observedNetworks: [...config.observe.keys()],
    links: createLinks(config.baseUrl, linkSigner(config.baseUrl, context.keys)),
    maxPending: config.caps.pendingRequests,
  });
  engines.set(context.serviceDb, engine);
  const { metrics } = context;
  metrics.gauge({ name: 'svc_waiting_calls', help: 'Long polls and event streams.' }, () =>
    engine.waiters.waiting(),
  );
  metrics.gauge({ name: 'svc_event_streams', help: 'Open event streams.' }, () => engine.streams.taken());
  return engine;
}

/** Routes that check the credential in their own statement always have one: without it nobody gets this far. */
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
