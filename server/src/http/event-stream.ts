import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Stream } from '../lib/event-stream.ts';
import { TIME_OUTS } from '../limits.ts';

/** The connection ends with its stream: left open and idle, it would delay the end of the service. */
export const STREAM_HEADERS = {
  'content-type': 'text/event-stream',
  'x-accel-buffering': 'no',
  connection: 'close',
} as const;

/**
 * A reader that reads nothing for so long is disconnected. It reconnects and continues after the last event that it
 * has.
 */
const PATIENCE_MS = TIME_OUTS.streamReader.s * 1000;

/** A caller that also names JSON gets JSON, as it did before there were streams. */
export function wantsStream({ method, headers: { accept = '' } }: IncomingMessage): boolean {
  if (!accept.includes('event-stream')) return false;
  const types = accept.split(',').map((part) => part.split(';', 1)[0]?.trim().toLowerCase());
  return method === 'GET' && types.includes('text/event-stream') && !types.includes('application/json');
}

/**
 * Runs a stream on a response whose head has been written. The next piece is requested only when the last one has been
 * sent, so a slow reader costs one piece of memory, however much there is to read.
 */
export async function runStream(
  response: ServerResponse,
  stream: Stream,
  stopping: AbortSignal,
  patienceMs = PATIENCE_MS,
): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  // A write to a reset connection; `close` follows.
  response.on('error', () => gone.abort());
  if (response.destroyed) gone.abort();
  const write = async (text: string) => {
    if (gone.signal.aborted) return false;
    return response.write(text) || drained(response, [gone.signal, stopping], patienceMs);
  };
  try {
    await stream({ write, gone: gone.signal });
  } finally {
    // Unread data would delay the end of the service.
    if (response.writableNeedDrain) response.destroy();
    else response.end();
  }
}

function drained(
  response: ServerResponse,
  ends: readonly AbortSignal[],
  patienceMs: number,
): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = (isTaken: boolean) => {
      clearTimeout(timer);
      response.removeListener('drain', onDrain);
      for (const end of ends) end.removeEventListener('abort', onEnd);
      resolve(isTaken);
    };
    const onDrain = () => settle(true);
    const onEnd = () => settle(false);
    const timer = setTimeout(onEnd, patienceMs);
    response.once('drain', onDrain);
    for (const end of ends) end.addEventListener('abort', onEnd);
    if (ends.some((end) => end.aborted)) onEnd();
  });
}
