/** Records and operations with their schemas are ways in of their own: only they need the schema library. */

export * from './addresses/index.ts';
export * from './agent-assertion.ts';
export type * from './allowlist-entry.ts';
export * from './amounts.ts';
export * from './base64.ts';
export * from './canonical-json.ts';
export * from './credential-proof.ts';
export * from './danger.ts';
export * from './digests.ts';
export * from './display/index.ts';
export * from './ed25519.ts';
export * from './enumerations.ts';
export * from './errors.ts';
export * from './event-types.ts';
export { ExactNumber, exactJson, parseExactJson, parseJsonKeepingDigits } from './exact-json.ts';
export * from './ids.ts';
export * from './issues.ts';
export * from './networks/index.ts';
export * from './pairing.ts';
export * from './possession-proof.ts';
export * from './public-key.ts';
export * from './states/index.ts';
export * from './status-report.ts';
export * from './strict-json.ts';
export * from './tokens.ts';
export * from './webhook-signature.ts';
