import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { paymentStage, pendingRequest, report } from '@payassent/proof/people/payments';
import { activeEndpoint, eventsAt } from '@payassent/proof/people/webhooks';
import { createLogLines } from '@payassent/proof/service/log-lines';
import { serviceForTest } from '@payassent/proof/service/service';
import { startHttpReceiver } from '@payassent/proof/surroundings/http-receiver';
import { expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../src/db/open.ts';

interface WireSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: { key: string; value: { stringValue?: string; intValue?: string } }[];
  status: { code?: number };
}

const WITHIN = { timeout: 60_000 };

/** What OTLP over HTTP with JSON requires of a collector: a path, a type, and 200. */
async function startCollector() {
  const spans: WireSpan[] = [];
  const services = new Set<string | undefined>();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const isOtlp = request.url === '/v1/traces' && request.headers['content-type'] === 'application/json';
    response.writeHead(isOtlp ? 200 : 400, { 'content-type': 'application/json' }).end('{}');
    if (!isOtlp) return;
    const { resourceSpans } = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    for (const { resource, scopeSpans } of resourceSpans) {
      services.add(attribute(resource, 'service.name'));
      for (const scope of scopeSpans) spans.push(...scope.spans);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, spans, services };
}

function attribute({ attributes }: Pick<WireSpan, 'attributes'>, name: string): string | undefined {
  const value = attributes.find(({ key }) => key === name)?.value;
  return value?.stringValue ?? value?.intValue;
}

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';

it('spans of a call, its statements, jobs and requests that leave reach a collector, in the trace of the caller', async () => {
  const collector = await startCollector();
  const service = await serviceForTest({ env: { SVC_OTLP_URL: collector.url } });
  const receiver = await startHttpReceiver();
  onTestFinished(() => receiver.close());
  const stage = await paymentStage(service);
  await activeEndpoint(service, stage.merchant, receiver);
  const headers = { traceparent: `00-${TRACE}-${PARENT}-01`, 'x-request-id': 'traced-call' };
  const { request_id } = await pendingRequest(service, stage);
  const read = await service.call('GET', `/v1/payment-requests/${request_id}`, {
    bearer: stage.connectionToken,
    headers,
  });
  expect(read.status).toBe(200);
  await report(service, stage, request_id, { status: 'rejected' });

  const named = (name: string | RegExp) =>
    collector.spans.filter((span) => (typeof name === 'string' ? span.name === name : name.test(span.name)));
  await expect.poll(() => named('GET /v1/payment-requests/{id}').length, WITHIN).toBe(1);
  const [call] = named('GET /v1/payment-requests/{id}');
  expect(call).toMatchObject({ traceId: TRACE, parentSpanId: PARENT, kind: 2, status: {} });
  expect(call && attribute(call, 'payassent.request_id')).toBe('traced-call');
  expect(call && attribute(call, 'http.response.status_code')).toBe('200');
  expect(BigInt(call?.endTimeUnixNano ?? 0)).toBeGreaterThan(BigInt(call?.startTimeUnixNano ?? 0));
  const statements = named('statement').filter((span) => span.parentSpanId === call?.spanId);
  expect(statements.length).toBeGreaterThan(0);
  for (const span of statements)
    expect(attribute(span, 'db.query.text')).not.toContain(stage.connectionToken);

  await expect.poll(() => eventsAt(receiver).length, WITHIN).toBeGreaterThan(0);
  const carried = eventsAt(receiver).map((request) => String(request.headers['traceparent']));
  expect(carried[0]).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
  const sent = () => named(/^POST 127\.0\.0\.1/).map(({ traceId, spanId }) => `00-${traceId}-${spanId}-01`);
  await expect.poll(sent, WITHIN).toContain(carried[0]);
  await expect.poll(() => named('job webhooks').length, WITHIN).toBeGreaterThan(0);
  expect([...collector.services]).toEqual(['payassent']);
});

it('lines of the log have the trace of their call', async () => {
  const collector = await startCollector();
  const { log, lines } = createLogLines();
  const service = await serviceForTest({
    env: { SVC_OTLP_URL: collector.url },
    jobs: false,
    overrides: () => ({ log }),
  });
  await service.call('GET', '/v1/errors', { headers: { traceparent: `00-${TRACE}-${PARENT}-01` } });
  const line = () => lines.map((text) => JSON.parse(text)).find(({ event }) => event === 'answered');
  await expect.poll(line, WITHIN).toMatchObject({ route: '/v1/errors', trace_id: TRACE });
});

it('a caller that does not sample is not recorded, and a wrong traceparent begins a new trace', async () => {
  const collector = await startCollector();
  const service = await serviceForTest({ env: { SVC_OTLP_URL: collector.url }, jobs: false });
  for (const traceparent of [`00-${TRACE}-${PARENT}-00`, '00-zz-1-01', `00-${'0'.repeat(32)}-${PARENT}-01`])
    expect((await service.call('GET', '/v1/errors', { headers: { traceparent } })).status).toBe(200);
  await expect.poll(() => collector.spans.length, WITHIN).toBe(2);
  expect(collector.spans.filter(({ traceId }) => traceId === TRACE)).toEqual([]);
  expect(collector.spans.filter(({ parentSpanId }) => parentSpanId !== undefined)).toEqual([]);
});

it('a collector that is away costs spans and no call', async () => {
  const service = await serviceForTest({ env: { SVC_OTLP_URL: 'http://127.0.0.1:1' }, jobs: false });
  expect((await service.call('GET', '/v1/errors')).status).toBe(200);
  const dropped = async () =>
    /^svc_trace_spans_total\{outcome="dropped"\} (\d+)$/m.exec(
      (await service.call('GET', '/metrics')).text,
    )?.[1];
  await expect.poll(async () => Number(await dropped()), WITHIN).toBeGreaterThan(0);
});

it('without a collector no statement is watched and no span is made', async () => {
  const service = await serviceForTest({ jobs: false });
  expect(service.context.tracer).toBeUndefined();
  expect((await service.call('GET', '/metrics')).text).not.toContain('svc_trace_spans_total');
  const db = openDatabase(service.database.target, { pool: 1 });
  expect((db as unknown as { options: { onquery?: unknown } }).options.onquery).toBeUndefined();
  await db.end();
});
