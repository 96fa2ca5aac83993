import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const sourceOf = (name: string) => fileURLToPath(new URL(`${name}/index.ts`, import.meta.url));

export default defineConfig({
  resolve: {
    alias: {
      '@payassent/protocol/api': sourceOf('protocol/src/api'),
      '@payassent/protocol/evidence': sourceOf('protocol/src/evidence'),
      '@payassent/protocol/log': sourceOf('protocol/src/log'),
      '@payassent/protocol/records': sourceOf('protocol/src/records'),
      '@payassent/protocol': sourceOf('protocol/src'),
      '@payassent/sdk/node': sourceOf('sdk/src/node'),
      '@payassent/sdk/tools': sourceOf('sdk/src/tools'),
      '@payassent/sdk': sourceOf('sdk/src'),
      '@payassent/world': sourceOf('world/src'),
      '@payassent/test-kit': fileURLToPath(new URL('kit/src', import.meta.url)),
    },
  },
  test: {
    include: ['{protocol,sdk,server,world,cli,web}/{src,test}/**/*.test.ts', 'torture/**/*.test.ts'],
    // Patience costs nothing where all is well, and a busy machine needs it.
    testTimeout: 180_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 20_000 } },
    pool: 'forks',
    // Files share what they import: a worker loads the service once instead of once per file.
    isolate: false,
    maxWorkers: 3,
    globalSetup: ['kit/src/global-setup.ts'],
  },
});
