import type { ClientOptions } from '@payassent/sdk';
import type { World } from '@payassent/world';
import type { Entry, Telling } from './entries.ts';
import { maskHeaders, maskJson, maskText } from './masking.ts';
import { recordingFetch } from './traffic.ts';

/** Something was not as the walk needs it; the demo stops there and says so. */
export class UnexpectedError extends Error {
  override name = 'UnexpectedError';
}

/** Stops the walk unless it holds. */
export function ensure(holds: boolean, expectation: string): asserts holds {
  if (!holds) throw new UnexpectedError(`Expected: ${expectation}`);
}

/** What every part of the walk works with. */
export interface DemoStage {
  world: World;
  signal: AbortSignal;
  /** Options of an SDK client whose traffic is told under this name. */
  client(actor: string): ClientOptions;
  step(title: string, text: string): Promise<void>;
  tell(telling: Telling): void;
  note(text: string): void;
  /** Does work of which the readable form shows nothing: no step, no note, no webhook; calls are told as brief ones. */
  inBrief<T>(work: () => Promise<T>): Promise<T>;
  /** Tells a genuine webhook that has arrived, or waits for it. */
  webhook(eventType: string, matches?: (data: unknown) => boolean): Promise<void>;
  readonly position: { number: number; title: string };
  readonly counts: { calls: number; webhooks: number };
}

export function createDemoStage(parts: {
  world: World;
  signal: AbortSignal;
  tell(entry: Entry): void;
  pause(): Promise<void>;
}): DemoStage {
  const { world, signal } = parts;
  const position = { number: 0, title: '' };
  const counts = { calls: 0, webhooks: 0 };
  let isBrief = false;
  const tell = (telling: Telling): void => {
    const entry = { step: position.number, ...telling, ...(isBrief ? { brief: true } : {}) };
    parts.tell(entry as Entry);
  };
  return {
    world,
    signal,
    position,
    counts,
    tell,
    note: (text) => void (isBrief || tell({ type: 'note', text })),
    async inBrief(work) {
      isBrief = true;
      try {
        return await work();
      } finally {
        isBrief = false;
      }
    },
    client: (actor) => ({
      baseUrl: world.service.url,
      // A fault is told where it happens; a walk that quietly tries again would hide it.
      maxRetries: 0,
      fetch: recordingFetch(
        actor,
        (exchange) => {
          counts.calls += 1;
          tell({ type: 'exchange', ...exchange });
        },
        signal,
      ),
    }),
    async step(title, text) {
      if (isBrief) return;
      if (position.number > 0) await parts.pause();
      signal.throwIfAborted();
      position.number += 1;
      position.title = title;
      parts.tell({ type: 'step', number: position.number, title, text });
    },
    async webhook(eventType, matches = () => true) {
      if (isBrief) return;
      const received = await world.webhooks.waitForEvent(
        ({ type, data }) => type === eventType && matches(data),
        { timeoutMs: 15_000, signal },
      );
      counts.webhooks += 1;
      const { path, headers, body } = received;
      const shown = Object.entries(headers).filter(([name]) => name.startsWith('webhook-'));
      tell({
        type: 'webhook',
        path: maskText(path),
        headers: maskHeaders(shown),
        body: maskJson(JSON.parse(body)),
        is_verified: true,
      });
    },
  };
}
