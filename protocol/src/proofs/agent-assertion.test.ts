import { generateKeyPairSync } from 'node:crypto';
import { exportJWK, importJWK, jwtVerify, SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import * as assertions from './agent-assertion.ts';
import {
  buildAssertion,
  isAssertionAudience,
  judgeAssertionTimes,
  parseAssertion,
  verifyAssertionSignature,
} from './agent-assertion.ts';
import { ed25519PublicKey, signEd25519 } from './ed25519.ts';

const SEED = new Uint8Array(32).fill(42);
const KEY = ed25519PublicKey(SEED);
const AGENT = 'agt_01ARYZ6S410000000000000000';
const NOW_MS = 1_767_323_045_678;
const NOW = Math.floor(NOW_MS / 1000);
const HEADER = { alg: 'EdDSA', typ: 'JWT', kid: 'k1' };
const CLAIMS = { iss: AGENT, sub: AGENT, aud: 'http://127.0.0.1:8787', iat: NOW, exp: NOW + 60, jti: 'j1' };

const encode = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
const compact = (header: unknown, claims: unknown, seed = SEED) => {
  const signed = `${encode(header)}.${encode(claims)}`;
  return `${signed}.${Buffer.from(signEd25519(new TextEncoder().encode(signed), seed)).toString('base64url')}`;
};
const reason = (text: string) => {
  const parsed = parseAssertion(text);
  return parsed.ok ? 'ok' : parsed.reason;
};
const without = (object: object, name: string) =>
  Object.fromEntries(Object.entries(object).filter(([key]) => key !== name));

describe('agent assertion, built', () => {
  it('parses back and verifies with the key that signed it only', async () => {
    const text = await buildAssertion({
      agentId: AGENT,
      kid: 'k1',
      audience: 'http://127.0.0.1:8787',
      jti: 'once',
      nowMs: NOW_MS,
      sign: async (bytes) => signEd25519(bytes, SEED),
    });
    const parsed = parseAssertion(text);
    expect(parsed).toMatchObject({
      ok: true,
      assertion: {
        header: { alg: 'EdDSA', kid: 'k1', typ: 'svc-agent-assertion+jwt' },
        claims: { iss: AGENT, sub: AGENT, iat: NOW, exp: NOW + 120, jti: 'once' },
      },
    });
    if (!parsed.ok) return;
    expect(verifyAssertionSignature(parsed.assertion, KEY)).toBe(true);
    expect(verifyAssertionSignature(parsed.assertion, ed25519PublicKey(new Uint8Array(32)))).toBe(false);
  });

  it('is accepted by jose, and we accept what jose signs', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const jwk = await exportJWK(privateKey);
    const seed = new Uint8Array(Buffer.from(jwk.d ?? '', 'base64url'));
    const ours = await buildAssertion({
      agentId: AGENT,
      kid: 'k1',
      audience: 'https://pay.example',
      jti: 'a',
      nowMs: Date.now(),
      sign: (bytes) => signEd25519(bytes, seed),
    });
    const read = await jwtVerify(ours, await importJWK({ ...jwk, d: undefined } as never, 'EdDSA'), {
      issuer: AGENT,
      audience: 'https://pay.example',
    });
    expect(read.payload.jti).toBe('a');

    for (const alg of ['EdDSA', 'Ed25519']) {
      const theirs = await new SignJWT({ jti: 'b' })
        .setProtectedHeader({ alg, kid: 'k1' })
        .setIssuer(AGENT)
        .setSubject(AGENT)
        .setAudience('https://pay.example')
        .setIssuedAt()
        .setExpirationTime('2m')
        .sign(privateKey);
      const parsed = parseAssertion(theirs);
      const raw = new Uint8Array(Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url'));
      expect(parsed.ok && verifyAssertionSignature(parsed.assertion, raw), alg).toBe(true);
    }
  });

  it('is never built in a form that would be refused', async () => {
    const good = {
      agentId: AGENT,
      kid: 'k',
      audience: 'x',
      jti: 'j',
      nowMs: NOW_MS,
      sign: () => new Uint8Array(64),
    };
    for (const bad of [
      { lifetimeSeconds: 301 },
      { lifetimeSeconds: 0 },
      { kid: '' },
      { jti: '' },
      { jti: 'x'.repeat(161) },
      { agentId: '' },
    ]) {
      await expect(buildAssertion({ ...good, ...bad })).rejects.toThrow(RangeError);
    }
  });
});

describe('agent assertion, parsed', () => {
  it('accepts both algorithm names and the three allowed types', () => {
    for (const alg of ['EdDSA', 'Ed25519']) expect(reason(compact({ ...HEADER, alg }, CLAIMS))).toBe('ok');
    for (const typ of ['JWT', 'svc-agent-assertion+jwt'])
      expect(reason(compact({ ...HEADER, typ }, CLAIMS))).toBe('ok');
    expect(reason(compact(without(HEADER, 'typ'), CLAIMS))).toBe('ok');
    expect(reason(compact({ ...HEADER, cty: 'x' }, { ...CLAIMS, scope: 'ignored' }))).toBe('ok');
  });

  it.each([
    [{ alg: 'none' }, 'alg_not_allowed'],
    [{ alg: 'HS256' }, 'alg_not_allowed'],
    [{ alg: 'ES256' }, 'alg_not_allowed'],
    [{ alg: 'eddsa' }, 'alg_not_allowed'],
    [{ alg: ['EdDSA'] }, 'alg_not_allowed'],
    [{ typ: 'at+jwt' }, 'typ_not_allowed'],
    [{ typ: null }, 'typ_not_allowed'],
    [{ kid: undefined }, 'kid_invalid'],
    [{ kid: '' }, 'kid_invalid'],
    [{ kid: 'x'.repeat(161) }, 'kid_invalid'],
    [{ kid: 'ü' }, 'kid_invalid'],
    [{ kid: 'a\nb' }, 'kid_invalid'],
    [{ kid: 7 }, 'kid_invalid'],
    [{ crit: ['exp'] }, 'header_forbidden'],
    [{ crit: [] }, 'header_forbidden'],
    [{ jku: 'https://evil.example' }, 'header_forbidden'],
    [{ jwk: {} }, 'header_forbidden'],
    [{ x5u: null }, 'header_forbidden'],
  ])('refuses the header %j', (change, expected) => {
    expect(reason(compact({ ...HEADER, ...change }, CLAIMS))).toBe(expected);
  });

  it.each([
    [{ iss: 'agt_other' }, 'issuer_invalid'],
    [{ sub: undefined }, 'issuer_invalid'],
    [{ iss: '', sub: '' }, 'issuer_invalid'],
    [{ iss: 1, sub: 1 }, 'issuer_invalid'],
    [{ aud: ['http://127.0.0.1:8787'] }, 'audience_invalid'],
    [{ aud: undefined }, 'audience_invalid'],
    [{ iat: undefined }, 'times_invalid'],
    [{ iat: String(NOW) }, 'times_invalid'],
    [{ iat: NOW + 0.5 }, 'times_invalid'],
    [{ exp: 1e300 }, 'times_invalid'],
    [{ exp: null }, 'times_invalid'],
    [{ iat: -1 }, 'times_invalid'],
    [{ exp: NOW }, 'lifetime_invalid'],
    [{ exp: NOW - 1 }, 'lifetime_invalid'],
    [{ exp: NOW + 301 }, 'lifetime_invalid'],
    [{ jti: undefined }, 'jti_invalid'],
    [{ jti: '' }, 'jti_invalid'],
    [{ jti: 5 }, 'jti_invalid'],
    [{ jti: 'x'.repeat(161) }, 'jti_invalid'],
  ])('refuses the claims %j', (change, expected) => {
    expect(reason(compact(HEADER, { ...CLAIMS, ...change }))).toBe(expected);
  });

  it('counts the limits of jti and lifetime as allowed', () => {
    expect(reason(compact(HEADER, { ...CLAIMS, exp: NOW + 300, jti: '😀'.repeat(160) }))).toBe('ok');
  });

  it('refuses repeated keys in header and claims', () => {
    expect(reason(compact('{"alg":"none","alg":"EdDSA","kid":"k1"}', CLAIMS))).toBe('header_not_json');
    expect(reason(compact(HEADER, JSON.stringify(CLAIMS).replace('{', '{"jti":"j0",')))).toBe(
      'claims_not_json',
    );
  });

  it('refuses everything that is not canonical base64url of JSON objects', () => {
    const good = compact(HEADER, CLAIMS);
    const [h = '', c = '', s = ''] = good.split('.');
    expect(reason(good)).toBe('ok');
    for (const text of [
      '',
      'x',
      '..',
      `${h}.${c}`,
      `${good}.x`,
      `${h}..${s}`,
      `${h}.${c}.`,
      'a'.repeat(9000),
    ]) {
      expect(reason(text), text).toBe('not_compact_jws');
    }
    for (const bad of [
      `${h}=`,
      ` ${h}`,
      `${h}\n`,
      encode('[]'),
      encode('null'),
      encode('{'),
      encode('\ufeff{}'),
    ]) {
      expect(reason(`${bad}.${c}.${s}`), bad).toBe('header_not_json');
    }
    expect(reason(`${h}.${encode('"x"')}.${s}`)).toBe('claims_not_json');
    for (const bad of [
      `${s}==`,
      s.slice(0, -1),
      `${s.slice(0, -1)}${s.endsWith('A') ? 'B' : 'h'}`,
      `${s}AA`,
    ]) {
      expect(reason(`${h}.${c}.${bad}`), bad).toBe('signature_malformed');
    }
  });

  it('does not verify when header or claims are swapped for others', () => {
    const [, , signature] = compact(HEADER, CLAIMS).split('.');
    const parsed = parseAssertion(`${encode(HEADER)}.${encode({ ...CLAIMS, jti: 'j2' })}.${signature}`);
    expect(parsed.ok && verifyAssertionSignature(parsed.assertion, KEY)).toBe(false);
  });
});

describe('agent assertion, clock', () => {
  const at = (iat: number, exp: number) => judgeAssertionTimes({ ...CLAIMS, iat, exp }, NOW * 1000);
  it('allows exactly sixty seconds of skew on both sides', () => {
    expect(at(NOW + 60, NOW + 120)).toBe('valid');
    expect(at(NOW + 61, NOW + 120)).toBe('clock_skew');
    expect(at(NOW - 200, NOW - 60)).toBe('valid');
    expect(at(NOW - 200, NOW - 61)).toBe('clock_skew');
    expect(judgeAssertionTimes({ ...CLAIMS, iat: NOW + 61 }, NOW * 1000 + 999)).toBe('clock_skew');
    expect(judgeAssertionTimes({ ...CLAIMS, exp: NOW - 60, iat: NOW - 90 }, NOW * 1000 + 1)).toBe(
      'clock_skew',
    );
  });

  it('remembers a jti exactly as long as the clock would accept it', () => {
    const until = assertions.assertionReplayUntilMs({ ...CLAIMS, exp: NOW });
    expect(judgeAssertionTimes({ ...CLAIMS, iat: NOW - 10, exp: NOW }, until)).toBe('valid');
    expect(judgeAssertionTimes({ ...CLAIMS, iat: NOW - 10, exp: NOW }, until + 1)).toBe('clock_skew');
  });
});

describe('agent assertion, audience', () => {
  it('is the base URL or the token URL, one trailing slash ignored', () => {
    for (const base of ['https://pay.example', 'https://pay.example/']) {
      for (const aud of [
        'https://pay.example',
        'https://pay.example/',
        'https://pay.example/v1/agent-auth/token',
        'https://pay.example/v1/agent-auth/token/',
      ]) {
        expect(isAssertionAudience(aud, base), aud).toBe(true);
      }
      for (const aud of [
        'https://pay.example//',
        'http://pay.example',
        'https://pay.example.evil',
        'https://pay.example/v1',
        'pay.example',
        'https://PAY.example',
        '',
      ]) {
        expect(isAssertionAudience(aud, base), aud).toBe(false);
      }
    }
  });

  it('treats the three names of loopback as equal on a loopback base URL only, with the same port', () => {
    for (const base of ['http://127.0.0.1:8787', 'http://localhost:8787', 'http://[::1]:8787/']) {
      for (const host of ['127.0.0.1', 'localhost', '[::1]']) {
        expect(isAssertionAudience(`http://${host}:8787`, base), `${host} ${base}`).toBe(true);
        expect(isAssertionAudience(`http://${host}:8787/v1/agent-auth/token`, base)).toBe(true);
        expect(isAssertionAudience(`http://${host}:8788`, base)).toBe(false);
        expect(isAssertionAudience(`https://${host}:8787`, base)).toBe(false);
      }
      expect(isAssertionAudience('http://127.0.0.2:8787', base)).toBe(false);
    }
    expect(isAssertionAudience('http://localhost', 'https://pay.example')).toBe(false);
    expect(isAssertionAudience('http://localhost/app', 'http://127.0.0.1/app/')).toBe(true);
  });
});
