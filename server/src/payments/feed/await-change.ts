import type { PaymentRequest } from '@payassent/protocol/records';
import { agentTopic } from '../../features/agents/usable.ts';
import { connectionTopic } from '../../features/callers/topics.ts';
import type { PresentedCredential } from '../../principals.ts';
import type { Engine } from '../engine.ts';
import type { Waited } from './pending-waiters.ts';
import type { Watch } from './waiters.ts';

export interface ChangeCall<Record> {
  /** The `state_version` that the reader has. */
  after: number;
  waitMs: number;
  /** One read, including the check of the credential. */
  read(): Promise<Record>;
  watch(record: Record): Watch<Waited>;
}

/** A record as soon as its `state_version` is above the known one, or its current state when the time is over. */
export async function awaitChange<Record extends { state_version: number }>(
  call: ChangeCall<Record>,
): Promise<Record> {
  const deadlineMs = performance.now() + call.waitMs;
  let watch: Watch<Waited> | undefined;
  try {
    for (;;) {
      const record = await call.read();
      if (record.state_version > call.after || call.waitMs === 0) return record;
      if (watch) {
        const wakeup = await watch.next(deadlineMs - performance.now());
        if (wakeup !== 'changed') return record;
      }
      // The connection was unknown before the first read: subscribe, then read again.
      watch ??= call.watch(record);
    }
  } finally {
    watch?.close();
  }
}

export function watchRequest(
  engine: Engine,
  reader: { credential: PresentedCredential; after: number; hungUp: AbortSignal },
  record: PaymentRequest,
): Watch<Waited> {
  const { connection_id: connectionId, request_id: requestId, source } = record;
  const { credential, after, hungUp } = reader;
  return engine.waiters.watch(
    { kind: 'request', credential, connectionId, requestId, after },
    [connectionTopic(connectionId), agentTopic(String(source['agent_id']))],
    hungUp,
  );
}
