/** The outcome of the last attempt to reach something outside, in this process: for `/health`, which makes no calls. */
export interface Outcomes {
  note(what: string, outcome: Outcome): void;
  of(what: string): Outcome;
}

export type Outcome = 'ok' | 'failing';

/** Longer than the longest pause between two tries: after that another process has made the next one. */
const LASTS_MS = 15 * 60_000;

export function createOutcomes(): Outcomes {
  const failedMs = new Map<string, number>();
  return {
    note(what, outcome) {
      if (outcome === 'ok') failedMs.delete(what);
      else failedMs.set(what, performance.now());
    },
    of: (what) =>
      performance.now() - (failedMs.get(what) ?? Number.NEGATIVE_INFINITY) < LASTS_MS ? 'failing' : 'ok',
  };
}

export const MAIL = 'mail';
export const witnessOutcome = (vkey: string): string => `witness ${vkey}`;
