export * from '../decision/index.ts';
export * from './entry.ts';
