// Slow: runs the whole demo several times, as processes.
import { type HttpProxy, type PassedCall, startHttpProxy } from '@payassent/proof/faults/http-proxy';
import { freePort } from '@payassent/world';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Entry } from '../src/demo/entries.ts';
import { createRenderer } from '../src/demo/render.ts';
import { type DemoProcess, startDemo } from './harness/demo-process.ts';

type EntryOf<Type extends Entry['type']> = Extract<Entry, { type: Type }>;

function entriesOf<Type extends Entry['type']>(entries: readonly Entry[], type: Type): EntryOf<Type>[] {
  return entries.filter((entry): entry is EntryOf<Type> => entry.type === type);
}

describe('payassent demo --fast --json', () => {
  let demo: DemoProcess;
  let proxy: HttpProxy;
  let exitCode: number | null;
  let left: string[];
  let told: EntryOf<'exchange'>[];

  beforeAll(async () => {
    const port = await freePort();
    proxy = await startHttpProxy(`http://127.0.0.1:${port}`);
    demo = await startDemo(['--fast'], { port, baseUrl: proxy.url });
    exitCode = await demo.ended;
    left = await demo.leftovers();
    told = entriesOf(demo.entries, 'exchange');
  }, 90_000);
  afterAll(async () => {
    await demo.cleanUp();
    await proxy.close();
  });

  it('tells the whole story and ends well, with nothing left behind', () => {
    expect(exitCode, demo.output()).toBe(0);
    expect(left).toEqual([]);
    expect(demo.entries[0]?.type).toBe('start');
    expect(demo.entries.at(-1)).toMatchObject({ type: 'summary', ok: true, calls: told.length });
    expect(entriesOf(demo.entries, 'step').map(({ number, title }) => `${number} ${title}`)).toEqual([
      '1 One payment, in brief',
      '2 A merchant signs up',
      '3 The merchant proves a domain',
      '4 The merchant opens a webhook endpoint',
      '5 The merchant fixes where it is paid',
      '6 The merchant registers an agent',
      '7 The agent signs in',
      '8 A user sets up a wallet',
      '9 The user connects the agent',
      '10 The agent asks for a payment',
      '11 The user reads what is asked',
      '12 The user approves, the wallet pays',
      '13 The merchant hears of it',
      '14 The user allows small payments in advance',
      '15 The agent pays within the limits',
      '16 The agent asks for more than it may',
      '17 A person decides',
    ]);
  });

  it('comes to a confirmed payment within the first 40 lines', () => {
    const text = demo.entries.map(createRenderer(false)).join('');
    const first = text.split('\n').findIndex((line) => line.includes('wallet     confirmed'));
    expect(first).toBeGreaterThan(0);
    expect(first).toBeLessThan(40);
  });

  it('tells every call that went over the wire, in order, and no other', () => {
    const callOf = ({ method, path, status }: Pick<PassedCall, 'method' | 'path' | 'status'>) =>
      `${method} ${path} ${status}`;
    expect(told.length).toBeGreaterThan(40);
    expect(told.map(callOf)).toEqual(proxy.calls.map(callOf));
  });

  it('tells requests and answers as they were, but for shortened secrets', () => {
    const differences = proxy.calls.flatMap((real, index) => {
      const exchange = told[index];
      if (exchange === undefined) return [`${real.method} ${real.path} is not told`];
      const { request, answer } = exchange;
      return [
        ...compare(real.body === '' ? undefined : JSON.parse(real.body), request.body, 'request'),
        ...compare(JSON.parse(real.answer), answer.body, 'answer'),
        ...compare(pick(real.headers, request.headers), request.headers, 'request headers'),
        ...compare(pick(real.answerHeaders, answer.headers), answer.headers, 'answer headers'),
      ].map((difference) => `${real.method} ${real.path}: ${difference}`);
    });
    expect(differences).toEqual([]);
  });

  it('shows no secret that was sent or received', () => {
    const secrets = proxy.calls.flatMap(secretsIn);
    expect(new Set(secrets.map((secret) => /^(svc_[a-z]{2}|svc_key|whsec)_/.exec(secret)?.[1]))).toEqual(
      new Set([
        'svc_ml',
        'svc_gr',
        'svc_ms',
        'svc_at',
        'svc_ck',
        'svc_cl',
        'svc_ct',
        'svc_dt',
        'svc_rc',
        'svc_key',
        'svc_st',
        'whsec',
        undefined,
      ]),
    );
    const output = demo.output();
    expect(
      secrets.filter((secret) => output.includes(secret) || output.includes(secret.slice(0, 24))),
    ).toEqual([]);
  });

  it('tells webhooks that are the polled events, and reviews what was really pinned', () => {
    const polled = proxy.calls
      .filter(({ path }) => path.startsWith('/v1/payment-requests/events'))
      .flatMap(({ answer }) => JSON.parse(answer).events);
    const delivered = entriesOf(demo.entries, 'webhook').map(({ body }) => body as Record<string, unknown>);
    expect(polled.map(({ sequence, status }) => `${sequence} ${status}`)).toEqual([
      '1 signed',
      '2 broadcasted',
      '3 confirmed',
    ]);
    for (const { event_id, sequence, type } of polled) {
      expect(delivered).toContainEqual(expect.objectContaining({ id: event_id, sequence, type }));
    }
    const created = proxy.calls.findLast(
      ({ method, path }) => method === 'POST' && path === '/v1/payment-requests',
    );
    const { payment, payee } = JSON.parse(created?.answer ?? '').payment_request;
    const [review] = entriesOf(demo.entries, 'review');
    expect(review).toMatchObject({
      payee: payee.name,
      domain: payee.domain,
      amount: payment.amount,
      asset: payment.asset,
      network: payment.network,
      facts_are_pinned: true,
    });
    expect(review?.address.split(' ').join('')).toBe(payment.to);
    expect(review?.address).toMatch(/^(\S{4} ){13}\S{4}$/);
  });

  it('shows the refusal of the policy and the same intent submitted by a person', () => {
    const payments = proxy.calls.filter(
      ({ method, path }) => method === 'POST' && path === '/v1/agent-payments',
    );
    const outcomes = payments.map(({ status, body, answer }) => {
      const { amount, initiated_by = 'agent' } = JSON.parse(body);
      return `${amount} by ${initiated_by}: ${status} ${JSON.parse(answer).error?.code ?? 'ok'}`;
    });
    expect(outcomes).toEqual([
      '4 by agent: 201 ok',
      '40 by agent: 403 HC_NC_5_HITL_REQUIRED',
      '40 by human: 403 human_credential_required',
      '40 by human: 201 ok',
    ]);
  });
});

describe('a demo that cannot go on', () => {
  const running: { cleanUp(): Promise<void> }[] = [];
  afterEach(async () => {
    for (const { cleanUp } of running.splice(0)) await cleanUp();
  });

  it('says at which step something was unexpected, ends with 1 and leaves nothing behind', async () => {
    const port = await freePort();
    const proxy = await startHttpProxy(`http://127.0.0.1:${port}`);
    const error = { code: 'internal_error', message: 'It broke.', request_id: 'req_1' };
    proxy.treat(({ method, path }) =>
      method === 'POST' && path === '/v1/webhook-endpoints'
        ? { status: 500, body: JSON.stringify({ ok: false, error }) }
        : 'forward',
    );
    const demo = await startDemo(['--fast'], { port, baseUrl: proxy.url });
    running.push(demo, { cleanUp: () => proxy.close() });
    expect(await demo.ended).toBe(1);
    expect(demo.entries.at(-1)).toEqual({
      type: 'failure',
      ok: false,
      step: 4,
      title: 'The merchant opens a webhook endpoint',
      message: expect.stringContaining('internal_error, request req_1'),
    });
    expect(await demo.leftovers()).toEqual([]);
  }, 90_000);

  it('stops everything at Ctrl-C, between two steps', async () => {
    const demo = await startDemo([]);
    running.push(demo);
    await demo.until((entry) => entry.type === 'step' && entry.number === 2);
    demo.child.kill('SIGINT');
    expect(await demo.ended).toBe(130);
    expect(entriesOf(demo.entries, 'failure')).toEqual([]);
    expect(await demo.leftovers()).toEqual([]);
  }, 90_000);

  it('stops everything at Ctrl-C while the service is still starting', async () => {
    const demo = await startDemo([]);
    running.push(demo);
    // Its folder is the first that it makes: from then on it hears a signal, and the service is not there yet.
    const hasFolder = async () => (await demo.leftovers()).some((name) => !name.startsWith('process '));
    await expect.poll(hasFolder).toBe(true);
    demo.child.kill('SIGINT');
    expect(await demo.ended).toBe(130);
    expect(await demo.leftovers()).toEqual([]);
  }, 90_000);
});

/** Paths at which what is told is neither the real value nor a secret that was shortened. */
function compare(real: unknown, shown: unknown, path: string): string[] {
  if (real === shown) return [];
  if (typeof real === 'string' && typeof shown === 'string')
    return isShortened(real, shown) ? [] : [`${path}: ${shown} instead of ${real}`];
  if (typeof real !== 'object' || typeof shown !== 'object' || real === null || shown === null)
    return [`${path}: ${JSON.stringify(shown)} instead of ${JSON.stringify(real)}`];
  const names = new Set([...Object.keys(real), ...Object.keys(shown)]);
  return [...names].flatMap((name) =>
    compare(
      (real as Record<string, unknown>)[name],
      (shown as Record<string, unknown>)[name],
      `${path}.${name}`,
    ),
  );
}

/** Begins alike, and only text that is no word of a person has been cut out. */
function isShortened(real: string, shown: string): boolean {
  const parts = shown.split('…');
  const [first = '', ...rest] = parts;
  if (rest.length === 0 || !real.startsWith(first)) return false;
  let position = first.length;
  for (const part of rest) {
    const cut = /^[\w+/=.-]{16,}/.exec(real.slice(position))?.[0];
    if (cut === undefined) return false;
    position += cut.length;
    if (!real.startsWith(part, position)) return false;
    position += part.length;
  }
  return position === real.length;
}

function pick(all: Readonly<Record<string, string>>, names: object): Record<string, string | undefined> {
  return Object.fromEntries(Object.keys(names).map((name) => [name, all[name]]));
}

/** Every token, and every value that proves who calls. */
function secretsIn(call: PassedCall): string[] {
  const text = [
    call.path,
    call.body,
    call.answer,
    ...Object.values(call.headers),
    ...Object.values(call.answerHeaders),
  ];
  const tokens = text.flatMap(
    (each) => each.match(/(?:svc_(?:key_test|[a-z]{2})_|whsec_)[\w+/=-]{16,}/g) ?? [],
  );
  const proofs = [call.body, call.answer].flatMap((each) =>
    [...each.matchAll(/"(?:assertion|csrf_token|signature)":"([^"]+)"/g)].map((match) => match[1] ?? ''),
  );
  return [...tokens, ...proofs, ...(call.headers['x-csrf-token'] ? [call.headers['x-csrf-token']] : [])];
}
