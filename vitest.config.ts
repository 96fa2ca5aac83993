import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { relateFeatureTests } from './kit/src/related.ts';

const sourceOf = (name: string) => fileURLToPath(new URL(`${name}/index.ts`, import.meta.url));
const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Of each layer and not of the whole: vitest would start a second database for the latter. */
const globalSetup = [at('kit/src/global-setup.ts')];
/** Slow by nature: typed guides, kills at random, backups, crawls, upgrades of stored databases, chain nodes. */
const SLOW = ['**/*.slow.test.ts'];

export default defineConfig({
  plugins: [relateFeatureTests()],
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
      '@payassent/test-kit': at('kit/src'),
    },
  },
  test: {
    // Patience costs nothing where all is well, and a busy machine needs it.
    testTimeout: 180_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 20_000 } },
    pool: 'forks',
    // Files share what they import: a worker loads the service once instead of once per file.
    isolate: false,
    maxWorkers: 3,
    reporters: process.env['PAYASSENT_TEST_REPORT'] ? ['minimal', at('kit/src/reporter.ts')] : ['default'],
    projects: [
      {
        extends: true,
        test: {
          name: 'fast',
          include: ['{protocol,sdk,server,world,cli,web}/{src,test}/**/*.test.ts', 'torture/**/*.test.ts'],
          exclude: SLOW,
          globalSetup,
        },
      },
      {
        extends: true,
        test: {
          name: 'slow',
          include: SLOW,
          exclude: ['**/node_modules/**'],
          env: { PAYASSENT_SOUND_PAGES: 'every' },
          globalSetup,
        },
      },
    ],
  },
});
