import { register } from 'node:module';

/* Node 20 has no fs.globSync, which the conformance suite imports for a command that is not used here. */

const fs = `export * from 'node:fs'; export { default } from 'node:fs'; export const globSync = undefined;`;
const hooks = `
const FS = 'data:text/javascript,' + encodeURIComponent(${JSON.stringify(fs)});
export const resolve = (specifier, context, next) =>
  specifier === 'fs' ? { url: FS, shortCircuit: true } : next(specifier, context);
`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
