import type { ConnectionTarget } from '../../../server/src/db/open.ts';
import type { Caller } from '../ground/population.ts';

export type BareJob =
  | {
      kind: 'create';
      target: ConnectionTarget;
      connections: number;
      callers: readonly Caller[];
      /** The webhook endpoint of each merchant, which a create has to notify. Empty: there are no endpoints. */
      endpoints: ReadonlyMap<string, string>;
      /** With the checks that make it correct, or the bare inserts. */
      form: 'correct' | 'inserts';
      warmUpMs: number;
      durationMs: number;
    }
  | {
      kind: 'status';
      target: ConnectionTarget;
      connections: number;
      /** The first tenth warms up. */
      reports: readonly { requestId: string; caller: Caller }[];
      status: 'signed' | 'broadcasted' | 'confirmed';
    }
  /** The requests of webhook deliveries, without a service around them. */
  | { kind: 'post'; url: string; count: number; connections: number; body: string };

export type ReceiverJob = 'stats' | 'reset';

export interface ReceiverStats {
  port: number;
  count: number;
  firstMs: number;
  lastMs: number;
}

/** A route of the framework alone. */
export interface BareRoute {
  /** The body of every response. */
  body: string;
  /** The row that it selects first; undefined: from memory. */
  selects?: { target: ConnectionTarget; what: 'read' | 'poll' };
}

export interface BareResult {
  count: number;
  ratePerS: number;
}
