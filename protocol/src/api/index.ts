/** Every operation of the API, and what it takes to state one. */
export * from './catalogue.ts';
export * from './limits.ts';
export * from './operation.ts';
export * from './pages.ts';
export * from './tags.ts';
export * from './webhooks.ts';
