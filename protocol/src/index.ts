/** Records and operations with their schemas have separate entry points: only they need the schema library. */

export * from './addresses/index.ts';
export * from './amounts.ts';
export * from './danger.ts';
export * from './digests.ts';
export * from './display/index.ts';
export * from './encoding/index.ts';
export * from './enumerations.ts';
export * from './errors.ts';
export * from './event-types.ts';
export * from './ids.ts';
export * from './issues.ts';
export * from './languages.ts';
export * from './networks/index.ts';
export * from './pairing.ts';
export * from './proofs/index.ts';
export * from './sign-in.ts';
export * from './states/index.ts';
export * from './status-report.ts';
export * from './tokens.ts';
