export * from '../decision/index.ts';
export { EVIDENCE_PROFILE } from './bundle.ts';
export type { ClaimOutcome, ClaimStatus } from './claims.ts';
export * from './entry.ts';
export { isLogDomain } from './log-domain.ts';
export {
  type EvidenceClaim,
  type PublishedKey,
  type Verification,
  type VerifiedClaim,
  verifyEvidence,
} from './verify.ts';
