import { outcome, succeed, type TestMerchant, verifiedMerchant } from '@payassent/proof/people/merchants';
import {
  activeEndpoint,
  answering,
  challengeIn,
  createEndpoint,
  listDeliveries,
  verified,
} from '@payassent/proof/people/webhooks';
import type { Body } from '@payassent/proof/service/client';
import { startService, type TestService } from '@payassent/proof/service/service';
import { startHttpReceiver, type TestReceiver } from '@payassent/proof/surroundings/http-receiver';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

let service: TestService;
let receiver: TestReceiver;
let merchant: TestMerchant;

beforeAll(async () => {
  service = await startService({ jobs: true });
  receiver = await startHttpReceiver();
  merchant = await verifiedMerchant(service);
});
afterAll(async () => {
  await service.close();
  await receiver.close();
});
beforeEach(async () => {
  receiver.script(answering());
  // Each test begins without endpoints.
  const { session } = merchant;
  const { body } = await service.call('GET', '/v1/webhook-endpoints', { session });
  for (const { webhook_endpoint_id: id } of body.webhook_endpoints)
    await succeed(service.call('DELETE', `/v1/webhook-endpoints/${id}`, { session }));
});

const url = () => `${receiver.url}/hook`;
const path = (id: string, act = '') => `/v1/webhook-endpoints/${id}${act}`;

function change(id: string, body: Record<string, unknown>) {
  return service.call('PATCH', path(id), { session: merchant.session, body });
}

function verify(id: string) {
  return service.call('POST', path(id, '/verify'), { session: merchant.session });
}

async function read(id: string): Promise<Body> {
  return (await succeed(service.call('GET', path(id), { session: merchant.session }))).body.webhook_endpoint;
}

async function auditTypes(id: string): Promise<string[]> {
  const { body } = await service.call('GET', '/v1/audit-events', {
    session: merchant.session,
    query: { target_id: id },
  });
  return body.audit_events.map((event: Body) => event.type).reverse();
}

describe('create', () => {
  it('returns the endpoint, pending, and the secret, which no other response shows', async () => {
    const { session } = merchant;
    const made = await service.call('POST', '/v1/webhook-endpoints', { session, body: { url: url() } });
    expect(made.status).toBe(201);
    expect(made.body.webhook_endpoint).toMatchObject({
      url: url(),
      event_types: ['*'],
      status: 'pending_verification',
      version: 1,
    });
    expect(made.body.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const id = made.body.webhook_endpoint.webhook_endpoint_id;
    const one = await service.call('GET', path(id), { session });
    const list = await service.call('GET', '/v1/webhook-endpoints', { session });
    expect(one.body.webhook_endpoint).toEqual(made.body.webhook_endpoint);
    expect(list.body.webhook_endpoints).toEqual([made.body.webhook_endpoint]);
    expect(one.text + list.text).not.toContain('whsec_');
  });

  it('keeps the secret encrypted: the database does not hold it, nor its bytes', async () => {
    const { endpointId, secret } = await createEndpoint(service, merchant, { url: url() });
    const [row] = await service.db`
      select secret_box, to_json(e)::text as text from webhook_endpoints e
      where webhook_endpoint_id = ${endpointId}`;
    const bytes = Buffer.from(secret.slice('whsec_'.length), 'base64');
    expect(row?.['text']).not.toContain(secret.slice(10, 40));
    expect(row?.['secret_box'].includes(bytes)).toBe(false);
    expect(row?.['text']).not.toContain(bytes.toString('hex'));
  });

  it.each([
    ['ftp://shop.example/x', 'url invalid_format'],
    ['http://shop.example/x', 'url invalid_format'],
    ['https://user:pass@shop.example/', 'url invalid_format'],
    ['https://10.0.0.1/', 'url invalid_format'],
    ['https://[fd00::1]/', 'url invalid_format'],
    ['https://169.254.169.254/latest/meta-data', 'url invalid_format'],
    ['https://0xa9fea9fe/', 'url invalid_format'],
    ['/relative', 'url invalid_format'],
    ['https://shop.example/\\@evil', 'url invalid_format'],
    [`https://shop.example/${'a'.repeat(2_100)}`, 'url too_long'],
  ])('refuses %s', async (bad, issue) => {
    const received = await service.call('POST', '/v1/webhook-endpoints', {
      session: merchant.session,
      body: { url: bad },
    });
    expect(outcome(received)).toBe('400 validation_failed');
    expect(received.body.error.issues.map((i: Body) => `${i.field} ${i.code}`)).toEqual([issue]);
  });

  it('refuses what cannot be subscribed to, and lists every error together', async () => {
    const received = await service.call('POST', '/v1/webhook-endpoints', {
      session: merchant.session,
      body: {
        url: 'gopher://x',
        event_types: ['*', 'webhook.verification', 'payment_request.*', 'payment.*'],
        extra: 1,
      },
    });
    expect(received.status).toBe(400);
    expect(received.body.error.issues.map((i: Body) => `${i.field} ${i.code}`).sort()).toEqual([
      'event_types[1] invalid_enum',
      'event_types[3] invalid_enum',
      'extra unknown_field',
      'url invalid_format',
    ]);
  });

  it('stops at sixteen, even for twenty concurrent requests', async () => {
    const { session } = merchant;
    const made = await Promise.all(
      Array.from({ length: 20 }, () =>
        service.call('POST', '/v1/webhook-endpoints', { session, body: { url: url() } }),
      ),
    );
    const outcomes = made.map(outcome).sort();
    expect(outcomes.slice(0, 16)).toEqual(Array(16).fill('201 ok'));
    expect(outcomes.slice(16)).toEqual(Array(4).fill('409 limit_reached'));
    const [first] = made.filter((answer) => answer.status === 201);
    await succeed(
      service.call('DELETE', path(first?.body.webhook_endpoint.webhook_endpoint_id), { session }),
    );
    const next = await service.call('POST', '/v1/webhook-endpoints', { session, body: { url: url() } });
    expect(next.status).toBe(201);
  });
});

describe('verify', () => {
  it('sends a signed challenge and activates on its echo', async () => {
    const { endpointId, secret } = await createEndpoint(service, merchant, { url: url() });
    const before = receiver.requests.length;
    const received = await verify(endpointId);
    expect(received.status).toBe(200);
    expect(received.body.webhook_endpoint).toMatchObject({ status: 'active', version: 2 });
    const [request] = receiver.requests.slice(before);
    if (!request) throw new Error('nothing was sent');
    const body = verified(request, secret);
    expect(body).toMatchObject({ type: 'webhook.verification', data: { challenge: expect.any(String) } });
    expect(request.headers['webhook-id']).toBe(body.id);
    const [delivery] = await listDeliveries(service, merchant, { webhook_endpoint_id: endpointId });
    expect(delivery).toMatchObject({
      event_id: body.id,
      event_type: 'webhook.verification',
      attempt: 1,
      status: 'delivered',
      http_status: 200,
      error_class: null,
      next_attempt_at: null,
    });
    expect(await auditTypes(endpointId)).toEqual(['webhook_endpoint.created', 'webhook_endpoint.verified']);
  });

  it.each([
    ['with white space around it', (c: string) => `\r\n  ${c}\t\n`],
    ['in a JSON object', (c: string) => JSON.stringify({ challenge: c, ok: true })],
    ['in a JSON object with status 201', (c: string) => `  {"challenge":"${c}"}`],
  ])('accepts the challenge %s', async (_how, echo) => {
    receiver.script((request) => ({
      kind: 'answer',
      status: 201,
      body: echo(challengeIn(request) ?? ''),
    }));
    const { endpointId } = await createEndpoint(service, merchant, { url: url() });
    expect((await verify(endpointId)).body.webhook_endpoint.status).toBe('active');
  });

  const reflections: [string, (text: string, headers: Record<string, string>) => string][] = [
    ['its body', (text) => text],
    ['its body in JSON', (text) => JSON.stringify({ body: text, json: JSON.parse(text) })],
    ['its body in an array', (text) => `[${text}]`],
    ['its body as a JSON string', (text) => JSON.stringify(text)],
    ['its body in a page', (text) => `<pre>${text}</pre>`],
    ['the members of its body', (text) => JSON.stringify({ ok: true, ...JSON.parse(text) })],
    ['its headers', (_text, headers) => JSON.stringify(headers)],
    ['its message id', (_text, headers) => headers['webhook-id'] ?? ''],
  ];
  it.each(reflections)('a receiver that merely reflects %s does not pass', async (_what, reflect) => {
    receiver.script((request) => ({ kind: 'answer', body: reflect(request.text, request.headers) }));
    const { endpointId } = await createEndpoint(service, merchant, { url: url() });
    const received = await verify(endpointId);
    expect(outcome(received)).toBe('409 endpoint_verification_failed');
    expect(received.body.error.details).toMatchObject({
      error_class: 'challenge_mismatch',
      http_status: 200,
    });
    expect(await read(endpointId)).toMatchObject({ status: 'pending_verification', version: 1 });
  });

  it.each([
    ['an error that carries the challenge', 500],
    ['a redirect that carries the challenge', 302],
  ])('%s does not pass', async (_what, status) => {
    receiver.script((request) => ({ kind: 'answer', status, body: challengeIn(request) ?? '' }));
    const { endpointId } = await createEndpoint(service, merchant, { url: url() });
    expect(outcome(await verify(endpointId))).toBe('409 endpoint_verification_failed');
    const [delivery] = await listDeliveries(service, merchant, { webhook_endpoint_id: endpointId });
    expect(delivery).toMatchObject({ status: 'failed', http_status: status, attempt: 1 });
  });

  it('a challenge in front of more than a kilobyte does not pass', async () => {
    receiver.script((request) => ({ kind: 'answer', body: challengeIn(request) + ' '.repeat(2_000) }));
    const { endpointId } = await createEndpoint(service, merchant, { url: url() });
    expect(outcome(await verify(endpointId))).toBe('409 endpoint_verification_failed');
  });

  it('an endpoint that moves while it is being verified is not activated at its new address', async () => {
    const { endpointId } = await createEndpoint(service, merchant, { url: url() });
    let move = (): void => undefined;
    const moved = new Promise<void>((resolve) => {
      move = resolve;
    });
    receiver.script((request) => ({ kind: 'answer', body: challengeIn(request) ?? '', after: moved }));
    const asked = receiver.requests.length;
    const verifying = verify(endpointId);
    await receiver.waitForRequests(asked + 1);
    expect((await change(endpointId, { url: `${url()}/elsewhere`, version: 1 })).status).toBe(200);
    move();
    expect(outcome(await verifying)).toBe('409 endpoint_verification_failed');
    expect((await read(endpointId)).status).toBe('pending_verification');
  });

  it('a name that leads to a private address is 409, and the response names no address', async () => {
    service.dns.set('inside.example', 'A', ['10.9.8.7']);
    const { endpointId } = await createEndpoint(service, merchant, { url: 'https://inside.example/x' });
    const received = await verify(endpointId);
    expect(outcome(received)).toBe('409 endpoint_verification_failed');
    expect(received.body.error.details.error_class).toBe('blocked_address');
    expect(received.text).not.toContain('10.9.8.7');
  });
});

describe('change', () => {
  it('needs the current version', async () => {
    const { endpointId } = await createEndpoint(service, merchant, { url: url() });
    expect(outcome(await change(endpointId, { event_types: ['*'] }))).toBe('400 validation_failed');
    const stale = await change(endpointId, { event_types: ['connection.*'], version: 2 });
    expect(outcome(stale)).toBe('409 version_conflict');
    expect(stale.body.error.details).toEqual({ current_version: 1 });
    expect(outcome(await change(endpointId, { version: 1 }))).toBe('400 validation_failed');
    const done = await change(endpointId, { event_types: ['connection.*'], version: 1 });
    expect(done.body.webhook_endpoint).toMatchObject({ event_types: ['connection.*'], version: 2 });
  });

  it('the audit trail names hosts, not paths, which are often secret', async () => {
    const { endpointId } = await createEndpoint(service, merchant, { url: `${url()}?token=s3cr3t` });
    await succeed(change(endpointId, { url: `${url()}/s3cr3t`, version: 1 }));
    await succeed(service.call('DELETE', path(endpointId), { session: merchant.session }));
    const trail = await service.call('GET', '/v1/audit-events', {
      session: merchant.session,
      query: { target_id: endpointId },
    });
    expect(trail.body.audit_events).toHaveLength(3);
    expect(trail.text).toContain(new URL(receiver.url).host);
    expect(trail.text).not.toContain('s3cr3t');
  });

  it('a new url has to be verified again', async () => {
    const { endpointId, version } = await activeEndpoint(service, merchant, receiver);
    const moved = await change(endpointId, { url: `${url()}/2`, version });
    expect(moved.body.webhook_endpoint).toMatchObject({
      url: `${url()}/2`,
      status: 'pending_verification',
      version: version + 1,
    });
    const same = await change(endpointId, { url: `${url()}/2`, version: version + 1 });
    expect(same.body.webhook_endpoint.version).toBe(version + 1);
    expect((await verify(endpointId)).body.webhook_endpoint.status).toBe('active');
  });

  it('active is only reached from disabled, and only with a correct response to a new challenge', async () => {
    const { endpointId } = await createEndpoint(service, merchant, { url: url() });
    const early = await change(endpointId, { status: 'active', version: 1 });
    expect(outcome(early)).toBe('409 invalid_status_transition');
    expect(early.body.error.details).toEqual({
      from: 'pending_verification',
      to: 'active',
      allowed: ['disabled'],
    });
    const { version } = (await verify(endpointId)).body.webhook_endpoint;
    const disabled = await change(endpointId, { status: 'disabled', version });
    expect(disabled.body.webhook_endpoint.status).toBe('disabled');

    receiver.script({ kind: 'answer', body: 'no' });
    const refused = await change(endpointId, { status: 'active', version: version + 1 });
    expect(outcome(refused)).toBe('409 endpoint_verification_failed');
    expect((await read(endpointId)).status).toBe('disabled');

    receiver.script(answering());
    const enabled = await change(endpointId, { status: 'active', version: version + 1 });
    expect(enabled.body.webhook_endpoint).toMatchObject({ status: 'active', version: version + 2 });
    expect(await auditTypes(endpointId)).toEqual([
      'webhook_endpoint.created',
      'webhook_endpoint.verified',
      'webhook_endpoint.disabled',
      'webhook_endpoint.verified',
    ]);
  });

  it('verify brings a disabled endpoint back too, and a repeated activation changes nothing', async () => {
    const { endpointId, version } = await activeEndpoint(service, merchant, receiver);
    await succeed(change(endpointId, { status: 'disabled', version }));
    expect((await verify(endpointId)).body.webhook_endpoint.status).toBe('active');
    const again = await change(endpointId, { status: 'active', version: version + 2 });
    expect(again.body.webhook_endpoint).toMatchObject({ status: 'active', version: version + 2 });
  });

  it('refuses other statuses and addresses like create', async () => {
    const { endpointId } = await createEndpoint(service, merchant, { url: url() });
    const received = await change(endpointId, {
      status: 'pending_verification',
      url: 'https://192.168.0.1/',
      version: 1,
    });
    expect(received.body.error.issues.map((i: Body) => `${i.field} ${i.code}`).sort()).toEqual([
      'status invalid_enum',
      'url invalid_format',
    ]);
  });

  it('of two concurrent changes one wins, the other gets the version', async () => {
    const { endpointId } = await createEndpoint(service, merchant, { url: url() });
    const both = await Promise.all([
      change(endpointId, { event_types: ['connection.*'], version: 1 }),
      change(endpointId, { event_types: ['recipient.*'], version: 1 }),
    ]);
    expect(both.map(outcome).sort()).toEqual(['200 ok', '409 version_conflict']);
  });
});
