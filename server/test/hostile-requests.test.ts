import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { rawAnswer } from '@payassent/proof/service/client';
import { startService, type TestService } from '@payassent/proof/service/service';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

/** A mutation that needs no credential, so that the body is judged. */
const PATH = '/v1/merchant-accounts/registrations';

const send = (rawBody: string | Uint8Array, headers: Record<string, string> = {}) =>
  service.call('POST', PATH, { rawBody, headers });

describe('hostile bodies', () => {
  it.each<[string, string | Uint8Array, Record<string, string>, number, string]>([
    ['truncated JSON', '{"email":', {}, 400, 'invalid_json'],
    ['invalid UTF-8', Buffer.from([0x7b, 0xff, 0x7d]), {}, 400, 'invalid_json'],
    ['a byte order mark', '\uFEFF{"email":"a@b.example"}', {}, 400, 'invalid_json'],
    ['duplicate keys', '{"email":"a@b.example","email":"c@d.example"}', {}, 400, 'invalid_json'],
    ['U+0000', '{"email":"a\\u0000@b.example"}', {}, 400, 'invalid_json'],
    ['a lone surrogate', '{"email":"\\ud800@b.example"}', {}, 400, 'invalid_json'],
    ['10,000 levels', '['.repeat(10_000) + ']'.repeat(10_000), {}, 400, 'invalid_json'],
    [
      '100,000 keys',
      `{${Array.from({ length: 100_000 }, (_, i) => `"${i}":0`).join()}}`,
      {},
      413,
      'payload_too_large',
    ],
    ['2 MB', `{"email":"${'a'.repeat(2_000_000)}"}`, {}, 413, 'payload_too_large'],
    ['64 KiB and one byte', `${' '.repeat(64 * 1024 - 1)}{}`, {}, 413, 'payload_too_large'],
    ['text/plain', '{}', { 'content-type': 'text/plain' }, 415, 'unsupported_media_type'],
    [
      'a form',
      'email=a',
      { 'content-type': 'application/x-www-form-urlencoded' },
      415,
      'unsupported_media_type',
    ],
    ['a strange content type', '{}', { 'content-type': 'nonsense' }, 415, 'unsupported_media_type'],
    [
      'another charset',
      '{}',
      { 'content-type': 'application/json; charset=latin1' },
      415,
      'unsupported_media_type',
    ],
    ['a compressed body', gzipSync('{}'), { 'content-encoding': 'gzip' }, 415, 'unsupported_media_type'],
    ['an array', '[]', {}, 400, 'validation_failed'],
    ['null', 'null', {}, 400, 'validation_failed'],
    ['__proto__', '{"email":"a@b.example","__proto__":{"x":1}}', {}, 400, 'validation_failed'],
  ])('%s', async (_name, body, headers, status, code) => {
    const received = await send(body, headers);
    expect([received.status, received.body?.error?.code]).toEqual([status, code]);
    expect(received.body.ok).toBe(false);
    expect(received.body.error.request_id).toBe(received.headers.get('x-request-id'));
  });

  it('the largest body is accepted, up to the last byte', async () => {
    const body = '{"email":"largest@b.example"}';
    expect((await send(' '.repeat(64 * 1024 - body.length) + body)).status).toBe(202);
  });

  it('every issue comes back in one list', async () => {
    const received = await service.call('POST', PATH, {
      body: { merchant_id: 'x', surprise: 1 },
      query: { tenant_id: 'y' },
    });
    expect(received.status).toBe(400);
    expect(
      received.body.error.issues
        .map((issue: { field: string; code: string }) => [issue.field, issue.code])
        .sort(),
    ).toEqual([
      ['email', 'required'],
      ['merchant_id', 'identity_field_forbidden'],
      ['surprise', 'unknown_field'],
      ['tenant_id', 'identity_field_forbidden'],
    ]);
    expect(received.body.error.field).toBe(received.body.error.issues[0].field);
  });
});

describe('correlation', () => {
  it('echoes a printable id and replaces any other', async () => {
    const echoed = await service.call('GET', '/v1/errors', { headers: { 'x-request-id': 'my id/1' } });
    expect(echoed.headers.get('x-request-id')).toBe('my id/1');
    const replaced = await service.call('GET', '/v1/nothing', {
      headers: { 'x-request-id': 'x'.repeat(161) },
    });
    expect(replaced.body.error.request_id).toMatch(/^req_[0-9a-f]{24}$/);
  });
});

describe('identifiers in paths', () => {
  it.each([
    ['160 emoji', encodeURIComponent('😀'.repeat(160))],
    ['an encoded slash', 'a%2Fb'],
    ['U+0000', 'a%00b'],
  ])('%s reach the credential check', async (name, id) => {
    const received = await service.call('GET', `/v1/recipients/${id}`);
    expect([name, received.status]).toEqual([name, 401]);
  });
});

/** Writes raw bytes slowly, until the server hangs up. */
function slowClient(first: string, drip: string, everyMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(service.url);
    const socket = connect(Number(port), hostname, () => socket.write(first));
    const timer = setInterval(() => socket.write(drip), everyMs);
    const giveUp = setTimeout(() => reject(new Error('the server never hung up')), 60_000);
    socket.on('error', () => {});
    socket.resume();
    socket.on('close', () => {
      clearInterval(timer);
      clearTimeout(giveUp);
      resolve();
    });
  });
}

describe('bytes that are no request', () => {
  it.each([
    ['no HTTP at all', 'hello\r\n\r\n', 400],
    [
      'two lengths',
      `POST ${PATH} HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n{}`,
      400,
    ],
    ['a header of 20 KiB', `GET /health HTTP/1.1\r\nhost: x\r\nx-long: ${'a'.repeat(20_480)}\r\n\r\n`, 431],
  ])('%s', async (_name, bytes, status) => {
    const text = await rawAnswer(service.url, bytes);
    expect(text).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(JSON.parse(text.slice(text.indexOf('\r\n\r\n')))).toMatchObject({
      ok: false,
      error: { code: 'invalid_json' },
    });
    expect(text).toMatch(/\r\ncache-control: no-store\r\n/i);
    expect(text).toMatch(/\r\nx-request-id: req_\w+\r\n/i);
  });
});

describe('slow clients are cut', () => {
  it('slow headers and slow bodies', async () => {
    const head = `POST ${PATH} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n`;
    // They continue for a minute, which the server does not give them.
    await Promise.all([
      slowClient(head, 'x-a: b\r\n', 500),
      slowClient(`${head}content-length: 1000\r\n\r\n{`, ' ', 500),
    ]);
  });
});
