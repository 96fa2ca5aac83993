import { fileURLToPath, URL } from 'node:url';
import { defineConfig } from 'vite';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/**
 * Four pages, one build, into the folder from which the service serves them. The policy of the pages allows no inline
 * script, style or image, so nothing is inlined.
 */
export default defineConfig({
  root: here('.'),
  base: '/',
  resolve: {
    alias: {
      '@payassent/protocol/api': here('../protocol/src/api/index.ts'),
      '@payassent/protocol/evidence': here('../protocol/src/evidence/index.ts'),
      '@payassent/protocol/log': here('../protocol/src/log/index.ts'),
      '@payassent/protocol': here('../protocol/src/index.ts'),
      '@payassent/sdk': here('../sdk/src/index.ts'),
    },
  },
  build: {
    outDir: here('../server/pages/app'),
    emptyOutDir: true,
    assetsDir: 'web/assets',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2022',
    cssTarget: ['chrome123', 'safari17.5', 'firefox120'],
    reportCompressedSize: false,
    rolldownOptions: {
      input: {
        portal: here('portal/index.html'),
        wallet: here('wallet/index.html'),
        verify: here('verify/index.html'),
        home: here('home/index.html'),
      },
    },
  },
});
