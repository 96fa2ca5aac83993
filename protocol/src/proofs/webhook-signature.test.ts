import { generateKeyPairSync, type KeyObject, sign as signBytes } from 'node:crypto';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { formatWebhookSecret } from '../tokens.ts';
import { signWebhook, verifyWebhook, type WebhookKey } from './webhook-signature.ts';

const SECRET = formatWebhookSecret(new Uint8Array(32).fill(1));
const OTHER = formatWebhookSecret(new Uint8Array(32).fill(2));
const NOW = 1_767_323_045;
const BODY = '{"id":"evt_1","type":"payment_request.signed"}';
const sign = (secrets = [SECRET], timestampSeconds = NOW) =>
  signWebhook({ id: 'evt_1', timestampSeconds, body: BODY, secrets });
const verify = (headers: Record<string, string | string[] | undefined>, options = {}) =>
  verifyWebhook({ headers, body: BODY, secrets: [SECRET], nowMs: NOW * 1000, ...options });
const reason = (result: ReturnType<typeof verifyWebhook>) => (result.ok ? 'ok' : result.reason);

describe('webhook signature and the standardwebhooks library', () => {
  it('the library verifies what we sign, for any body', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.uint8Array({ minLength: 32, maxLength: 32 }),
        (text, key) => {
          const body = JSON.stringify({ text });
          const secret = formatWebhookSecret(key);
          const headers = signWebhook({
            id: 'evt_2',
            timestampSeconds: Math.floor(Date.now() / 1000),
            body,
            secrets: [secret],
          });
          expect(new Webhook(secret).verify(body, { ...headers })).toEqual({ text });
        },
      ),
      { numRuns: 30 },
    );
  });

  it('we verify what the library signs, for any body', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (body) => {
        const headers = {
          'webhook-id': 'evt_3',
          'webhook-timestamp': String(NOW),
          'webhook-signature': new Webhook(SECRET).sign('evt_3', new Date(NOW * 1000), body),
        };
        expect(verify(headers, { body })).toEqual({ ok: true, id: 'evt_3', timestampSeconds: NOW });
      }),
      { numRuns: 30 },
    );
  });

  it('during a rotation a receiver with either secret accepts', () => {
    const timestampSeconds = Math.floor(Date.now() / 1000);
    const headers = signWebhook({ id: 'evt_4', timestampSeconds, body: BODY, secrets: [OTHER, SECRET] });
    for (const secret of [SECRET, OTHER])
      expect(new Webhook(secret).verify(BODY, { ...headers })).toEqual(JSON.parse(BODY));
  });
});

describe('webhook verification', () => {
  it('accepts with any of several secrets and refuses with none of them', () => {
    expect(verify({ ...sign() }).ok).toBe(true);
    expect(verify({ ...sign() }, { secrets: [OTHER, SECRET] }).ok).toBe(true);
    expect(verify({ ...sign([OTHER, SECRET]) }).ok).toBe(true);
    expect(reason(verify({ ...sign() }, { secrets: [OTHER] }))).toBe('signature_mismatch');
  });

  it('covers id, timestamp and every byte of the body', () => {
    const headers = sign();
    expect(reason(verify({ ...headers, 'webhook-id': 'evt_2' }))).toBe('signature_mismatch');
    expect(reason(verify({ ...headers, 'webhook-timestamp': String(NOW + 1) }))).toBe('signature_mismatch');
    expect(reason(verify({ ...headers }, { body: `${BODY} ` }))).toBe('signature_mismatch');
    expect(verify({ ...headers }, { body: new TextEncoder().encode(BODY) }).ok).toBe(true);
  });

  it('allows five minutes on both sides and not a second more', () => {
    for (const [offset, expected] of [
      [300, 'ok'],
      [301, 'timestamp_too_new'],
      [-300, 'ok'],
      [-301, 'timestamp_too_old'],
    ] as const) {
      expect(reason(verify({ ...sign([SECRET], NOW + offset) }))).toBe(expected);
    }
    expect(reason(verify({ ...sign([SECRET], NOW - 11) }, { toleranceSeconds: 10 }))).toBe(
      'timestamp_too_old',
    );
  });

  it('reads header names in any case and refuses missing, repeated or malformed ones', () => {
    const headers = sign();
    expect(
      verify({
        'Webhook-Id': 'evt_1',
        'WEBHOOK-TIMESTAMP': String(NOW),
        'Webhook-Signature': headers['webhook-signature'],
      }).ok,
    ).toBe(true);
    for (const name of Object.keys(headers))
      expect(reason(verify({ ...headers, [name]: undefined }))).toBe('header_missing');
    expect(reason(verify({ ...headers, 'Webhook-Id': 'evt_2' }))).toBe('header_missing');
    expect(reason(verify({ ...headers, 'webhook-id': ['evt_1', 'evt_2'] }))).toBe('header_missing');
    expect(verify({ ...headers, 'webhook-id': ['evt_1'] }).ok).toBe(true);
    for (const bad of ['x', '1e9', ' 1', '-1', '01', `${NOW}.0`, '9'.repeat(16)]) {
      expect(reason(verify({ ...headers, 'webhook-timestamp': bad })), bad).toBe('timestamp_malformed');
    }
  });

  it('ignores signatures of other versions and refuses malformed ones', () => {
    const signature = sign()['webhook-signature'];
    const withSignature = (text: string) => verify({ ...sign(), 'webhook-signature': text });
    expect(withSignature(`v1a,xyz v2,abc ${signature}`).ok).toBe(true);
    for (const bad of [
      'v1,',
      'v1',
      signature.replace('v1,', 'v2,'),
      signature.slice(3),
      signature.slice(0, -2),
      'v1,AAAA',
    ]) {
      expect(reason(withSignature(bad)), bad).toBe('signature_mismatch');
    }
  });

  it('refuses secrets that are not ours instead of signing with an empty key', () => {
    for (const secrets of [[], ['whsec_'], ['x'], [SECRET, '']]) {
      expect(reason(verify({ ...sign() }, { secrets }))).toBe('secret_malformed');
      expect(() => signWebhook({ id: 'e', timestampSeconds: 1, body: '', secrets })).toThrow(RangeError);
    }
    expect(() => sign([SECRET], 1.5)).toThrow(RangeError);
  });
});

describe('signatures of the service itself', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const raw = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url');
  const key = { publicKey: raw, fromMs: (NOW - 1000) * 1000, untilMs: Number.POSITIVE_INFINITY };
  const signedBy = (signer: KeyObject, secrets = [SECRET]) =>
    signWebhook({
      id: 'evt_1',
      timestampSeconds: NOW,
      body: BODY,
      secrets,
      ed25519: (head, body) => signBytes(null, Buffer.from(`${head}${body}`), signer).toString('base64'),
    });
  const withKeys = (headers: object, publicKeys: WebhookKey[] = [key], options = {}) =>
    verify({ ...headers }, { secrets: [], publicKeys, ...options });

  it('come after those of the secrets, which the public library continues to verify', () => {
    const headers = signedBy(privateKey, [OTHER, SECRET]);
    expect(headers['webhook-signature'].split(' ').map((one) => one.split(',')[0])).toEqual([
      'v1',
      'v1',
      'v1a',
    ]);
    const now = Math.floor(Date.now() / 1000);
    const fresh = signWebhook({
      id: 'e',
      timestampSeconds: now,
      body: BODY,
      secrets: [SECRET],
      ed25519: () => 'AA==',
    });
    expect(new Webhook(SECRET).verify(BODY, { ...fresh })).toEqual(JSON.parse(BODY));
  });

  it('verify without a secret, over id, time and body', () => {
    const headers = signedBy(privateKey);
    expect(withKeys(headers)).toEqual({ ok: true, id: 'evt_1', timestampSeconds: NOW, by: 'key' });
    expect(verify({ ...headers }, { publicKeys: [key] })).not.toHaveProperty('by');
    expect(withKeys(headers, [{ ...key, publicKey: new Uint8Array(32).fill(9) }, key]).ok).toBe(true);
    for (const changed of [{ 'webhook-id': 'evt_2' }, { 'webhook-timestamp': String(NOW + 1) }])
      expect(reason(withKeys({ ...headers, ...changed }))).toBe('signature_mismatch');
    expect(reason(withKeys(headers, [key], { body: `${BODY} ` }))).toBe('signature_mismatch');
    expect(reason(withKeys(signedBy(generateKeyPairSync('ed25519').privateKey)))).toBe('signature_mismatch');
    expect(reason(withKeys(sign()))).toBe('signature_mismatch');
    // The versions are not interchangeable.
    const [, , made = ''] = headers['webhook-signature'].split(/[ ,]v1a?,|^v1,/);
    expect(reason(withKeys({ ...headers, 'webhook-signature': `v1,${made}` }))).toBe('signature_mismatch');
  });

  it('count while their key is in use, give or take the clocks, and only the first few of a list', () => {
    const headers = signedBy(privateKey);
    const at = (fromS: number, untilS: number) =>
      reason(withKeys(headers, [{ ...key, fromMs: (NOW + fromS) * 1000, untilMs: (NOW + untilS) * 1000 }]));
    expect([at(-10, 10), at(-1000, -300), at(300, 1000)]).toEqual(['ok', 'ok', 'ok']);
    expect([at(-1000, -301), at(301, 1000)]).toEqual(['signature_mismatch', 'signature_mismatch']);
    const wrong = `v1a,${Buffer.alloc(64, 1).toString('base64')} `;
    const [, made = ''] = headers['webhook-signature'].split(' ');
    expect(withKeys({ ...headers, 'webhook-signature': wrong.repeat(3) + made }).ok).toBe(true);
    expect(withKeys({ ...headers, 'webhook-signature': wrong.repeat(4) + made }).ok).toBe(false);
  });
});
