import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { canonicalJson, evidenceDigest, payeeRecord } from '@payassent/protocol';
import { expect, it } from 'vitest';

const text = readFileSync(new URL('../../docs/auditors/payee-proof.md', import.meta.url), 'utf8');

it('the published example of an evidence digest is right, and canonical as it is', () => {
  const line = /^\{"address".*"verified_at":.*\}$/m.exec(text)?.[0] ?? '';
  const digest = /^sha256:[0-9a-f]{64}$/m.exec(text)?.[0];
  expect(`sha256:${createHash('sha256').update(line, 'utf8').digest('hex')}`).toBe(digest);
  expect(canonicalJson(JSON.parse(line))).toBe(line);
  expect(evidenceDigest(JSON.parse(line))).toBe(digest);
});

it('the published example of a payee record is right, and canonical as it is', () => {
  const line = /^\{"address"[^\n]*"rail":"stellar_xlm"\}$/m.exec(text)?.[0] ?? '';
  const record = /^svc-payee=sha256:[0-9a-f]{64}$/m.exec(text)?.[0];
  expect(`svc-payee=sha256:${createHash('sha256').update(line, 'utf8').digest('hex')}`).toBe(record);
  expect(canonicalJson(JSON.parse(line))).toBe(line);
  expect(payeeRecord(JSON.parse(line))).toBe(record);
});
