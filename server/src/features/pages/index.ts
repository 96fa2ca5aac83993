import type { IncomingMessage } from 'node:http';
import type { Context } from '../../context.ts';
import { notFound } from '../../errors.ts';
import { type Document, type DocumentAnswer, PAGE_HEADERS } from '../../http/document.ts';
import { headerValues } from '../../http/headers.ts';
import type { Feature } from '../feature.ts';
import { type BundleFile, bundle } from './bundle.ts';
import { portalPolicy, verifyPolicy, walletPolicy, workerPolicy } from './policy.ts';

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
    return answerWith(found, request, { ...PAGE_HEADERS, ...policy(context) });
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
  return answerWith(found, request, PAGE_HEADERS);
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
  const answer = answerWith(found, request, PAGE_HEADERS);
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
  return answerWith(found, request, {
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

function answerWith(
  file: BundleFile,
  request: IncomingMessage,
  headers: Record<string, string>,
): DocumentAnswer {
  const { contentType, body, compressed, tag } = file;
  const common = { ...headers, vary: 'accept-encoding', etag: tag };
  if (headerValues(request, 'if-none-match').some((value) => value.includes(tag)))
    return { status: 304, contentType, body: '', headers: common };
  const taken = headerValues(request, 'accept-encoding').join();
  const form = compressed.find(({ encoding }) => new RegExp(`\\b${encoding}\\b`).test(taken));
  if (form === undefined) return { contentType, body, headers: common };
  return { contentType, body: form.body, headers: { ...common, 'content-encoding': form.encoding } };
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
