import type { EvidenceFacts } from '@countersign/protocol';
import type { Domain, Evidence, RecipientVersion } from '@countersign/sdk';

const VERSION_FACTS = [
  'name',
  'rail',
  'network',
  'asset',
  'address',
  'memo',
  'contract',
  'issuer',
  'decimals',
  'chain_id',
] as const satisfies readonly (keyof RecipientVersion)[];

/** What the digest is over: the facts of the version that are there, and the proof. */
export function evidenceFacts(version: RecipientVersion, evidence: Evidence, domain: Domain): EvidenceFacts {
  const present = VERSION_FACTS.filter((name) => version[name] !== null).map((name) => [name, version[name]]);
  return {
    ...(Object.fromEntries(present) as Pick<RecipientVersion, (typeof VERSION_FACTS)[number]>),
    type: evidence.type,
    domain: domain.domain,
    method: domain.method,
    verified_at: evidence.created_at,
  };
}
