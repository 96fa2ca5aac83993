/**
 * Keys and what is signed with them: assertions, proofs of possession, challenges, webhooks. Imports `encoding` and
 * `tokens` only. Parsing and judging are pure; nothing that parses has a form that another reader could take otherwise.
 */
export * from './agent-assertion.ts';
export * from './credential-proof.ts';
export * from './ed25519.ts';
export * from './possession-proof.ts';
export * from './public-key.ts';
export * from './webhook-signature.ts';
