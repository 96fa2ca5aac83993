export * from './enumerations.ts';
export * from './errors.ts';
export * from './event-types.ts';
export * from './ids.ts';
export * from './issues.ts';
export * from './tokens.ts';
