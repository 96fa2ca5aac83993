import type { Static } from 'typebox';
import { constant, freeObject, nullableFreeObject, record, Type, text, time } from './schema.ts';

export const EvidenceBundleSchema = record(
  'EvidenceBundle',
  'Everything that proves the outcome of a payment, in RFC 8785 form: written again, it is the bytes that were served.',
  {
    profile: constant('svc.evidence.v1', 'The format.'),
    service: record('EvidenceService', 'Whose word it is.', { origin: text('The base URL of the service.') }),
    payee: nullableFreeObject(
      "The payee's facts and what they rest on; null for a payment to a bare address.",
    ),
    request: freeObject(
      'The record as it was created, with `intent_digest` (64 hex digits without a prefix); its payee has no `is_current`.',
    ),
    agent: freeObject('The agent, with the newest key that it had proved.'),
    context: nullableFreeObject('The words that were pinned; null when there were none.'),
    decision: nullableFreeObject('What the customer decided, with the key that signed it; null before.'),
    history: Type.Array(freeObject('An event; one that no wallet reported has a signature of the service.'), {
      description: "The request's events, oldest first.",
    }),
    settlement: nullableFreeObject("What the chain showed, where it is observed: the service's word."),
    log: record('EvidenceLog', 'What the transparency log has of it.', {
      entries: Type.Array(freeObject('An entry with its salt, content and proof.'), {
        description: 'In the order of the log; those that wait come last.',
      }),
    }),
    as_of: time('When this was put together.'),
    signature: record('EvidenceSignature', "By the service's evidence key, over everything else.", {
      kid: text('Which of the published keys.'),
      value: text('Ed25519, base64url without padding.'),
    }),
  },
);
export type EvidenceBundle = Static<typeof EvidenceBundleSchema>;
