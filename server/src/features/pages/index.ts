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
import { askedLanguage, headerValues, SERVICE_DESC } from '../../http/headers.ts';
import type { Feature } from '../feature.ts';

/** The pages people use: the merchant portal, the reference wallet and the verifier. They use only the public API. */
export const pagesFeature = (): Feature => ({
  name: 'pages',
  documents: [
    ...page('/portal', 'portal/index.html', () => portalPolicy()),
    ...page('/wallet', 'wallet/index.html', (context) => walletPolicy(context.config.horizonUrl)),
    ...page('/verify', 'verify/index.html', (context, request) =>
      verifyPolicy(context.config.baseUrl, request),
    ),
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
  lost,
});

/** One document for every path below: the page itself decides which view that is. */
function page(
  path: string,
  file: string,
  policy: (context: Context, request: IncomingMessage) => Record<string, string>,
): Document[] {
  const serve = (context: Context, request: IncomingMessage): DocumentAnswer => {
    const found = bundle()?.get(file);
    if (found === undefined) return notBuiltYet();
    return serveFile(found, request, { ...PAGE_HEADERS, ...policy(context, request) });
  };
  return [
    { method: 'GET', path, serve },
    { method: 'GET', path: `${path}/*`, serve },
  ];
}

/** Guides and reference: a page for each path, written when the pages are built, and the pictures in them. */
function documentation(context: Context, request: IncomingMessage): DocumentAnswer {
  const files = bundle();
  if (files === undefined) return notBuiltYet();
  const path = pathOf(request).replace(/\/$/, '');
  const found = files.get(path === 'docs' ? 'docs/index.html' : `${path}.html`) ?? files.get(path);
  if (found !== undefined && path.startsWith('docs'))
    return serveFile(found, request, { ...PAGE_HEADERS, ...SERVICE_DESC });
  const location = movedTo(files, path);
  if (location === undefined) return lost(context, request);
  const headers = { ...PAGE_HEADERS, location };
  return { status: 308, contentType: 'text/plain; charset=utf-8', body: `It is at ${location}.\n`, headers };
}

let moves: Readonly<Record<string, string>> | undefined;

/**
 * The present path of a documentation page that was at this path before. The build writes the list, which is read once.
 */
function movedTo(files: ReadonlyMap<string, BundleFile>, path: string): string | undefined {
  const list = files.get('docs/moved.json');
  if (list === undefined) return undefined;
  moves ??= JSON.parse(list.body.toString()) as Record<string, string>;
  return Object.hasOwn(moves, `/${path}`) ? moves[`/${path}`] : undefined;
}

/** Below `/`. */
function pathOf(request: IncomingMessage): string {
  return (request.url ?? '').split('?', 1)[0]?.slice(1) ?? '';
}

/** People get the home page; for programs the root of the API is an unknown path. */
function frontDoor(_context: Context, request: IncomingMessage): DocumentAnswer {
  if (!isForPeople(request)) throw notFound();
  const found = bundle()?.get(wantsGerman(request) ? 'home/de.html' : 'home/index.html');
  if (found === undefined) return notBuiltYet();
  const answer = serveFile(found, request, { ...PAGE_HEADERS, ...SERVICE_DESC });
  return { ...answer, headers: { ...answer.headers, vary: VARIES } };
}

const VARIES = 'accept, accept-language, accept-encoding';

function isForPeople(request: IncomingMessage): boolean {
  return headerValues(request, 'accept').some((value) => /\btext\/html\b/i.test(value));
}

/** Only programs call paths below these, whatever their Accept header. */
const FOR_PROGRAMS = /^(?:v1|mcp|\.well-known|web)(?:\/|$)/;

/** A person who opens an unknown path gets a page with links; a program gets the usual error. */
function lost(_context: Context, request: IncomingMessage): DocumentAnswer {
  const found = bundle()?.get(wantsGerman(request) ? 'home/lost-de.html' : 'home/lost.html');
  if (found === undefined || !isForPeople(request) || FOR_PROGRAMS.test(pathOf(request))) throw notFound();
  const headers = { ...PAGE_HEADERS, vary: VARIES };
  return { status: 404, contentType: found.contentType, body: found.body, headers };
}

/**
 * By the page's own link, or else by the browser. Unlike other pages, the home page has no script that could choose.
 */
function wantsGerman(request: IncomingMessage): boolean {
  const chosen = /[?&]lang=(en|de)\b/.exec(request.url ?? '')?.[1];
  if (chosen !== undefined) return chosen === 'de';
  return askedLanguage(request) === 'de';
}

function asset(_context: Context, request: IncomingMessage): DocumentAnswer {
  return fileAnswer(pathOf(request), request);
}

function fileAnswer(path: string, request: IncomingMessage): DocumentAnswer {
  const found = bundle()?.get(path);
  if (found === undefined) throw notFound();
  return serveFile(found, request, {
    'cache-control': found.isHashed ? 'public, max-age=31536000, immutable' : 'no-cache',
    // The worker of the wallet serves the wallet's paths, which are not below its own.
    ...(path.endsWith('-worker.js') ? { 'service-worker-allowed': '/wallet', ...workerPolicy() } : {}),
  });
}

/** What the wallet needs to know about this installation, all of it public. */
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
      '<title>PayAssent</title><p>The pages are being built. This one reloads automatically. ' +
      'If it stays, run <code>npm run build</code> in the checkout and read its output.</p></html>',
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

/** The wallet also scans codes, works offline, and may call the one Horizon server of this installation. */
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

/**
 * Evidence is verified in the browser: the page can fetch the published keys, and nothing else. It fetches from its own
 * origin, which is any name of this installation; a policy cannot name an IPv6 address.
 */
function verifyPolicy(baseUrl: string, { headers: { host } }: IncomingMessage): Record<string, string> {
  const origin = host !== undefined && /^[\w.-]+(?::\d+)?$/.test(host) ? host : baseUrl;
  const keys = host?.startsWith('[') ? "'self'" : `${origin}/.well-known/svc-keys.json`;
  return {
    'content-security-policy': [...COMMON, `connect-src ${keys}`].join('; '),
    'permissions-policy': 'camera=(), microphone=(), geolocation=()',
  };
}

/** The worker fetches the wallet's own files again, runs nothing and calls no other origin. */
function workerPolicy(): Record<string, string> {
  return { 'content-security-policy': "default-src 'none'; connect-src 'self'" };
}

/** A built file. */
interface BundleFile extends ServedFile {
  /** Its name changes with its content, so it may be cached forever. */
  isHashed: boolean;
}

/** Next to a file, where the build has compressed it. */
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

/** The same place from `src` and from `dist`. It is moved there as a whole, so it is either complete or absent. */
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
