import type { Signals } from '../../db/signals.ts';

/** Why a wait is over. */
export type Wakeup = 'changed' | 'timeout' | 'stopping' | 'gone';

export interface Watch<Subject> {
  /** What the waiter waits for at present; the heartbeat queries it. */
  subject: Subject;
  /** Returns immediately when something was announced since the watch began or since the last wake-up. */
  next(timeoutMs: number): Promise<Wakeup>;
  close(): void;
}

export interface Waiters<Subject> {
  /** Open it before the first read, so that nothing is missed between the read and the wait. */
  watch(subject: Subject, topics: readonly string[], hungUp: AbortSignal): Watch<Subject>;
  waiting(): number;
}

export interface WaiterParts<Subject> {
  signals: Signals;
  stopping: AbortSignal;
  heartbeatMs: number;
  /** Finds the waiters that have missed something. One statement for all. */
  findPendingWaiters(subjects: readonly Subject[]): Promise<readonly Subject[]>;
}

interface Entry<Subject> {
  subject: Subject;
  hasNews: boolean;
  wake: ((reason: Wakeup) => void) | undefined;
}

/**
 * All waiters in this process. Announcements wake them within milliseconds and cost nothing while nothing happens;
 * because an announcement is only a hint and can be lost, one query now and then checks for all of them together.
 */
export function createWaiters<Subject>(parts: WaiterParts<Subject>): Waiters<Subject> {
  const entries = new Set<Entry<Subject>>();
  let timer: NodeJS.Timeout | undefined;
  let isAsking = false;

  const tell = (entry: Entry<Subject>) => {
    entry.hasNews = true;
    entry.wake?.('changed');
  };
  const beat = async () => {
    if (isAsking) return;
    isAsking = true;
    try {
      const asleep = [...entries].filter((entry) => entry.wake !== undefined && !entry.hasNews);
      const missed = new Set(await parts.findPendingWaiters(asleep.map((entry) => entry.subject)));
      for (const entry of asleep) if (missed.has(entry.subject)) tell(entry);
    } catch {
      // The database is unreachable: the next beat queries again, and a waiter whose time is up gets its response
      // anyway.
    } finally {
      isAsking = false;
    }
  };
  parts.stopping.addEventListener('abort', () => {
    for (const entry of [...entries]) entry.wake?.('stopping');
  });

  return {
    waiting: () => entries.size,
    watch(subject, topics, hungUp) {
      const entry: Entry<Subject> = { subject, hasNews: false, wake: undefined };
      entries.add(entry);
      timer ??= setInterval(beat, parts.heartbeatMs);
      const leave = topics.map((topic) => parts.signals.subscribe(topic, () => tell(entry)));
      const hangUp = () => entry.wake?.('gone');
      hungUp.addEventListener('abort', hangUp);
      return {
        get subject() {
          return entry.subject;
        },
        set subject(next) {
          entry.subject = next;
        },
        next: (timeoutMs) => sleep(entry, timeoutMs, parts.stopping, hungUp),
        close() {
          entries.delete(entry);
          hungUp.removeEventListener('abort', hangUp);
          for (const unsubscribe of leave) unsubscribe();
          if (entries.size > 0) return;
          clearInterval(timer);
          timer = undefined;
        },
      };
    },
  };
}

async function sleep<Subject>(
  entry: Entry<Subject>,
  timeoutMs: number,
  stopping: AbortSignal,
  hungUp: AbortSignal,
): Promise<Wakeup> {
  if (stopping.aborted) return 'stopping';
  if (hungUp.aborted) return 'gone';
  if (timeoutMs <= 0) return 'timeout';
  if (!entry.hasNews) {
    const reason = await new Promise<Wakeup>((resolve) => {
      const timer = setTimeout(() => resolve('timeout'), timeoutMs);
      entry.wake = (why) => {
        clearTimeout(timer);
        resolve(why);
      };
    });
    entry.wake = undefined;
    if (reason !== 'changed') return reason;
  }
  entry.hasNews = false;
  return 'changed';
}
