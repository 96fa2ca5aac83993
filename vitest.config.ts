import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { COMPILED, useCompiled } from './proof/stage/runner/compiled.ts';
import { LongestFirst } from './proof/stage/runner/longest-first.ts';
import { relateFeatureTests } from './proof/stage/runner/related.ts';

const sourceOf = (name: string) => fileURLToPath(new URL(`${name}/index.ts`, import.meta.url));
const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Of each layer and not of the whole: vitest would start a second database for the latter. */
const globalSetup = [at('proof/stage/runner/global-setup.ts')];
/** Slow by nature: typed guides, kills at random, backups, crawls, upgrades of stored databases, chain nodes. */
const SLOW = ['**/*.slow.test.ts'];

const isCheck = process.env['PAYASSENT_TEST_COMPILED'] === 'on';

/** Of each project, and not inherited: what a project inherits counts more than an option of the command line. */
const shared = {
  plugins: [isCheck ? useCompiled() : relateFeatureTests()],
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
      '@payassent/proof': at('proof/stage'),
    },
  },
};

const sharedTest = {
  // Patience costs nothing where all is well, and a busy machine needs it.
  testTimeout: 180_000,
  hookTimeout: 240_000,
  expect: { poll: { timeout: 20_000 } },
  pool: 'forks' as const,
  // As `npm start`: what a call leaves behind is collected while it is young, which costs a tenth less processor time.
  execArgv: ['--max-semi-space-size=32'],
  // Files share what they import: a worker loads the service once instead of once per file.
  isolate: false,
  server: { deps: { external: [COMPILED] } },
  globalSetup,
};

export default defineConfig({
  test: {
    // Twice the cores of the smallest machine: most of a test is waiting for the database or the browser.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
    reporters: process.env['PAYASSENT_TEST_REPORT']
      ? ['minimal', at('proof/stage/runner/reporter.ts')]
      : ['default'],
    projects: [
      {
        ...shared,
        test: {
          ...sharedTest,
          name: 'fast',
          include: ['{protocol,sdk,server,cli,web}/{src,test}/**/*.test.ts', 'proof/**/*.test.ts'],
          exclude: SLOW,
        },
      },
      {
        ...shared,
        test: {
          ...sharedTest,
          name: 'slow',
          include: SLOW,
          exclude: ['**/node_modules/**'],
          env: { PAYASSENT_SOUND_PAGES: 'every' },
        },
      },
    ],
  },
});
