/**
 * Writes the documentation as pages: guides from the Markdown of the repository, the reference from openapi.json, and
 * an index for the search. `node web/docs/build.mjs <folder of the built pages>`.
 */
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { guideFiles, renderGuide } from './guides.mjs';
import { landingPage } from './landing.mjs';
import { layout } from './layout.mjs';
import { MOVED } from './moved.mjs';
import { readCalls, referencePages, webhookPage } from './reference.mjs';
import { readSdk } from './samples.mjs';
import { resolveReferences } from './schema.mjs';
import { makeIndex, textOf } from './search-index.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (file) => readFileSync(path.join(root, file), 'utf8');

const STYLES = [
  'web/src/ui/typeface.css',
  'web/src/ui/tokens.css',
  'web/src/ui/base.css',
  'web/src/ui/brand.css',
  'web/src/ui/controls.css',
  'web/docs/site.css',
  'web/docs/pages.css',
];

/** The groups of the navigation and the order of their pages. A page in no group is reached by links and the search. */
const GROUPS = [
  ['Start', ['/docs', /^\/docs\/guides\/quick-start-/]],
  ['Guides', [/^\/docs\/guides\//]],
  ['API reference', ['/docs/guides/authentication', /^\/docs\/reference\//, '/docs/errors', '/docs/api']],
  ['Concepts', ['concepts', 'states', 'networks', 'roles', 'architecture', 'sdk', 'sdk-reference']],
  ['Run it', ['deployment', /^\/docs\/operators/, 'runbook', 'upgrading']],
  ['Verify it', [/^\/docs\/auditors/, /^\/docs\/security\//, /^\/docs\/proof/]],
  ['More', ['changelog', 'versioning', 'security', /^\/docs\/decisions\//]],
];

function grouped(pages) {
  const left = new Set(pages);
  const fits = (page, rule) =>
    rule instanceof RegExp ? rule.test(page.url) : page.url === rule || page.url === `/docs/${rule}`;
  // A group that names a page takes precedence over a pattern of an earlier group.
  const named = new Set(GROUPS.flatMap(([, rules]) => rules.filter((rule) => typeof rule === 'string')));
  return GROUPS.map(([title, rules]) => {
    const mine = rules.flatMap((rule) =>
      [...left].filter((page) => fits(page, rule) && (typeof rule === 'string' || !named.has(page.url))),
    );
    for (const page of mine) left.delete(page);
    return { title, pages: mine };
  });
}

/** The name of a file includes a hash of its content, so that browsers may cache it without revalidation. */
function hashed(target, name, content) {
  const digest = createHash('sha256').update(content).digest('base64url').slice(0, 10);
  const [stem, extension] = name.split('.');
  const file = `web/assets/${stem}-${digest}.${extension}`;
  write(target, file, content);
  return `/${file}`;
}

function write(target, file, content) {
  const place = path.join(target, file);
  mkdirSync(path.dirname(place), { recursive: true });
  writeFileSync(place, content);
}

/**
 * The typeface is shared with the other pages, which are built before these: a reader of both loads it once. When it
 * arrives after the text, it is used from the next page on: a line that breaks elsewhere would move everything below it.
 */
function styles(target) {
  const built = readdirSync(path.join(target, 'web/assets')).filter((name) => name.endsWith('.woff2'));
  return STYLES.map(read)
    .join('\n')
    .replaceAll('font-display: swap', 'font-display: optional')
    .replace(/url\("@[^"]*\/([\w-]+)\.woff2"\)/g, (_, stem) => {
      const file = built.find((name) => name.startsWith(`${stem}-`));
      if (file === undefined) throw new Error(`The pages have no ${stem}.woff2.`);
      return `url("/web/assets/${file}")`;
    });
}

/** Entries of the search index: every page, and every call. */
function searchEntries(pages, calls) {
  const ofPages = pages.map(({ url, title, kind, html, summary = '', places = [] }) => ({
    url,
    title,
    kind: kind === 'reference' ? 'Reference' : 'Guide',
    headings: places.map((place) => [place.id, place.text]),
    summary,
    // Calls and members have separate entries, or are too many to distinguish pages.
    text: kind === 'reference' || url === '/docs/sdk-reference' ? '' : textOf(html),
  }));
  const ofCalls = calls.map(({ page, operation, method, path: place, title }) => ({
    url: `${page.url}#${operation.operationId}`,
    title,
    kind: `${method} ${place}`,
    summary: `${operation.operationId} ${operation.tags[0]}`,
    text: operation.description ?? '',
  }));
  return [...ofCalls, ...ofPages];
}

/** Reads the whole documentation, before anything is written. */
export function readDocs() {
  const openApi = resolveReferences(JSON.parse(read('openapi.json')));
  const ids = readCalls(openApi).map(({ operation }) => operation.operationId);
  const sdk = readSdk(path.join(root, 'sdk/src'), ids);
  const files = guideFiles(root);
  const guides = files.map((file) => renderGuide(root, file, files));
  const reference = referencePages(openApi, sdk);
  const pages = [landingPage(), ...guides, ...reference, webhookPage(openApi)];
  const calls = reference.flatMap((page) => page.calls.map((call) => ({ ...call, page })));
  return {
    pages,
    pictures: guides.flatMap((guide) => guide.pictures),
    index: makeIndex(searchEntries(pages, calls)),
  };
}

export function buildDocs(target) {
  const { pages, pictures, index } = readDocs();
  const assets = {
    css: hashed(target, 'docs.css', styles(target)),
    js: hashed(target, 'docs.js', read('web/docs/site.js')),
    theme: hashed(target, 'docs-theme.js', read('web/docs/theme.js')),
    search: hashed(target, 'docs-search.js', read('web/docs/search.js')),
    index: hashed(target, 'docs-index.json', JSON.stringify(index)),
  };
  const groups = grouped(pages);
  for (const page of pages)
    write(
      target,
      `${page.url.slice(1)}${page.url === '/docs' ? '/index' : ''}.html`,
      layout({ page, groups, assets }),
    );
  write(target, 'docs/moved.json', JSON.stringify(MOVED));
  for (const picture of pictures) {
    mkdirSync(path.dirname(path.join(target, picture)), { recursive: true });
    copyFileSync(path.join(root, picture), path.join(target, picture));
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) buildDocs(path.resolve(process.argv[2] ?? '.'));
