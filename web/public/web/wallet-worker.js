/*
 * Keeps the static files of the wallet, so that it opens without a network. It answers for nothing else: calls of the API
 * pass by untouched, so no answer of the service and no secret is ever kept here.
 */
const CACHE = 'countersign-wallet-files-1';
const SHELL = '/wallet';

self.addEventListener('install', (event) => {
  event.waitUntil(self.skipWaiting());
});

self.addEventListener('activate', (event) => {
  event.waitUntil(removeFormerCaches());
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== self.location.origin) return;
  if (request.mode === 'navigate' && isShell(url.pathname)) event.respondWith(shell(request));
  else if (url.pathname.startsWith('/web/assets/')) event.respondWith(asset(request));
});

function isShell(path) {
  return path === SHELL || path.startsWith(`${SHELL}/`);
}

async function removeFormerCaches() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name)));
}

/** The newest page when the service answers, the kept one when it cannot be reached. */
async function shell(request) {
  try {
    const answer = await fetch(request);
    if (answer.ok) await keep(SHELL, answer);
    return answer;
  } catch (error) {
    const kept = await (await caches.open(CACHE)).match(SHELL);
    if (kept === undefined) throw error;
    return kept;
  }
}

/** The name of an asset changes with its content: what is kept is right for ever. */
async function asset(request) {
  const kept = await (await caches.open(CACHE)).match(request.url);
  if (kept !== undefined) return kept;
  const answer = await fetch(request);
  if (answer.ok) await keep(request.url, answer);
  return answer;
}

async function keep(key, answer) {
  const cache = await caches.open(CACHE);
  await cache.put(key, answer.clone());
}
