import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const protocol = fileURLToPath(new URL('protocol/src/index.ts', import.meta.url));

export default defineConfig({
  resolve: { alias: { '@countersign/protocol': protocol } },
  test: {
    include: ['{protocol,server}/{src,test}/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    pool: 'forks',
    maxWorkers: 2,
    globalSetup: ['server/test/harness/global-setup.ts'],
  },
});
