import { createAnswerCheck } from '@payassent/proof/service/answers';
import { operation } from '@payassent/protocol/api';
import { Type } from '@payassent/protocol/records';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { AppError } from '../src/errors.ts';
import { generatedFiles } from '../src/generate/index.ts';
import type { Incoming } from '../src/http/kernel.ts';
import { implement } from '../src/http/route.ts';

interface Answer {
  description: string;
  headers?: Record<string, unknown>;
}

interface Operation {
  security: Record<string, unknown>[];
  parameters?: { name: string; in: string; required?: boolean }[];
  requestBody?: { required?: boolean; content: { 'application/json': { schema: Record<string, unknown> } } };
  responses: Record<string, Answer>;
}

interface Published {
  paths: Record<string, Record<string, Operation>>;
}

const document = JSON.parse(generatedFiles()['openapi.json'] ?? '') as Published;
/** With everything that has a name put where it is referred to, as the reference page reads it. */
const page: { resolveReferences(document: Published): Published } = await import(
  new URL('../../web/docs/schema.mjs', import.meta.url).href
);
const { paths } = page.resolveReferences(document);

const operations = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    name: `${method.toUpperCase()} ${path}`,
    operation,
  })),
);

function operationOf(name: string): Operation {
  const found = operations.find((entry) => entry.name === name);
  if (!found) throw new Error(`${name} is not published`);
  return found.operation;
}

const takes = (operation: Operation, scheme: string) => operation.security.some((entry) => scheme in entry);
const walletCalls = operations.filter(({ operation }) => takes(operation, 'deviceToken'));

describe('published responses', () => {
  it.each([
    'POST /v1/payment-requests',
    'POST /v1/agent-payments',
    'POST /v1/merchant-domains',
    'POST /v1/agents/{agentId}/credentials',
  ])('%s makes a record with 201 and returns 200 for one that is there', (name) => {
    const successes = Object.keys(operationOf(name).responses).filter((status) => Number(status) < 400);
    expect(successes).toEqual(['200', '201']);
  });

  it.each(['POST /v1/payment-requests', 'POST /v1/agent-payments'])('a repeat of %s is marked', (name) => {
    const { responses } = operationOf(name);
    expect(Object.keys(responses['200']?.headers ?? {})).toContain('Idempotency-Replayed');
    expect(Object.keys(responses['201']?.headers ?? {})).not.toContain('Idempotency-Replayed');
  });

  it.each([
    ['POST /v1/agent-payments', '429', 'rate_limited'],
    ['DELETE /v1/connections/{id}', '429', 'rate_limited'],
    ['GET /v1/pairing/sessions', '429', 'rate_limited'],
    ['POST /v1/agent-auth/token', '429', 'rate_limited'],
    ['POST /v1/agents', '422', 'risk_rejected'],
    ['PATCH /v1/agents/{agentId}', '422', 'risk_rejected'],
    ['POST /v1/api-keys', '422', 'risk_rejected'],
    ['POST /v1/wallet-devices', '422', 'risk_rejected'],
    ['POST /v1/merchant-sessions', '403', 'csrf_invalid'],
  ])('%s can be refused with %s %s', (name, status, code) => {
    expect(operationOf(name).responses[status]?.description).toContain(`\`${code}\``);
  });

  it('every call with a token that can be replaced can be refused with token_rotated', () => {
    const missing = operations
      .filter(({ operation }) => takes(operation, 'deviceToken') || takes(operation, 'connectionToken'))
      .filter(({ operation }) => !operation.responses['401']?.description.includes('`token_rotated`'));
    expect(missing.map(({ name }) => name)).toEqual([]);
  });

  it('every 429 carries the time to retry', () => {
    for (const { operation } of operations) {
      const refusal = operation.responses['429'];
      if (refusal) expect(Object.keys(refusal.headers ?? {})).toContain('Retry-After');
    }
  });
});

describe('the published form of a wallet’s credential', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });

  it.each(
    walletCalls.filter(({ name }) => !name.startsWith('GET ')).map((entry) => [entry.name, entry] as const),
  )('%s takes device_id and token in the body, both or neither', (_name, { operation }) => {
    const schema = operation.requestBody?.content['application/json'].schema ?? {};
    const accepts = ajv.compile({ ...schema, required: [] });
    expect(accepts({ device_id: 'dev_1', token: 'svc_dt_1' })).toBe(true);
    expect(accepts({})).toBe(true);
    expect([accepts({ device_id: 'dev_1' }), accepts({ token: 'svc_dt_1' })]).toEqual([false, false]);
    expect(accepts({ surprise: 1 })).toBe(false);
  });

  it.each(
    walletCalls
      .filter(({ name }) => name.startsWith('GET ') || name.startsWith('DELETE '))
      .map((entry) => [entry.name, entry] as const),
  )('%s takes them in the query', (_name, { operation }) => {
    const sent = operation.parameters?.filter(({ name }) => name === 'device_id' || name === 'token') ?? [];
    expect(sent.map((parameter) => [parameter.name, parameter.in, parameter.required ?? false])).toEqual([
      ['device_id', 'query', false],
      ['token', 'query', false],
    ]);
  });

  it('no other call takes them in the query', () => {
    const others = operations.filter(({ operation }) => !takes(operation, 'deviceToken'));
    const named = others.flatMap(({ operation }) => operation.parameters ?? []).map(({ name }) => name);
    expect(named).not.toContain('token');
  });
});

describe('the check of every response in tests', () => {
  const makeThing = operation({
    id: 'makeThing',
    method: 'POST',
    path: '/v1/things',
    summary: 'Make a thing',
    description: 'For this test.',
    tag: 'Agents',
    credential: [],
    body: Type.Object({ name: Type.String() }, { additionalProperties: false }),
    status: 201,
    answer: Type.Object({ thing: Type.String() }),
    errors: ['limit_reached'],
  });
  const route = implement(makeThing, { run: async () => ({ thing: 'x' }) });
  const sent = (body: unknown) => ({ body: Buffer.from(JSON.stringify(body)) }) as Incoming;
  const answered = (status: number, body: unknown) => ({
    status,
    headers: undefined,
    text: JSON.stringify(body),
  });
  const GOOD = { ok: true, thing: 'x' };

  it('lets what is declared pass', () => {
    const check = createAnswerCheck();
    check.observe(route, sent({ name: 'x' }), answered(201, GOOD));
    check.observe(route, sent({ name: 'x' }), new AppError('limit_reached'));
    check.observe(route, sent({}), new AppError('validation_failed'));
    check.conclude();
  });

  it.each([
    ['a status', sent({ name: 'x' }), answered(200, GOOD), 'returned 200'],
    ['a member', sent({ name: 'x' }), answered(201, { ok: true, thing: 1 }), 'that its schema refuses'],
    ['a code', sent({ name: 'x' }), new AppError('risk_rejected'), '422 risk_rejected'],
    ['a body', sent({ name: 'x', more: 1 }), answered(201, GOOD), 'accepted a body'],
  ])(
    'fails the run for %s that is not declared, even when no test reads the response',
    (_what, incoming, outcome, said) => {
      const check = createAnswerCheck();
      expect(() => check.observe(route, incoming, outcome)).toThrow(said);
      expect(() => check.conclude()).toThrow(said);
    },
  );
});
