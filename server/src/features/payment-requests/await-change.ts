import type { PaymentRequest } from '@payassent/protocol';
import type { PresentedCredential } from '../../http/principals.ts';
import { agentTopic } from '../agents/usable.ts';
import { connectionTopic } from '../callers/topics.ts';
import type { Engine, Waited } from './engine.ts';
import type { Watch } from './waiting.ts';

export interface ChangeCall {
  credential: PresentedCredential;
  /** The `state_version` that the reader knows. */
  after: number;
  waitMs: number;
  hungUp: AbortSignal;
  /** One look, credential included. */
  read(): Promise<PaymentRequest>;
}

/** A request as soon as its `state_version` is above the one that is known, or as it is when the time is over. */
export async function awaitChange(engine: Engine, call: ChangeCall): Promise<PaymentRequest> {
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
      // The connection was not known before the first look: it looks again with open ears.
      watch ??= openWatch(engine, call, record);
    }
  } finally {
    watch?.close();
  }
}

function openWatch(engine: Engine, call: ChangeCall, record: PaymentRequest): Watch<Waited> {
  const { connection_id: connectionId, request_id: requestId, source } = record;
  return engine.waiters.watch(
    { kind: 'request', credential: call.credential, connectionId, requestId, after: call.after },
    [connectionTopic(connectionId), agentTopic(String(source['agent_id']))],
    call.hungUp,
  );
}
