import { createWriteStream, readFileSync } from 'node:fs';

/** One call as its client saw it. Secrets are named by their hash. */
export interface Attempt {
  n: number;
  at: number;
  actor: string;
  /** Which of the service's processes it went to. */
  to: string;
  method: string;
  path: string;
  query?: Record<string, unknown> | undefined;
  key?: string | undefined;
  credential?: string | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: a log of calls of every shape
  sent?: any;
  /** Set when a response came whole. */
  answer?: Answer | undefined;
  /** Set when none came. */
  lost?: string | undefined;
  lostAt?: number | undefined;
  /** What the client expects of it, where that is known before. */
  note?: string | undefined;
}

interface Answer {
  at: number;
  status: number;
  replayed?: boolean;
  /** Named by its hash. */
  cookie?: string;
  // biome-ignore lint/suspicious/noExplicitAny: a log of responses of every shape
  body: any;
}

export interface FaultEntry {
  at: number;
  kind: string;
  details?: unknown;
}

/** A watcher's finding about an entry in the log of a host that lies. */
export interface Reading {
  /** As its owner spells it, and as the entry does. */
  domain: string;
  spelling: string;
  isAccepted: boolean;
}

export interface History {
  readonly attempts: Attempt[];
  readonly faults: FaultEntry[];
  readonly readings: Reading[];
  begin(attempt: Omit<Attempt, 'n' | 'at'>): Attempt;
  acknowledge(attempt: Attempt, answer: Answer): void;
  lose(attempt: Attempt, why: string): void;
  fault(kind: string, details?: unknown): void;
  reading(reading: Reading): void;
  close(): Promise<void>;
}

/** Append-only: a line when a call leaves, another when its response came or did not. */
export function openHistory(file: string): History {
  const stream = createWriteStream(file, { flags: 'a' });
  const write = (line: object) => stream.write(`${JSON.stringify(line)}\n`);
  const attempts: Attempt[] = [];
  const faults: FaultEntry[] = [];
  const readings: Reading[] = [];
  return {
    attempts,
    faults,
    readings,
    begin(attempt) {
      const made: Attempt = { n: attempts.length, at: Date.now(), ...attempt };
      attempts.push(made);
      write({ line: 'try', ...made });
      return made;
    },
    acknowledge(attempt, answer) {
      attempt.answer = answer;
      write({ line: 'answer', n: attempt.n, ...answer });
    },
    lose(attempt, why) {
      attempt.lost = why;
      attempt.lostAt = Date.now();
      write({ line: 'lost', n: attempt.n, at: attempt.lostAt, why });
    },
    fault(kind, details) {
      const entry = { at: Date.now(), kind, ...(details === undefined ? {} : { details }) };
      faults.push(entry);
      write({ line: 'fault', ...entry });
    },
    reading(reading) {
      readings.push(reading);
      write({ line: 'reading', ...reading });
    },
    close: () => new Promise((resolve) => stream.end(resolve)),
  };
}

/** The same from the file, for a check after the fact. */
export function readHistory(file: string): Pick<History, 'attempts' | 'faults' | 'readings'> {
  const attempts: Attempt[] = [];
  const faults: FaultEntry[] = [];
  const readings: Reading[] = [];
  for (const text of readFileSync(file, 'utf8').split('\n')) {
    if (text === '') continue;
    const { line, n, ...rest } = JSON.parse(text);
    const attempt = attempts[n];
    if (line === 'try') attempts[n] = { n, ...rest };
    else if (line === 'fault') faults.push(rest);
    else if (line === 'reading') readings.push(rest);
    else if (line === 'answer' && attempt) attempt.answer = rest;
    else if (line === 'lost' && attempt) Object.assign(attempt, { lost: rest.why, lostAt: rest.at });
  }
  return { attempts, faults, readings };
}
