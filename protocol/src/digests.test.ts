import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { evidenceDigest, factsDigest, intentDigest, payeeRecord, sha256Hex } from './digests.ts';

const ADDRESS = 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ';
const FACTS = {
  rail: 'stellar_xlm',
  network: 'stellar_testnet',
  asset: 'XLM',
  amount: '12.50',
  to: ADDRESS,
  decimals: 7,
  memo: 'INV-7',
  recipient_version_id: 'rcv_01ARYZ6S410000000000000000',
} as const;
const EVIDENCE = {
  name: 'Shop',
  rail: 'stellar_xlm',
  network: 'stellar_testnet',
  asset: 'XLM',
  address: ADDRESS,
  decimals: 7,
  domain: 'shop.example',
  method: 'dns',
  verified_at: '2026-01-02T03:04:05.678Z',
  type: 'domain_proof',
} as const;
const INTENT = {
  recipient_id: 'rcp_01ARYZ6S410000000000000000',
  payment: { amount: '12.50' },
  policy: { requires_user_approval: true },
};
/** Computed with sha256sum over the canonical text, not with this code. */
const FACTS_DIGEST = 'sha256:9159d44fea40c0e388a70c49af35082ea8e23be8be4b9bfdeb89c3323fdc6229';
const EVIDENCE_DIGEST = 'sha256:88a9a3b538147392623effb15acd09212cf11e803c3952cfe54df9eab6e6e8bc';
const BOUND_EVIDENCE_DIGEST = 'sha256:7247016f725d40c90905f2b5edf36b2fd4ccc1341d0385cb59af9c02ac2f0996';
const PAYEE_RECORD = 'svc-payee=sha256:189b7f841b9c9c74fe550e42ab7603a6f6697d06149627d160a21475475ce6c0';
const INTENT_DIGEST = '7fdd34a7615b1bbed232632024754286d2bcdd9f96c3d1ec281f721e45a6ef73';

describe('sha256Hex', () => {
  it('agrees with the examples of FIPS 180', () => {
    expect(sha256Hex('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    expect(sha256Hex(new Uint8Array())).toBe(
      'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    );
  });
});

describe('facts digest', () => {
  it('reproduces its published vector', () => {
    expect(factsDigest(FACTS)).toBe(FACTS_DIGEST);
  });

  it('leaves absent members out and ignores members that are no details', () => {
    const wider = { ...FACTS, contract: null, issuer: undefined, payee: { name: 'x' }, status: 'pending' };
    expect(factsDigest(wider)).toBe(FACTS_DIGEST);
  });

  it('changes with every single detail', () => {
    const changes = {
      rail: 'evm_erc20',
      network: 'stellar_public',
      asset: 'USD',
      amount: '12.5',
      to: 'x',
      decimals: 6,
    };
    const more = { memo: 'INV-8', recipient_version_id: 'rcv_2', contract: 'c', issuer: 'i', chain_id: 0 };
    const seen = new Set([FACTS_DIGEST]);
    for (const [name, value] of Object.entries({ ...changes, ...more })) {
      seen.add(factsDigest({ ...FACTS, [name]: value }));
    }
    expect(seen.size).toBe(12);
  });
});

describe('evidence digest', () => {
  it('reproduces its published vector', () => {
    expect(evidenceDigest(EVIDENCE)).toBe(EVIDENCE_DIGEST);
  });

  it('changes with every single detail of the version and of the proof', () => {
    const seen = new Set([EVIDENCE_DIGEST]);
    const names = [...Object.keys(EVIDENCE), 'memo', 'contract', 'issuer', 'chain_id'];
    for (const name of names) seen.add(evidenceDigest({ ...EVIDENCE, [name]: 'other' }));
    expect(seen.size).toBe(15);
  });

  it('ignores absent details and members that are none', () => {
    expect(evidenceDigest({ ...EVIDENCE, memo: null, ...{ status: 'verified' } })).toBe(EVIDENCE_DIGEST);
  });

  it('has the binding to the payee as a member, and a proof of the domain alone is what it always was', () => {
    expect(evidenceDigest({ ...EVIDENCE, binding: 'payee' })).toBe(BOUND_EVIDENCE_DIGEST);
    expect(evidenceDigest({ ...EVIDENCE, binding: 'domain' })).toBe(EVIDENCE_DIGEST);
    expect(evidenceDigest({ ...EVIDENCE, binding: null })).toBe(EVIDENCE_DIGEST);
  });
});

describe('payee record', () => {
  it('reproduces its published vector from a whole version', () => {
    expect(payeeRecord(EVIDENCE)).toBe(PAYEE_RECORD);
    expect(payeeRecord({ ...EVIDENCE, memo: null, contract: undefined })).toBe(PAYEE_RECORD);
  });

  it('changes with every single detail of the payee, and with nothing else', () => {
    const facts = ['name', 'rail', 'network', 'asset', 'address', 'memo', 'contract', 'issuer', 'decimals'];
    const seen = new Set([PAYEE_RECORD]);
    for (const name of [...facts, 'chain_id']) seen.add(payeeRecord({ ...EVIDENCE, [name]: 'other' }));
    expect(seen.size).toBe(11);
    for (const name of ['domain', 'method', 'verified_at', 'type', 'binding'])
      expect(payeeRecord({ ...EVIDENCE, [name]: 'other' })).toBe(PAYEE_RECORD);
  });
});

describe('intent digest', () => {
  it('reproduces its published vector', () => {
    expect(intentDigest(INTENT)).toBe(INTENT_DIGEST);
  });

  it('does not depend on key, ids, protocol or order of members', () => {
    const resent = {
      policy: { requires_user_approval: true },
      payment: { amount: '12.50' },
      idempotency_key: 'k-2',
      request_id: 'order-7',
      protocol: 'svc.payment_request.v1',
      connection_id: 'con_1',
      recipient_id: 'rcp_01ARYZ6S410000000000000000',
    };
    expect(intentDigest(resent)).toBe(INTENT_DIGEST);
  });

  it('changes with everything else, also inside, also when the value is equal but written differently', () => {
    expect(intentDigest({ ...INTENT, payment: { amount: '12.5' } })).not.toBe(INTENT_DIGEST);
    expect(intentDigest({ ...INTENT, metadata: { request_id: 'a' } })).not.toBe(
      intentDigest({ ...INTENT, metadata: { request_id: 'b' } }),
    );
    expect(intentDigest({ ...INTENT, display: {} })).not.toBe(INTENT_DIGEST);
    expect(intentDigest({ ...INTENT, display: null })).not.toBe(INTENT_DIGEST);
  });

  it('keeps a member called __proto__', () => {
    expect(intentDigest(JSON.parse('{"__proto__":{"a":1}}'))).not.toBe(intentDigest({}));
  });
});

describe('another SHA-256', () => {
  it('gives the same digests, also of text beyond ASCII', () => {
    const nodes = (text: string) => createHash('sha256').update(text, 'utf8').digest('hex');
    const intent = { ...INTENT, metadata: { note: 'Grüße, 日本 🎉' } };
    expect(intentDigest(intent, nodes)).toBe(intentDigest(intent));
    expect(factsDigest({ ...FACTS, memo: '🎉' }, nodes)).toBe(factsDigest({ ...FACTS, memo: '🎉' }));
    expect(intentDigest(INTENT, () => 'other')).toBe('other');
  });
});
