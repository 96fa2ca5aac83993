import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import suite from '../../vitest.config.ts';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Long runs that are no part of the suite: `npx vitest run --config proof/torture/vitest.config.ts [name]`. */
export default defineConfig({
  root: at('../../'),
  resolve: suite.resolve ?? {},
  test: {
    include: ['proof/torture/**/*.torture.ts'],
    testTimeout: 900_000,
    hookTimeout: 120_000,
    pool: 'forks',
    maxWorkers: 1,
    fileParallelism: false,
    globalSetup: [at('../stage/runner/global-setup.ts')],
  },
});
