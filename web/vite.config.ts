import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, URL } from 'node:url';
import code from 'lucide/dist/esm/icons/code-xml.mjs';
import store from 'lucide/dist/esm/icons/store.mjs';
import wallet from 'lucide/dist/esm/icons/wallet.mjs';
import { defineConfig, type Plugin } from 'vite';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

const GERMAN = /web\/src\/texts\/de\/(wallet|portal|verify)?/;

/**
 * Lists in the wallet's page every file that it loads later. Browsers ignore the list; the worker caches these files
 * with the rest, so that all of the wallet opens without a network. German texts are separate, for readers who use
 * them.
 */
const laterFiles: Plugin = {
  name: 'later-files',
  transformIndexHtml: {
    order: 'post',
    handler(html, { bundle = {}, chunk: entry, path }) {
      if (entry === undefined || !path.startsWith('/wallet/')) return;
      const files = new Map<string, 'later-files' | 'later-files-de'>();
      const names = [entry.fileName];
      for (const name of names) {
        const chunk = bundle[name];
        if (chunk?.type !== 'chunk' || files.has(name)) continue;
        const { importedCss = [], importedAssets = [] } = chunk.viteMetadata ?? {};
        const list = GERMAN.test(chunk.moduleIds[0] ?? '') ? 'later-files-de' : 'later-files';
        for (const file of [name, ...importedCss, ...importedAssets]) files.set(file, list);
        names.push(...chunk.imports, ...chunk.dynamicImports);
      }
      const later = [...files.keys()].filter((file) => !html.includes(file));
      return (['later-files', 'later-files-de'] as const).map((name) => {
        const content = later.filter((file) => files.get(file) === name).map((file) => `/${file}`);
        return { tag: 'meta', attrs: { name, content: content.join(' ') }, injectTo: 'head' };
      });
    },
  },
};

/** `<svg data-icon="wallet">` of the page without scripts becomes the icon of that name. */
const ICONS = { code, store, wallet };
const icons: Plugin = {
  name: 'icons',
  transformIndexHtml: (html) =>
    html.replace(/ data-icon="(\w+)"([^>]*>)/g, (_, name: keyof typeof ICONS, rest) => {
      const shapes = ICONS[name].map(([tag, attributes]) => {
        const list = Object.entries(attributes).map(([key, value]) => `${key}="${value}"`);
        return `<${tag} ${list.join(' ')} />`;
      });
      return `${rest}${shapes.join('')}`;
    }),
};

/** Code and data of others in the pages, whose licence has to be distributed with them. */
const CARRIED = [
  '@fontsource-variable/public-sans',
  'lucide',
  'react',
  'react-dom',
  '@tanstack/react-query',
  'qr',
];
const notices: Plugin = {
  name: 'notices',
  generateBundle() {
    const texts = CARRIED.map((name) => {
      const folders = createRequire(import.meta.url).resolve.paths(name) ?? [];
      const licence = folders.map((folder) => join(folder, name, 'LICENSE')).find(existsSync);
      if (licence === undefined) throw new Error(`${name} has no licence.`);
      return `${name}\n\n${readFileSync(licence, 'utf8').trim()}\n`;
    });
    this.emitFile({
      type: 'asset',
      fileName: 'web/notices.txt',
      source: texts.join(`\n${'-'.repeat(80)}\n\n`),
    });
  },
};

/** Only the documentation uses the meaning of an error code; pages show what to do. */
const noMeanings: Plugin = {
  name: 'no-meanings',
  enforce: 'pre',
  transform: {
    filter: { id: /protocol\/src\/errors\// },
    handler: (source) =>
      source.replace(/\bmeaning:\s+(?:'(?:[^'\\]|\\.)*'|"[^"]*"|`[^`]*`),/g, "meaning: '',"),
  },
};

/** What every page needs before it shows something. */
const BASE =
  /node_modules\/(react|react-dom|scheduler|@tanstack|wouter)\/|(sdk|protocol)\/src\/(core|errors|states|operations|outcome|agent-payments\/|connection\/(contexts|evidence)|networks\/max-amount)|preload-helper|rolldown\/runtime|web\/src\/(texts\/common|ui\/(?!qr|settlement-line|save-file|select-field|numbers))/;

/**
 * Four pages, the landing page and the page of unknown paths in each language, one build, into the folder from which
 * the service serves them. The policy of the pages allows no inline script, style or image, so nothing is inlined.
 */
export default defineConfig({
  root: here('.'),
  base: '/',
  plugins: [laterFiles, icons, notices, noMeanings],
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
        'home-de': here('home/de.html'),
        lost: here('home/lost.html'),
        'lost-de': here('home/lost-de.html'),
      },
      // A catalogue that a page does not use is left out of its files, though `translated` registers it.
      treeshake: { moduleSideEffects: [{ test: /web\/src\/texts\//, sideEffects: false }] },
      // What pages share comes in few files instead of one for every few lines: each file costs a round trip.
      output: {
        codeSplitting: {
          groups: [
            { name: 'base', test: BASE, priority: 1 },
            {
              name: (id) => `german-${GERMAN.exec(id)?.[1] ?? 'common'}`,
              test: GERMAN,
              priority: 2,
            },
            { name: 'portal-parts', test: /web\/src\/portal\/parts\//, minShareCount: 2 },
          ],
        },
      },
    },
  },
});
