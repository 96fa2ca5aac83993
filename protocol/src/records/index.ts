export * from './agent-payment.ts';
export * from './connect.ts';
export * from './decision.ts';
export * from './envelopes.ts';
export * from './evidence-bundle.ts';
export * from './figures.ts';
export * from './merchant.ts';
export * from './network.ts';
export * from './operator.ts';
export * from './payee.ts';
export * from './payment-request.ts';
/** Building blocks for schemas of responses and inputs; their short names stay out of the top level. */
export * as schema from './schema.ts';
export { Type } from './schema.ts';
export * from './settlement.ts';
export * from './webhook.ts';
