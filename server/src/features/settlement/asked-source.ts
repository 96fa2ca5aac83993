import type { Network } from '@payassent/protocol';
import type { ObservedSource } from '../../config/observe.ts';
import { SECOND_MS } from '../../lib/clock.ts';
import type { Outbound } from '../../lib/outbound/index.ts';
import { TIME_OUTS } from '../../limits.ts';
import type { ChainSource, PinnedPayment } from './chain.ts';
import type { SourceAnswer } from './judge.ts';
import { type ChainFetch, sourceFor } from './source-for.ts';

/** A configured source, and how it has behaved. */
export interface AskedSource {
  lookUp(txHash: string, pinned: PinnedPayment, stopping: AbortSignal): Promise<SourceAnswer>;
  /** Requests the newest block, so that a silent source is noticed even without payments. */
  probe(stopping: AbortSignal): Promise<void>;
  isUp(): boolean;
}

interface SourceParts {
  network: Network;
  source: ObservedSource;
  outbound: Pick<Outbound, 'send'>;
  /** Once when it falls silent, and once when it is back. The address is a secret. */
  onTurn(isUp: boolean, why: string): void;
}

/** Per source and process; a lookup takes one to five. */
const CALLS_PER_SECOND = 20;
const CALL_MS = TIME_OUTS.chain.s * SECOND_MS;
/** All calls of one lookup, including the wait for the rate limit. */
const LOOK_MS = 15 * SECOND_MS;
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;
const FIRST_REST_MS = SECOND_MS;
const LONGEST_REST_MS = 30 * SECOND_MS;

/**
 * One source, called at a bounded rate. An unreachable source is skipped for a while, longer each time, so that a hung
 * node costs its time-out once and not for every payment. Its result about one transaction never counts against it: the
 * reported transaction may be invented.
 */
export function createAskedSource({ network, source, outbound, onTurn }: SourceParts): AskedSource {
  const pace = createPace(CALLS_PER_SECOND);
  let silences = 0;
  let restUntilMs = 0;
  let isSane = true;
  let wasUp = true;

  const note = (why: string | undefined): void => {
    // Concurrent calls fail together: that counts as one silence.
    if (why !== undefined && performance.now() < restUntilMs) return;
    silences = why === undefined ? 0 : silences + 1;
    restUntilMs =
      why === undefined
        ? 0
        : performance.now() + Math.min(LONGEST_REST_MS, FIRST_REST_MS * 2 ** (silences - 1));
    tell(why ?? 'answers');
  };
  const isUp = () => silences === 0 && isSane;
  const tell = (why: string): void => {
    if (isUp() === wasUp) return;
    wasUp = isUp();
    onTurn(wasUp, why);
  };

  const fetch: ChainFetch = async ({ url, method, headers, body }, signal) => {
    if (!(await pace.turn(signal))) throw new Error('given up');
    const result = await outbound.send(
      {
        url,
        method,
        headers: {
          ...headers,
          ...(source.authorization ? { authorization: source.authorization.reveal() } : {}),
        },
        ...(body === undefined ? {} : { body }),
        deadlineMs: CALL_MS,
        maxBodyBytes: MAX_ANSWER_BYTES,
      },
      signal,
    );
    if (!result.ok) {
      // Aborted by us: no information about the source.
      if (result.errorClass !== 'aborted') note(result.errorClass);
      throw new Error(result.errorClass);
    }
    if (result.status === 429 || result.status === 503) {
      note(`status ${result.status}`);
      throw new Error(`status ${result.status}`);
    }
    note(undefined);
    if (result.truncated) throw new Error('response too long');
    return { status: result.status, body: result.body };
  };
  const chain: ChainSource = sourceFor(network, source.url.reveal(), fetch);

  return {
    isUp,
    async lookUp(txHash, pinned, stopping) {
      if (performance.now() < restUntilMs) return 'unreachable';
      const signal = AbortSignal.any([stopping, AbortSignal.timeout(LOOK_MS)]);
      return chain.lookUp(txHash, pinned, signal).catch(() => 'unreachable' as const);
    },
    async probe(stopping) {
      if (performance.now() < restUntilMs) return;
      const signal = AbortSignal.any([stopping, AbortSignal.timeout(LOOK_MS)]);
      const isAnswered = await chain.tip(signal).then(
        () => true,
        () => false,
      );
      if (stopping.aborted) return;
      isSane = isAnswered;
      tell(isAnswered ? 'responds' : 'no usable response');
    },
  };
}

/** Lets calls through one after the other, at a limited rate per second. */
interface Pace {
  /** False when the caller has given up meanwhile. */
  turn(signal: AbortSignal): Promise<boolean>;
}

function createPace(perSecond: number): Pace {
  const gapMs = 1000 / perSecond;
  let nextMs = 0;
  return {
    async turn(signal) {
      if (signal.aborted) return false;
      const nowMs = performance.now();
      const atMs = Math.max(nowMs, nextMs);
      nextMs = atMs + gapMs;
      if (atMs > nowMs) await pause(atMs - nowMs, signal);
      return !signal.aborted;
    },
  };
}

/** Ends early when the signal does. */
export function pause(durationMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, durationMs);
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) end();
  });
}
