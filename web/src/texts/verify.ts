import type { ClaimStatus, EvidenceClaim } from '@payassent/protocol/evidence';
import { translated } from './language.ts';

export const verify = translated('verify', {
  title: 'Verify an evidence bundle',
  lead: 'Choose the evidence bundle of a payment. It is verified here, in your browser, and sent nowhere.',
  bundle: 'Evidence bundle (a JSON file)',
  keys: 'Keys of the service (optional)',
  keysHint:
    'A copy of /.well-known/svc-keys.json that you kept. Without it the keys that this service publishes now are used, and you take its word for them.',
  noKeys: 'The keys of this service cannot be read: choose a file with them.',
  badKeys: 'This file is no list of keys.',
  allHold: 'Everything that is claimed holds.',
  onlyWord: "What is called the service's word is shown by no signature and no proof in this bundle.",
  broken: 'Something that is claimed does not hold.',
  claims: 'Claims',
  statuses: {
    holds: 'holds',
    broken: 'does not hold',
    not_claimed: 'not claimed',
    service_word: "the service's word",
  } satisfies Record<ClaimStatus, string>,
  marks: { holds: '✓', broken: '✗', not_claimed: '–', service_word: '•' } satisfies Record<
    ClaimStatus,
    string
  >,
  names: {
    bundle: 'One document in its one spelling',
    service_signature: 'Signed by the service',
    payee: 'The payee and the digest of its evidence',
    looked_up: 'The query of the domain',
    facts: 'The pinned details of the payment',
    created_with: 'What the request was created with',
    payee_logged: 'The payee was in the transparency log before',
    context: 'The words that were pinned',
    decision_key: 'The key of the device',
    decision: 'The decision, signed by the device',
    decision_logged: 'The decision is in the log',
    history: 'The events',
    final_logged: 'The end is in the log',
    settlement: 'What the chain showed',
    log: 'Proofs of the log',
    checkpoint: 'A checkpoint from elsewhere',
    witnesses: 'Witnesses of the log',
  } satisfies Record<EvidenceClaim, string>,
});
