export * from './key.ts';
export * from './signature.ts';
export * from './statement.ts';
