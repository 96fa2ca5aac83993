import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { extname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { Context } from '../../context.ts';
import { notFound } from '../../errors.ts';
import {
  type Document,
  type DocumentAnswer,
  PAGE_HEADERS,
  type ServedFile,
  serveFile,
  tagOf,
} from '../../http/document.ts';
import { headerValues } from '../../http/headers.ts';
import type { Feature } from '../feature.ts';

/** The pages people use: the merchant portal, the reference wallet and the verifier. They know only the public API. */
export const pagesFeature = (): Feature => ({
  name: 'pages',
  documents: [
    ...page('/portal', 'portal/index.html', () => portalPolicy()),
    ...page('/wallet', 'wallet/index.html', (context) => walletPolicy(context.config.horizonUrl)),
    ...page('/verify', 'verify/index.html', (context) => verifyPolicy(context.config.baseUrl)),
    { method: 'GET', path: '/docs', serve: documentation },
    { method: 'GET', path: '/docs/*', serve: documentation },
    { method: 'GET', path: '/', serve: frontDoor },
    {
      method: 'GET',
      path: '/favicon.ico',
      serve: (_context, request) => fileAnswer('web/icon.svg', request),
    },
    { method: 'GET', path: '/web/settings.json', serve: settings },
    { method: 'GET', path: '/web/*', serve: asset },
  ],
});

/** One document for every path below: which view that is, is decided in the page. */
function page(path: string, file: string, policy: (context: Context) => Record<string, string>): Document[] {
  const serve = (context: Context, request: IncomingMessage): DocumentAnswer => {
    const found = bundle()?.get(file);
    if (found === undefined) return notBuiltYet();
    return serveFile(found, request, { ...PAGE_HEADERS, ...policy(context) });
  };
  return [
    { method: 'GET', path, serve },
    { method: 'GET', path: `${path}/*`, serve },
  ];
}

/** Guides and reference: a page for each path, written when the pages are built, and the pictures in them. */
function documentation(_context: Context, request: IncomingMessage): DocumentAnswer {
  const files = bundle();
  if (files === undefined) return notBuiltYet();
  const path = pathOf(request).replace(/\/$/, '');
  const found = files.get(path === 'docs' ? 'docs/index.html' : `${path}.html`) ?? files.get(path);
  if (found === undefined || !path.startsWith('docs')) throw notFound();
  return serveFile(found, request, PAGE_HEADERS);
}

/** Below `/`. */
function pathOf(request: IncomingMessage): string {
  return (request.url ?? '').split('?', 1)[0]?.slice(1) ?? '';
}

/** People are shown the ways in; to programs the root of the API names nothing, as every unknown path. */
function frontDoor(_context: Context, request: IncomingMessage): DocumentAnswer {
  if (!headerValues(request, 'accept').some((value) => /\btext\/html\b/i.test(value))) throw notFound();
  const found = bundle()?.get(wantsGerman(request) ? 'home/de.html' : 'home/index.html');
  if (found === undefined) return notBuiltYet();
  const answer = serveFile(found, request, PAGE_HEADERS);
  return { ...answer, headers: { ...answer.headers, vary: 'accept, accept-language, accept-encoding' } };
}

/** As the page's own link says, or else the browser. The front door has no script that could choose, as other pages do. */
function wantsGerman(request: IncomingMessage): boolean {
  const chosen = /[?&]lang=(en|de)\b/.exec(request.url ?? '')?.[1];
  if (chosen !== undefined) return chosen === 'de';
  const asked = headerValues(request, 'accept-language')
    .flatMap((value) => value.split(','))
    .map((range) => /^\s*(en|de)\b[^;]*(?:;\s*q=([\d.]+))?/i.exec(range))
    .map((match) => ({
      language: match?.[1]?.toLowerCase(),
      weight: match === null ? 0 : Number(match[2] ?? 1),
    }));
  const best = asked.reduce((a, b) => (b.weight > a.weight ? b : a), { language: 'en', weight: 0 });
  return best.language === 'de';
}

function asset(_context: Context, request: IncomingMessage): DocumentAnswer {
  return fileAnswer(pathOf(request), request);
}

function fileAnswer(path: string, request: IncomingMessage): DocumentAnswer {
  const found = bundle()?.get(path);
  if (found === undefined) throw notFound();
  return serveFile(found, request, {
    'cache-control': found.isHashed ? 'public, max-age=31536000, immutable' : 'no-cache',
    // The worker of the wallet speaks for the wallet's paths, which are not below its own.
    ...(path.endsWith('-worker.js') ? { 'service-worker-allowed': '/wallet', ...workerPolicy() } : {}),
  });
}

/** What the wallet has to know about this installation, and nothing that is not public. */
function settings(context: Context): DocumentAnswer {
  const { baseUrl, horizonUrl } = context.config;
  return {
    contentType: 'application/json; charset=utf-8',
    body: JSON.stringify({ base_url: baseUrl, horizon_url: horizonUrl }),
    headers: { 'cache-control': 'no-cache' },
  };
}

/** The service is up a few seconds before a fresh checkout has built its pages. */
function notBuiltYet(): DocumentAnswer {
  return {
    status: 503,
    contentType: 'text/html; charset=utf-8',
    body:
      '<!doctype html><html lang="en"><meta charset="utf-8"><meta http-equiv="refresh" content="2">' +
      '<title>PayAssent</title><p>The pages are being built. This one reloads by itself. ' +
      'If it stays, run <code>npm run build</code> in the checkout and look at what it says.</p></html>',
    headers: { ...PAGE_HEADERS, 'retry-after': '2' },
  };
}

/** What every page may load. */
const COMMON = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "manifest-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
];

function portalPolicy(): Record<string, string> {
  return {
    'content-security-policy': [...COMMON, "connect-src 'self'"].join('; '),
    'permissions-policy': 'camera=(), microphone=(), geolocation=()',
  };
}

/** The wallet also scans codes, works offline, and may speak to the one Horizon server of this installation. */
function walletPolicy(horizonUrl: string): Record<string, string> {
  return {
    'content-security-policy': [
      ...COMMON,
      "worker-src 'self'",
      `connect-src 'self' ${new URL(horizonUrl).origin}`,
    ].join('; '),
    'permissions-policy': 'camera=(self), microphone=(), geolocation=()',
  };
}

/** Evidence is verified in the browser: the page can ask for the published keys, and for nothing else. */
function verifyPolicy(baseUrl: string): Record<string, string> {
  return {
    'content-security-policy': [...COMMON, `connect-src ${baseUrl}/.well-known/svc-keys.json`].join('; '),
    'permissions-policy': 'camera=(), microphone=(), geolocation=()',
  };
}

/** The worker fetches the wallet's own files again, runs nothing and reaches nobody else. */
function workerPolicy(): Record<string, string> {
  return { 'content-security-policy': "default-src 'none'; connect-src 'self'" };
}

/** A built file. */
interface BundleFile extends ServedFile {
  /** Its name changes with its content, so that it may be kept forever. */
  isHashed: boolean;
}

/** Beside a file, where the build has compressed it. */
const BROTLI = '.br';

const CONTENT_TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.json': 'application/json; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.woff2': 'font/woff2',
  '.webmanifest': 'application/manifest+json',
};

/** The same place from `src` and from `dist`. It is moved there whole, so that it is either complete or absent. */
const FOLDER = fileURLToPath(new URL('../../../pages/app/', import.meta.url));

let loaded: ReadonlyMap<string, BundleFile> | undefined;

/** The built pages by path below `/`, read once; nothing while they are still being built. */
function bundle(): ReadonlyMap<string, BundleFile> | undefined {
  if (loaded === undefined && existsSync(FOLDER)) loaded = readAll();
  return loaded;
}

function readAll(): ReadonlyMap<string, BundleFile> {
  const entries = readdirSync(FOLDER, { withFileTypes: true, recursive: true }).filter(
    (entry) => entry.isFile() && !entry.name.endsWith(BROTLI),
  );
  return new Map(
    entries.map((entry) => {
      const file = join(entry.parentPath, entry.name);
      const path = relative(FOLDER, file).split(sep).join('/');
      const body = readFileSync(file);
      const compressed = [
        ...(existsSync(file + BROTLI)
          ? [{ encoding: 'br' as const, body: readFileSync(file + BROTLI) }]
          : []),
        { encoding: 'gzip' as const, body: gzipSync(body) },
      ].filter((form) => form.body.length < body.length);
      const contentType = CONTENT_TYPES[extname(file)] ?? 'application/octet-stream';
      const isHashed = path.startsWith('web/assets/');
      return [path, { contentType, body, compressed, tag: tagOf(body), isHashed }];
    }),
  );
}
