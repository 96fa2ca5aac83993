import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { activeMerchant, activePayee } from '@payassent/proof/people/sdk';
import { type PayAssent, payassent } from '@payassent/proof/service/command';
import { serviceForTest } from '@payassent/proof/service/service';
import { startHttpReceiver, type TestReceiver } from '@payassent/proof/surroundings/http-receiver';
import { signWebhook } from '@payassent/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let cli: PayAssent;
let target: TestReceiver;

beforeAll(async () => {
  [cli, target] = await Promise.all([payassent(), startHttpReceiver()]);
});

afterAll(async () => {
  await Promise.all([cli.remove(), target.close()]);
});

const secret = `whsec_${randomBytes(32).toString('base64')}`;

describe('listen', () => {
  it('deletes its endpoint at the end with a session that came by stdin', async () => {
    const service = await serviceForTest();
    const { merchant } = await activeMerchant(service);
    const input = merchant.sessions.cookie() ?? '';
    const args = ['listen', '--json', '--base-url', service.url, '--session-cookie', '-'];
    const running = cli.start(args, { input });
    await running.line('listening');
    expect((await merchant.webhooks.list()).webhook_endpoints).toHaveLength(1);
    expect((await running.stop()).stderr).toBe('');
    expect((await merchant.webhooks.list()).webhook_endpoints).toEqual([]);
  });
});

describe('webhooks listen', () => {
  it('lets an endpoint be verified, and passes its messages on with their headers', async () => {
    const service = await serviceForTest();
    const { merchant, domainId } = await activeMerchant(service);
    const probe = await startHttpReceiver();
    const port = probe.port;
    await probe.close();
    const made = await merchant.webhooks.create({ url: `http://127.0.0.1:${port}/hook` });
    const forward = `${target.url}/app?from=listen`;
    const running = cli.start(
      [
        'webhooks',
        'listen',
        '--port',
        String(port),
        '--secret',
        '-',
        '--forward',
        forward,
        '--count',
        '1',
        '--json',
      ],
      { input: made.secret },
    );
    expect(await running.line('listening')).toMatchObject({ url: `http://127.0.0.1:${port}/`, forward });
    const { webhook_endpoint } = await merchant.webhooks.verify(made.webhook_endpoint.webhook_endpoint_id);
    expect(webhook_endpoint.status).toBe('active');
    target.script({ kind: 'answer', status: 202 });
    await activePayee(merchant, domainId);
    const ended = await running.ended;
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(ended.lines.map(({ type }) => type)).toEqual(['listening', 'challenge', 'message']);
    expect(ended.lines[2]).toMatchObject({ verified: true, repeated: false, status: 202 });
    expect(ended.lines[2].event.type).toBe('recipient.version_activated');
    expect(ended.stdout).not.toContain(made.secret);

    const [passed] = target.requests;
    expect(target.requests).toHaveLength(1);
    expect(passed).toMatchObject({ method: 'POST', path: '/app?from=listen' });
    expect(JSON.parse(passed?.text ?? '')).toEqual(ended.lines[2].event);
    expect(passed?.headers).toMatchObject({
      'webhook-id': ended.lines[2].event.id,
      'webhook-signature': expect.stringMatching(/^v1,/),
      'content-type': 'application/json',
      host: new URL(target.url).host,
    });
  });

  it('names the check that failed and forwards nothing of it; genuine bytes pass unchanged', async () => {
    const secretFile = join(cli.env['HOME'] ?? '', 'secrets');
    const old = `whsec_${randomBytes(32).toString('base64')}`;
    await writeFile(secretFile, `${secret}\n${old}\n`, { mode: 0o600 });
    const before = target.requests.length;
    const running = cli.start([
      ...['webhooks', 'listen', '--json', '--port', '0', '--secret-file', secretFile],
      ...['--forward', `${target.url}/exact`],
    ]);
    const { url } = await running.line('listening');
    // Bytes that any reformatting would change: spaces, escapes, an unusual order.
    const event = { timestamp: '2026-01-01T00:00:00.000Z', id: 'evt_1', type: 'connection.paused', data: {} };
    const body = Buffer.from(`  ${JSON.stringify(event).replace('paused', 'p\\u0061used')}\n`);
    const now = Math.floor(Date.now() / 1000);
    const post = (headers: Record<string, string>, bytes = body) =>
      fetch(url, {
        method: 'POST',
        body: bytes,
        headers: { 'content-type': 'application/json', ...headers },
      });
    const signed = (by: string, timestampSeconds = now, id = 'evt_1') => ({
      ...signWebhook({ id, timestampSeconds, body, secrets: [by] }),
    });
    target.script({ kind: 'answer', status: 503 });
    expect((await post({})).status).toBe(400);
    expect((await post(signed(`whsec_${randomBytes(32).toString('base64')}`))).status).toBe(400);
    expect((await post(signed(secret, now - 900))).status).toBe(400);
    expect((await post(signed(secret), Buffer.concat([body, Buffer.from(' ')]))).status).toBe(400);
    expect((await post(signed(secret, now, 'evt_2'))).status).toBe(400);
    expect(target.requests).toHaveLength(before);
    // Both secrets of a rotation count, and the target's status is the response.
    expect((await post(signed(old))).status).toBe(503);
    expect((await post({ ...signed(secret), 'x-extra': 'kept' })).status).toBe(503);
    expect(target.requests.slice(before).map((request) => request.body)).toEqual([body, body]);
    expect(target.requests.at(-1)?.headers['x-extra']).toBe('kept');
    const ended = await running.stop();
    expect(ended).toMatchObject({ code: 0 });
    expect(ended.lines.slice(1).map(({ reason, repeated }) => reason ?? repeated)).toEqual([
      'header_missing',
      'signature_mismatch',
      'timestamp_too_old',
      'signature_mismatch',
      'id_mismatch',
      false,
      true,
    ]);
  });

  it('returns 502 when the target is away, and refuses wrong settings with 2', async () => {
    const away = await startHttpReceiver();
    await away.close();
    const running = cli.start(['webhooks', 'listen', '--port', '0', '--forward', `${away.url}/`, '--json'], {
      env: { PAYASSENT_WEBHOOK_SECRET: secret },
    });
    const { url } = await running.line('listening');
    const body = JSON.stringify({ id: 'evt_3', type: 'connection.paused', timestamp: 'now', data: {} });
    const timestampSeconds = Math.floor(Date.now() / 1000);
    const headers = { ...signWebhook({ id: 'evt_3', timestampSeconds, body, secrets: [secret] }) };
    expect((await fetch(url, { method: 'POST', body, headers })).status).toBe(502);
    const message = await running.line('message');
    expect(message).toMatchObject({ status: 502, forward_fault: 'ECONNREFUSED' });
    const port = new URL(url).port;
    const [taken, elsewhere, none, wrong] = await Promise.all([
      cli.here(['webhooks', 'listen', '--port', port, '--secret', secret, '--json']),
      // TEST-NET-3: no machine has this address.
      cli.here(['webhooks', 'listen', '--host', '203.0.113.1', '--secret', secret, '--json']),
      cli.here(['webhooks', 'listen']),
      cli.here(['webhooks', 'listen', '--secret', 'whsec_short']),
    ]);
    await running.stop();
    expect(taken).toMatchObject({ code: 1 });
    expect(taken.lines[0].error).toMatchObject({
      code: 'listen_failed',
      message: expect.stringContaining('EADDRINUSE'),
      advice: 'Choose another --port.',
    });
    expect(elsewhere.lines[0].error).toMatchObject({
      code: 'listen_failed',
      advice: 'Choose another --host.',
    });
    expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining('--secret-file') });
    expect(wrong).toMatchObject({ code: 2, stderr: expect.not.stringContaining('whsec_short') });
  });
});
