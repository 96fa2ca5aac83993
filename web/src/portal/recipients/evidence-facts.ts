import { type EvidenceFacts, VERSION_FACT_NAMES } from '@payassent/protocol';
import type { Domain, Evidence, RecipientVersion } from '@payassent/sdk';

/** What the digest is over: the facts of the version that are there, and the proof. */
export function evidenceFacts(version: RecipientVersion, evidence: Evidence, domain: Domain): EvidenceFacts {
  const present = VERSION_FACT_NAMES.filter((name) => version[name] !== null).map((name) => [
    name,
    version[name],
  ]);
  return {
    ...(Object.fromEntries(present) as Pick<RecipientVersion, (typeof VERSION_FACT_NAMES)[number]>),
    type: evidence.type,
    domain: domain.domain,
    method: domain.method,
    verified_at: evidence.created_at,
    binding: evidence.binding,
  };
}
