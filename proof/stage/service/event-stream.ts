import { expect, onTestFinished } from 'vitest';
import type { Body } from './client.ts';

interface StreamedMessage {
  event: string;
  id: string;
  data: Body;
}

/** A reader of `text/event-stream`, written by hand. */
interface TestStream {
  status: number;
  headers: Headers;
  /** Of a refusal. */
  refusal: Body;
  messages: StreamedMessage[];
  comments: number;
  isOver: boolean;
  /** Until so many messages are there. */
  reached(count: number): Promise<StreamedMessage[]>;
  /** Until the service has ended it. */
  over(): Promise<void>;
  hangUp(): void;
}

const PATIENCE = { timeout: 60_000, interval: 20 };

export async function openStream(
  baseUrl: string,
  path: string,
  bearer: string,
  sent: { headers?: Record<string, string>; query?: Record<string, string | number> } = {},
): Promise<TestStream> {
  const caller = new AbortController();
  onTestFinished(() => caller.abort());
  const url = new URL(baseUrl + path);
  for (const [name, value] of Object.entries(sent.query ?? {})) url.searchParams.set(name, String(value));
  const response = await fetch(url, {
    headers: { accept: 'text/event-stream', authorization: `Bearer ${bearer}`, ...sent.headers },
    signal: caller.signal,
  });
  const stream: TestStream = {
    status: response.status,
    headers: response.headers,
    refusal: response.ok ? undefined : await response.json(),
    messages: [],
    comments: 0,
    isOver: false,
    async reached(count) {
      await expect.poll(() => stream.messages.length, PATIENCE).toBeGreaterThanOrEqual(count);
      return stream.messages;
    },
    over: () => expect.poll(() => stream.isOver, PATIENCE).toBe(true),
    hangUp: () => caller.abort(),
  };
  if (response.ok) void follow(response, stream);
  return stream;
}

async function follow(response: Response, stream: TestStream): Promise<void> {
  let text = '';
  const decoder = new TextDecoder();
  try {
    for await (const chunk of response.body ?? []) {
      const parts = (text + decoder.decode(chunk, { stream: true })).split('\n\n');
      text = parts.pop() ?? '';
      for (const part of parts) take(part, stream);
    }
  } catch {
    // Cut off: what came before counts.
  }
  stream.isOver = true;
}

function take(part: string, stream: TestStream): void {
  if (part.startsWith(':')) {
    stream.comments += 1;
    return;
  }
  const members = Object.fromEntries(
    part.split('\n').map((line) => /^(\w+): (.*)$/.exec(line)?.slice(1) ?? []),
  );
  stream.messages.push({ event: members['event'], id: members['id'], data: JSON.parse(members['data']) });
}
