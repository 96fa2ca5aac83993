import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { ed25519PublicKey } from './ed25519.ts';
import { PUBLIC_KEY_FAULTS, parsePublicKey } from './public-key.ts';

const seed = Uint8Array.from({ length: 32 }, (_, i) => i + 1);
const key = ed25519PublicKey(seed);
const raw = Buffer.from(key);
const spki = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), raw]);
const pem = (label: string, der: Buffer) =>
  `-----BEGIN ${label}-----\n${der.toString('base64')}\n-----END ${label}-----\n`;
const reason = (text: string) => {
  const parsed = parsePublicKey(text);
  return parsed.ok ? 'ok' : parsed.reason;
};

describe('public keys', () => {
  it.each([
    ['base64url', raw.toString('base64url')],
    ['base64', raw.toString('base64')],
    ['base64 without padding', raw.toString('base64').slice(0, -1)],
    ['hex', raw.toString('hex')],
    ['upper-case hex', raw.toString('hex').toUpperCase()],
    ['SPKI PEM', pem('PUBLIC KEY', spki)],
    ['SPKI PEM with CRLF', pem('PUBLIC KEY', spki).replaceAll('\n', '\r\n')],
    ['with space around', `  ${raw.toString('hex')}\n`],
  ])('are read as %s', (_, text) => {
    expect(parsePublicKey(text)).toEqual({ ok: true, bytes: key });
  });

  it('are read from what OpenSSL exports', () => {
    const { publicKey } = generateKeyPairSync('ed25519');
    const expected = new Uint8Array(Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url'));
    expect(parsePublicKey(publicKey.export({ format: 'pem', type: 'spki' }).toString())).toEqual({
      ok: true,
      bytes: expected,
    });
  });
});

describe('private keys are recognised and named', () => {
  const { privateKey } = generateKeyPairSync('ed25519');
  const pkcs8 = privateKey.export({ format: 'der', type: 'pkcs8' });
  const secret = Buffer.concat([Buffer.from(seed), raw]);
  const rsa = generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey;

  it.each([
    ['PKCS8 PEM', privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()],
    ['a truncated PEM', '-----BEGIN PRIVATE KEY-----\nMC4C'],
    [
      'an OpenSSH PEM',
      '-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAA\n-----END OPENSSH PRIVATE KEY-----',
    ],
    ['an encrypted PEM', '-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----'],
    ['an RSA PEM', rsa.export({ format: 'pem', type: 'pkcs1' }).toString()],
    ['PKCS8 under the label of a public key', pem('PUBLIC KEY', pkcs8)],
    ['PKCS8 as bare base64', pkcs8.toString('base64')],
    ['PKCS8 as hex', pkcs8.toString('hex')],
    ['a JWK with d', JSON.stringify(privateKey.export({ format: 'jwk' }))],
    ['a spaced JWK with d', JSON.stringify({ kty: 'OKP', d: 'x' }, null, 2)],
    ['broken JSON with d', '{"kty":"OKP","d" : "abc"'],
    ['a 64-byte secret key as hex', secret.toString('hex')],
    ['a 64-byte secret key as base64', secret.toString('base64')],
    ['a 64-byte secret key as base64url', secret.toString('base64url')],
    ['a Stellar seed', `S${'A'.repeat(55)}`],
  ])('%s', (_, text) => {
    expect(reason(text)).toBe('private_key');
  });

  it('and the message names the next step', () => {
    expect(PUBLIC_KEY_FAULTS.private_key).toMatch(/private key.*replace/);
  });
});

describe('everything else is refused with its reason', () => {
  it.each([
    ['', 'malformed'],
    ['not a key', 'malformed'],
    ['{"kty":"OKP","x":"abc"}', 'malformed'],
    [`ssh-ed25519 ${'A'.repeat(68)}`, 'malformed'],
    [`${raw.toString('base64url')}!`, 'malformed'],
    ['-----BEGIN PUBLIC KEY-----\n!!\n-----END PUBLIC KEY-----', 'malformed'],
    ['-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----', 'malformed'],
    [raw.subarray(1).toString('hex'), 'wrong_length'],
    [Buffer.concat([raw, raw.subarray(0, 1)]).toString('base64url'), 'wrong_length'],
    [spki.toString('base64'), 'wrong_length'],
    [pem('PUBLIC KEY', Buffer.concat([spki, Buffer.from([0])])), 'wrong_length'],
    [
      generateKeyPairSync('x25519').publicKey.export({ format: 'pem', type: 'spki' }).toString(),
      'wrong_algorithm',
    ],
    [
      generateKeyPairSync('ec', { namedCurve: 'P-256' })
        .publicKey.export({ format: 'pem', type: 'spki' })
        .toString(),
      'wrong_algorithm',
    ],
    ['02'.padEnd(64, '0'), 'not_on_curve'],
    [`ed${'f'.repeat(60)}7f`, 'non_canonical_point'],
    ['01'.padEnd(64, '0'), 'small_order_point'],
    [pem('PUBLIC KEY', Buffer.concat([spki.subarray(0, 12), Buffer.alloc(32)])), 'small_order_point'],
  ])('%s', (text, expected) => {
    expect(reason(text)).toBe(expected);
  });

  it('spare bits of base64 are not ignored', () => {
    const canonical = Buffer.alloc(32, 0x11).toString('base64url');
    const other = `${canonical.slice(0, -1)}${String.fromCharCode(canonical.charCodeAt(42) + 1)}`;
    expect(Buffer.from(other, 'base64url')).toEqual(Buffer.alloc(32, 0x11));
    expect(reason(other)).toBe('malformed');
  });
});
