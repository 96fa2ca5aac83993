import type { Attributes, Span } from './index.ts';

/** OTLP over HTTP with JSON: https://opentelemetry.io/docs/specs/otlp/ */
interface OtlpOptions {
  /** The collector's base address; spans go to `/v1/traces` below it. */
  url: string;
  version: string;
  /** Told of spans that left, and of those that did not. */
  onOutcome(outcome: 'sent' | 'dropped', count: number): void;
}

const EVERY_MS = 1_000;
const MOST_WAITING = 4_096;
const BATCH = 512;
const TIMEOUT_MS = 5_000;

/** Sends in the background. A collector that is away costs spans, never calls. */
export function createOtlpExporter({ url, version, onOutcome }: OtlpOptions) {
  const address = `${url.replace(/\/$/, '')}/v1/traces`;
  const resource = {
    attributes: attributesOf({
      'service.name': 'payassent',
      'service.version': version,
      'process.pid': process.pid,
    }),
  };
  let waiting: Span[] = [];
  let sending: Promise<void> = Promise.resolve();
  const send = async (): Promise<void> => {
    while (waiting.length > 0) {
      const spans = waiting.splice(0, BATCH);
      const scopeSpans = [{ scope: { name: 'payassent', version }, spans: spans.map(toWire) }];
      const isSent = await fetch(address, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ resourceSpans: [{ resource, scopeSpans }] }),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      }).then(
        async (response) => {
          await response.arrayBuffer();
          return response.ok;
        },
        () => false,
      );
      onOutcome(isSent ? 'sent' : 'dropped', spans.length);
    }
  };
  const sendNext = (): Promise<void> => {
    sending = sending.then(send);
    return sending;
  };
  let isBusy = false;
  const timer = setInterval(() => {
    if (isBusy || waiting.length === 0) return;
    isBusy = true;
    void sendNext().finally(() => {
      isBusy = false;
    });
  }, EVERY_MS).unref();
  return {
    add(span: Span): void {
      if (waiting.length < MOST_WAITING) waiting.push(span);
      else onOutcome('dropped', 1);
    },
    async close(): Promise<void> {
      clearInterval(timer);
      await sendNext();
      waiting = [];
    },
  };
}

const ERROR = 2;

function toWire(span: Span) {
  const { startMs, endMs, attributes, fault, ...rest } = span;
  return {
    ...rest,
    startTimeUnixNano: nanos(startMs),
    endTimeUnixNano: nanos(endMs),
    attributes: attributesOf(attributes),
    status: fault === undefined ? {} : { code: ERROR, message: fault },
  };
}

/** Beyond what a number holds: written as text. */
const nanos = (ms: number) => String(BigInt(Math.round(ms * 1_000)) * 1_000n);

function attributesOf(attributes: Attributes) {
  return Object.entries(attributes).map(([key, value]) => ({
    key,
    value: typeof value === 'number' ? { intValue: String(Math.round(value)) } : { stringValue: value },
  }));
}
