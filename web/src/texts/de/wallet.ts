/** All words of the wallet. */
export * from './common.ts';
export * from './settlement.ts';
export * from './wallet/activity.ts';
export * from './wallet/connect.ts';
export * from './wallet/danger.ts';
export * from './wallet/decision-keys.ts';
export * from './wallet/first-week.ts';
export * from './wallet/history.ts';
export * from './wallet/inbox.ts';
export * from './wallet/lock.ts';
export * from './wallet/nicknames.ts';
export * from './wallet/payments.ts';
export * from './wallet/policies.ts';
export * from './wallet/progress.ts';
export * from './wallet/ringing.ts';
export * from './wallet/shell.ts';
export * from './wallet/stellar.ts';
