import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import base from '../vitest.config.ts';

const { projects: _, ...test } = base.test ?? {};

/** Apart from the other tests: what these need is installed in this folder only. */
export default defineConfig({
  ...base,
  test: {
    ...test,
    include: ['openapi-tools/*.test.ts'],
    globalSetup: [fileURLToPath(new URL('../proof/stage/runner/global-setup.ts', import.meta.url))],
  },
});
