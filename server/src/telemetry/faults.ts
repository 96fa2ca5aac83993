import { FAULTS_KNOWN, type Fault, faultOf } from '../db/faults.ts';
import type { Writing } from '../db/writing.ts';
import type { Logger } from '../lib/log.ts';
import type { CounterSpec, Metrics } from './metrics.ts';

/** Database failures that calls meet. A thousand calls a second must not make a thousand lines. */
export interface Faults {
  note(error: unknown): void;
}

const LINE_EVERY_MS = 1_000;

const FAULTS: CounterSpec<'fault'> = {
  name: 'svc_database_faults_total',
  help: 'Calls that failed because of the database, by kind of failure.',
  labels: ['fault'],
};

/** One line for each kind of fault and second, with the number of calls that met it. */
export function createFaults(log: Logger, metrics: Metrics, writing: Writing): Faults {
  for (const fault of FAULTS_KNOWN) metrics.increment(FAULTS, { fault }, 0);
  const seen = new Map<Fault, { count: number; err: unknown }>();
  const write = (): void => {
    for (const [fault, { count, err }] of seen)
      log.error({ event: 'database_fault', fault, count, err }, 'calls were refused with 503');
    seen.clear();
  };
  return {
    note(error) {
      const fault = faultOf(error);
      if (!fault) return;
      if (fault === 'storage') writing.doubt('room');
      else if (fault === 'deadline') writing.doubt('silence');
      metrics.increment(FAULTS, { fault });
      if (seen.size === 0) setTimeout(write, LINE_EVERY_MS).unref();
      const known = seen.get(fault) ?? { count: 0, err: error };
      seen.set(fault, { ...known, count: known.count + 1 });
    },
  };
}
