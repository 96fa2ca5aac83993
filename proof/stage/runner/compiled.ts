import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const SOURCE = /^(protocol|sdk|server|cli)\/src\/(.+?)(?<!\.test)\.ts$/;

/** For `server.deps.external` of vitest: Node loads these files itself. */
export const COMPILED = /\/(protocol|sdk|server|cli)\/(dist|vendor)\//;

/**
 * For `npm run check`, which has compiled the packages: tests load what users get, and no worker transforms a source,
 * which was a tenth of the processor time of all tests. `vitest run --changed` needs the sources in its graph.
 */
export function useCompiled(): Plugin {
  return {
    name: 'use-compiled',
    enforce: 'pre',
    resolveId(wanted, importer) {
      const file =
        wanted.startsWith('.') && importer !== undefined ? resolve(dirname(importer), wanted) : wanted;
      const [, workspace, path] = SOURCE.exec(file.startsWith(ROOT) ? file.slice(ROOT.length) : '') ?? [];
      if (workspace === undefined) return undefined;
      const compiled = `${ROOT}${workspace}/dist/${path}.js`;
      // Loaded too, its source would be another module with separate state.
      if (!existsSync(compiled)) throw new Error(`${file} is not compiled: run "npm run compile".`);
      return compiled;
    },
  };
}
