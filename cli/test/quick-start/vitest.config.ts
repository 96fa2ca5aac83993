import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import suite from '../../../vitest.config.ts';

/** The scenario inside of its namespaces; quick-start.slow.test.ts starts it. */
export default defineConfig({
  root: fileURLToPath(new URL('../../../', import.meta.url)),
  resolve: suite.resolve ?? {},
  test: {
    include: ['cli/test/quick-start/scenario.ts'],
    testTimeout: 3_000_000,
    pool: 'forks',
    maxWorkers: 1,
  },
});
