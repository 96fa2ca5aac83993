import { orAborted } from './clock.ts';
import type { Settings } from './settings.ts';

/** A message is one event. A server that never ends one must not fill the memory. */
const MAX_MESSAGE_LENGTH = 1024 * 1024;

/**
 * The data of each message of a `text/event-stream`, as it comes. It ends when the service ends it, when the connection
 * breaks, and when nothing came for `silenceMs`; only an abort throws.
 */
export async function* readMessages(
  { clock }: Settings,
  stream: ReadableStream<Uint8Array>,
  silenceMs: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<string, void, undefined> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (;;) {
      const stopTimer = clock.after(silenceMs, () => void reader.cancel().catch(() => undefined));
      const chunk = reader.read().catch(() => ({ done: true, value: undefined }));
      const { done, value } = await orAborted(chunk, signal).finally(stopTimer);
      if (done || !value) return;
      const parts = (text + decoder.decode(value, { stream: true })).replaceAll('\r\n', '\n').split('\n\n');
      text = parts.pop() ?? '';
      if (text.length > MAX_MESSAGE_LENGTH) return;
      for (const part of parts) {
        const data = dataOf(part);
        if (data !== undefined) yield data;
      }
    }
  } finally {
    // Also when the caller has enough: without it the connection stays open.
    reader.cancel().catch(() => undefined);
  }
}

/** Undefined for a comment. */
function dataOf(message: string): string | undefined {
  const lines = message.split('\n').filter((line) => line.startsWith('data:'));
  return lines.length === 0 ? undefined : lines.map((line) => line.slice(5).replace(/^ /, '')).join('\n');
}
