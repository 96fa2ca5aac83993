import type { Database } from './open.ts';

/**
 * "Something changed", sent to every waiter in this process and in the others. Only a hint: the tables decide, and
 * every waiter also polls them.
 */
export interface Signals {
  /** Call it after the commit. Other processes get one notification for many changes. */
  announce(...topics: string[]): void;
  subscribe(topic: string, listener: () => void): () => void;
  /** Listeners for every topic; they are called with it. */
  subscribeAll(listener: (topic: string) => void): () => void;
  /** Subscribes to other processes; until then only changes of this process are delivered. */
  connect(): Promise<void>;
  close(): Promise<void>;
}

const CHANNEL = 'svc_changed';
// A NOTIFY inside the transaction more than halves the rate of commits; one for several commits costs nothing.
const COALESCE_MS = 3;
const MAX_PAYLOAD_BYTES = 7000;
/** Means "check everything", when there are too many topics to name. */
export const EVERYTHING = '*';

export function createSignals(db: Database, listener: Database = db): Signals {
  const processTag = Math.random().toString(36).slice(2, 10);
  const listeners = new Map<string, Set<() => void>>();
  const catchAll = new Set<(topic: string) => void>();
  let pending = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  const tell = (topic: string) => {
    if (topic === EVERYTHING)
      for (const set of [...listeners.values()]) for (const listener of [...set]) listener();
    else for (const listener of [...(listeners.get(topic) ?? [])]) listener();
    for (const listener of [...catchAll]) listener(topic);
  };
  const flush = () => {
    timer = undefined;
    const text = [...pending].join(' ');
    pending = new Set();
    const payload = `${processTag} ${Buffer.byteLength(text) > MAX_PAYLOAD_BYTES ? EVERYTHING : text}`;
    // A lost notification only costs the waiters their own pause.
    db.notify(CHANNEL, payload).catch(() => {});
  };
  let subscription: { unlisten(): Promise<void> } | undefined;
  const hear = (payload: string) => {
    const [sender, ...topics] = payload.split(' ');
    if (sender === processTag) return;
    for (const topic of topics) tell(topic);
  };

  return {
    announce(...topics) {
      for (const topic of topics) {
        tell(topic);
        pending.add(topic);
      }
      if (!timer && !closed && pending.size > 0) timer = setTimeout(flush, COALESCE_MS);
    },
    subscribe(topic, listener) {
      const set = listeners.get(topic) ?? new Set();
      listeners.set(topic, set.add(listener));
      return () => {
        set.delete(listener);
        if (set.size === 0 && listeners.get(topic) === set) listeners.delete(topic);
      };
    },
    subscribeAll(listener) {
      catchAll.add(listener);
      return () => catchAll.delete(listener);
    },
    async connect() {
      // After a lost connection the driver subscribes again; what was missed meanwhile is unknown, so every waiter
      // checks.
      subscription = await listener.listen(CHANNEL, hear, () => tell(EVERYTHING));
    },
    async close() {
      closed = true;
      if (timer) {
        clearTimeout(timer);
        flush();
      }
      await subscription?.unlisten().catch(() => {});
    },
  };
}
