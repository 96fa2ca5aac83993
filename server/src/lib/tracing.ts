import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';

/** The numbers in OTLP. */
export const KIND = { internal: 1, server: 2, client: 3 } as const;

export type Attributes = Record<string, string | number>;

/** A finished span, in the form of OTLP. */
interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startMs: number;
  endMs: number;
  attributes: Attributes;
  fault?: string;
}

interface Task {
  name: string;
  kind: number;
  attributes?: Attributes;
  /** The caller's `traceparent`, for a task that begins a trace here. */
  traceparent?: string | undefined;
  /** A span that found nothing to do is dropped, and its queries with it. */
  mayBeIdle?: boolean;
}

export interface Tracer {
  /** Runs the work as a span; what it causes, however late, are child spans. */
  run<T>(task: Task, work: (attributes: Attributes) => Promise<T>): Promise<T>;
  /** A finished span that began earlier, as a child of the one in which `begin` was called. */
  begin(name: string, kind: number): ((attributes: Attributes, fault?: string) => void) | undefined;
  /** Stores the current span for this object; `of` returns it later, from any context. */
  note(thing: object): void;
  of(thing: object): { trace_id: string; span_id: string } | undefined;
  /** For an outgoing request, and for log lines. */
  current(): { trace_id: string; span_id: string; traceparent: string } | undefined;
  close(): Promise<void>;
}

interface Open {
  traceId: string;
  spanId: string;
  isSampled: boolean;
  tree: Tree;
}

/** Spans wait until their root is finished, and are sent or dropped with it. */
interface Tree {
  waiting: Span[] | undefined;
  isKept: boolean;
}

/** W3C Trace Context; an unknown version may have more after the flags. */
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:-|$)/;
/** An idle job run issues one statement. */
const IDLE_SPANS = 1;
const MOST_WAITING = 1_000;

export function createTracer(exporter: { add(span: Span): void; close(): Promise<void> }): Tracer {
  const storage = new AsyncLocalStorage<Open>();
  const noted = new WeakMap<object, { trace_id: string; span_id: string }>();
  const id = (bytes: number) => randomBytes(bytes).toString('hex');
  const add = (tree: Tree, span: Span) => {
    if (tree.waiting && tree.waiting.length < MOST_WAITING) tree.waiting.push(span);
    else if (tree.isKept) exporter.add(span);
  };
  const open = (traceparent: string | undefined): { span: Open; parentSpanId?: string } => {
    const parent = storage.getStore();
    if (parent) return { span: { ...parent, spanId: id(8) }, parentSpanId: parent.spanId };
    const tree: Tree = { waiting: [], isKept: true };
    const [, traceId, parentSpanId, flags] = TRACEPARENT.exec(traceparent ?? '') ?? [];
    const isSampled = flags === undefined || (Number.parseInt(flags, 16) & 1) === 1;
    const span = { traceId: traceId ?? id(16), spanId: id(8), isSampled, tree };
    return { span, ...(parentSpanId === undefined ? {} : { parentSpanId }) };
  };
  const finish = (tree: Tree, mayBeIdle: boolean, isFaulty: boolean) => {
    const { waiting = [] } = tree;
    tree.isKept = !mayBeIdle || isFaulty || waiting.length > IDLE_SPANS + 1;
    tree.waiting = undefined;
    if (tree.isKept) for (const span of waiting) exporter.add(span);
  };
  return {
    async run({ name, kind, attributes = {}, traceparent, mayBeIdle = false }, work) {
      const isRoot = storage.getStore() === undefined;
      const { span, parentSpanId } = open(traceparent);
      const { traceId, spanId, isSampled, tree } = span;
      const startMs = performance.timeOrigin + performance.now();
      let fault: string | undefined;
      try {
        return await storage.run(span, () => work(attributes));
      } catch (error) {
        fault = faultOf(error);
        throw error;
      } finally {
        const endMs = performance.timeOrigin + performance.now();
        const told = { traceId, spanId, name, kind, startMs, endMs, attributes };
        if (isSampled)
          add(tree, { ...told, ...(parentSpanId ? { parentSpanId } : {}), ...(fault ? { fault } : {}) });
        if (isRoot) finish(tree, mayBeIdle, fault !== undefined);
      }
    },
    begin(name, kind) {
      const parent = storage.getStore();
      if (!parent?.isSampled) return undefined;
      const startMs = performance.timeOrigin + performance.now();
      const { traceId, spanId: parentSpanId, tree } = parent;
      return (attributes, fault) => {
        const endMs = performance.timeOrigin + performance.now();
        const told = { traceId, spanId: id(8), parentSpanId, name, kind, startMs, endMs, attributes };
        add(tree, { ...told, ...(fault === undefined ? {} : { fault }) });
      };
    },
    current() {
      const span = storage.getStore();
      if (!span) return undefined;
      const { traceId, spanId, isSampled } = span;
      const traceparent = `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;
      return { trace_id: traceId, span_id: spanId, traceparent };
    },
    note(thing) {
      const span = storage.getStore();
      if (span) noted.set(thing, { trace_id: span.traceId, span_id: span.spanId });
    },
    of: (thing) => noted.get(thing),
    close: () => exporter.close(),
  };
}

/** The code or class of an error; its message may quote what a caller sent. */
export function faultOf(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown };
  return typeof code === 'string' ? code : String(name ?? 'Error');
}

/** OTLP over HTTP with JSON: https://opentelemetry.io/docs/specs/otlp/ */
interface OtlpOptions {
  /** The collector's base address; spans go to `/v1/traces` below it. */
  url: string;
  version: string;
  /** Called with the number of spans sent, and of those dropped. */
  onOutcome(outcome: 'sent' | 'dropped', count: number): void;
}

const EVERY_MS = 1_000;
const MOST_UNSENT = 4_096;
const BATCH = 512;
const TIMEOUT_MS = 5_000;

/** Sends in the background. An unreachable collector costs spans, never calls. */
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
      if (waiting.length < MOST_UNSENT) waiting.push(span);
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

/** Whole microseconds: nanoseconds since 1970 exceed the precision of a number. */
const nanos = (ms: number) => `${Math.round(ms * 1_000)}000`;

function attributesOf(attributes: Attributes) {
  return Object.entries(attributes).map(([key, value]) => ({
    key,
    value: typeof value === 'number' ? { intValue: String(Math.round(value)) } : { stringValue: value },
  }));
}
