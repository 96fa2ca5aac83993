export * from './act.ts';
export * from './key.ts';
export * from './key-faults.ts';
export * from './signature.ts';
export * from './statement.ts';
