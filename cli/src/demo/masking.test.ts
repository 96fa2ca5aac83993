import { describe, expect, it } from 'vitest';
import { maskHeaders, maskJson, maskText } from './masking.ts';

const TOKEN = 'svc_ct_3kTMd9QZyq5FbXv1mJcE7wR2uLhN8sGpA0';
const JWS = 'eyJhbGciOiJFZERTQSJ9.eyJpc3MiOiJhZ3QifQ.c2lnbmF0dXJl';

describe('the narration', () => {
  it('shortens every token, wherever it stands, and nothing else', () => {
    expect(maskText(`http://127.0.0.1/portal/verify#token=${TOKEN} and more`)).toBe(
      'http://127.0.0.1/portal/verify#token=svc_ct_3kTM… and more',
    );
    expect(maskText('svc_key_test_abcdefghij whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw+/=')).toBe(
      'svc_key_test_abcd… whsec_MfKQ…',
    );
    const harmless = 'svc-domain-verification=2fu5qi2u _svc-challenge.shop.example svc.payment_request.v1';
    expect(maskText(harmless)).toBe(harmless);
  });

  it('shortens what proves possession by its name, at any depth', () => {
    expect(
      maskJson({
        csrf_token: 'czkpJ9zQ',
        list: [{ assertion: JWS, name: 'shown', count: 1, none: null }],
        signature: 'q83vEjRWeJA',
      }),
    ).toEqual({
      csrf_token: 'czkp…',
      list: [{ assertion: 'eyJh…', name: 'shown', count: 1, none: null }],
      signature: 'q83v…',
    });
    expect(
      maskHeaders([
        ['authorization', `Bearer ${JWS}`],
        ['cookie', 'svc_session=abcdefghijkl'],
        ['webhook-signature', 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN='],
        ['x-idempotency-key', 'order-1'],
      ]),
    ).toEqual({
      authorization: 'Bearer eyJh…',
      cookie: 'svc_session=abcd…',
      'webhook-signature': 'v1,K5oZ…',
      'x-idempotency-key': 'order-1',
    });
  });
});
