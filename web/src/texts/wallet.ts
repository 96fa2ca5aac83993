/** Texts of the wallet, by area. */
export * from './wallet/activity.ts';
export * from './wallet/connect.ts';
export * from './wallet/decision-keys.ts';
export * from './wallet/inbox.ts';
export * from './wallet/payments.ts';
export * from './wallet/policies.ts';
export * from './wallet/progress.ts';
export * from './wallet/ringing.ts';
export * from './wallet/shell.ts';
