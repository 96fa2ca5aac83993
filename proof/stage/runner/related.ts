import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';

const FEATURE_TEST = /\/server\/src\/features\/[^/]+\/[^/]+\.test\.ts$/;

/**
 * For `vitest run --changed`. A test of a feature uses the public API, so its imports name the kit and not the feature;
 * and the kit loads the service in a way that the graph of modules does not show, or every test would be related to
 * every source. Here each test of a feature gets an import of that feature, which is never executed.
 */
export function relateFeatureTests(): Plugin {
  return {
    name: 'relate-feature-tests',
    transform(code, id) {
      const [file = id] = id.split('?');
      if (!FEATURE_TEST.test(file) || !existsSync(join(dirname(file), 'index.ts'))) return undefined;
      return { code: `${code}\n;() => import('./index.ts');\n`, map: null };
    },
  };
}
