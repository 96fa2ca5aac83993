import { defineConfig } from 'vitest/config';
import base from '../vitest.config.ts';

/** Apart from the other tests: what these need is installed in this folder only. */
export default defineConfig({
  ...base,
  test: { ...base.test, include: ['openapi-tools/*.test.ts'], testTimeout: 180_000, hookTimeout: 180_000 },
});
