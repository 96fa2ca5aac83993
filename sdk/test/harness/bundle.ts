import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const file = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/**
 * The smoke script with the SDK in one file, as a bundler makes it for browsers. A Node module anywhere in it fails the
 * build: nothing is polyfilled and nothing is left out.
 */
export function bundleSmoke(format: 'esm' | 'iife'): Promise<string> {
  bundles[format] ??= bundle(format);
  return bundles[format];
}

const bundles: Partial<Record<'esm' | 'iife', Promise<string>>> = {};

async function bundle(format: 'esm' | 'iife'): Promise<string> {
  const result = await build({
    entryPoints: [file('../smoke/smoke.ts')],
    bundle: true,
    write: false,
    format,
    ...(format === 'iife' ? { globalName: 'smoke' } : {}),
    platform: 'browser',
    target: 'es2022',
    alias: {
      '@payassent/sdk': file('../../src/index.ts'),
      '@payassent/protocol/evidence': file('../../../protocol/src/evidence/index.ts'),
      '@payassent/protocol': file('../../../protocol/src/index.ts'),
    },
    logLevel: 'silent',
  });
  return result.outputFiles[0]?.text ?? '';
}
