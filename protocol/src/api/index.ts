/** Every operation of the API, and what it takes to state one. */

export * from './access.ts';
export * from './agent-payments.ts';
export * from './agents.ts';
export * from './audit.ts';
export * from './automation-policies.ts';
export * from './catalogue.ts';
export * from './connect.ts';
export * from './connections.ts';
export * from './decisions.ts';
export * from './limits.ts';
export * from './merchant-accounts.ts';
export * from './merchants.ts';
export * from './operation.ts';
export * from './operators.ts';
export * from './pages.ts';
export * from './pairing.ts';
export * from './params.ts';
export * from './passkeys.ts';
export * from './payment-requests.ts';
export * from './recipients.ts';
export * from './roles.ts';
export * from './tags.ts';
export * from './transaction-contexts.ts';
export * from './value-names.ts';
export * from './wallets.ts';
export * from './webhooks.ts';
