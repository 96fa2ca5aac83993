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
import { readCalls, referencePages, webhookPage } from './reference.mjs';
import { readSdk } from './samples.mjs';
import { resolveReferences } from './schema.mjs';

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

/** Which pages stand together, and in which order; what is in no group is reached by links and the search. */
const GROUPS = [
  ['Start', ['/docs', /^\/docs\/guides\/quick-start-/]],
  ['Guides', [/^\/docs\/guides\//]],
  ['API reference', ['/docs/guides/authentication', /^\/docs\/reference\//, '/docs/errors', '/docs/api']],
  [
    'Concepts',
    ['states', 'networks', 'roles', 'evidence', 'security-model', 'architecture', 'sdk', 'sdk-reference'],
  ],
  [
    'Operate',
    [
      'deployment',
      'operations',
      'runbook',
      'upgrading',
      'growth',
      'auditors',
      'drills',
      'torture',
      'bench',
      'lighthouse',
    ],
  ],
  ['More', ['changelog', 'versioning', 'security', /^\/docs\/decisions\//]],
];

function grouped(pages) {
  const left = new Set(pages);
  const fits = (page, rule) =>
    rule instanceof RegExp ? rule.test(page.url) : page.url === rule || page.url === `/docs/${rule}`;
  // What is named belongs where it is named, and not where a pattern comes first.
  const named = new Set(GROUPS.flatMap(([, rules]) => rules.filter((rule) => typeof rule === 'string')));
  return GROUPS.map(([title, rules]) => {
    const mine = rules.flatMap((rule) =>
      [...left].filter((page) => fits(page, rule) && (typeof rule === 'string' || !named.has(page.url))),
    );
    for (const page of mine) left.delete(page);
    return { title, pages: mine };
  });
}

/** Names of files that change with their content, so that they may be kept without asking again. */
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

/** The typeface is a file of the other pages, built before these: a reader of both loads it once. */
function styles(target) {
  const built = readdirSync(path.join(target, 'web/assets')).filter((name) => name.endsWith('.woff2'));
  return STYLES.map(read)
    .join('\n')
    .replace(/url\("@[^"]*\/([\w-]+)\.woff2"\)/g, (_, stem) => {
      const file = built.find((name) => name.startsWith(`${stem}-`));
      if (file === undefined) throw new Error(`The pages have no ${stem}.woff2.`);
      return `url("/web/assets/${file}")`;
    });
}

/** Entries of the search: where it is, what it is called, and which other words find it. */
function indexOf(pages, calls) {
  const ofPages = pages.map(({ url, title, kind, words = [], summary = '' }) => ({
    url,
    title,
    kind: kind === 'reference' ? 'Reference' : 'Guide',
    words: [...words, summary].join(' '),
  }));
  const ofCalls = calls.map(({ page, operation, method, path: place, title }) => ({
    url: `${page.url}#${operation.operationId}`,
    title,
    kind: `${method} ${place}`,
    words: `${operation.operationId} ${operation.tags[0]} ${operation.description ?? ''}`,
  }));
  return JSON.stringify([...ofCalls, ...ofPages]);
}

export function buildDocs(target) {
  const openApi = resolveReferences(JSON.parse(read('openapi.json')));
  const ids = readCalls(openApi).map(({ operation }) => operation.operationId);
  const sdk = readSdk(path.join(root, 'sdk/src'), ids);
  const files = guideFiles(root);
  const guides = files.map((file) => renderGuide(root, file, files));
  const reference = referencePages(openApi, sdk);
  const pages = [landingPage(), ...guides, ...reference, webhookPage(openApi)];
  const calls = reference.flatMap((page) => page.calls.map((call) => ({ ...call, page })));
  const assets = {
    css: hashed(target, 'docs.css', styles(target)),
    js: hashed(target, 'docs.js', read('web/docs/site.js')),
    index: hashed(target, 'docs-index.json', indexOf(pages, calls)),
  };
  const groups = grouped(pages);
  for (const page of pages)
    write(
      target,
      `${page.url.slice(1)}${page.url === '/docs' ? '/index' : ''}.html`,
      layout({ page, groups, assets }),
    );
  for (const picture of guides.flatMap((guide) => guide.pictures)) {
    mkdirSync(path.dirname(path.join(target, picture)), { recursive: true });
    copyFileSync(path.join(root, picture), path.join(target, picture));
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) buildDocs(path.resolve(process.argv[2] ?? '.'));
