/*
 * Caches the static files of the wallet, so that it opens without a network, from the first visit on. It handles no
 * other request: calls of the API pass through, so neither a response of the service nor a secret is ever cached here.
 * It also shows a notification when the service sends a push message: only what kind of thing waits, and how many.
 */
const CACHE = 'payassent-wallet-files-1';
const SHELL = '/wallet';
const ASSET = /\/web\/assets\/[\w.-]+/g;
/** The page registers this worker with its language in the query. */
const LANGUAGE = new URL(self.location).searchParams.get('language') ?? 'en';
/** Files of languages that this page does not use are not fetched. */
const OTHER_LANGUAGE = new RegExp(`<meta name="later-files-(?!${LANGUAGE}\\b)\\w+"[^>]*>`, 'g');

self.addEventListener('install', (event) => {
  event.waitUntil(install());
});

self.addEventListener('activate', (event) => {
  event.waitUntil(activate());
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== self.location.origin) return;
  if (request.mode === 'navigate' && isShell(url.pathname)) event.respondWith(shell(event));
  else if (url.pathname.startsWith('/web/assets/')) event.respondWith(asset(request));
});

self.addEventListener('push', (event) => {
  event.waitUntil(ring(event.data));
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(openWallet());
});

const WORDS = {
  en: {
    payment_request: 'A payment waits for your decision',
    agent_payment: 'A payment of your agent waits',
    invitation: 'An agent asks to be connected',
    policy: 'A spending policy waits for your consent',
    wallet_change: 'The keys of your wallet are about to change',
    other: 'Something waits in your wallet',
    one: 'Open your wallet to decide.',
    many: (waiting) => `${waiting} things wait in your wallet.`,
  },
  de: {
    payment_request: 'Eine Zahlung wartet auf Ihre Entscheidung',
    agent_payment: 'Eine Zahlung Ihres Agenten wartet',
    invitation: 'Ein Agent bittet um eine Verbindung',
    policy: 'Eine Regel für automatische Zahlungen wartet auf Ihre Zustimmung',
    wallet_change: 'Die Schlüssel Ihrer Wallet sollen geändert werden',
    other: 'In Ihrer Wallet wartet etwas',
    one: 'Öffnen Sie Ihre Wallet, um zu entscheiden.',
    many: (waiting) => `In Ihrer Wallet warten ${waiting} Dinge.`,
  },
};
const KINDS = ['payment_request', 'agent_payment', 'invitation', 'policy', 'wallet_change'];

/** A browser revokes the push permission of a page that shows nothing, so something is shown in any case. */
async function ring(data) {
  const { kind, waiting } = readMessage(data);
  const words = WORDS[LANGUAGE === 'de' ? 'de' : 'en'];
  const title = words[KINDS.includes(kind) ? kind : 'other'];
  const body = waiting > 1 ? words.many(waiting) : words.one;
  // Not awaited: some browsers never settle it, and the notification must not wait for a badge.
  self.navigator.setAppBadge?.(waiting).catch(() => undefined);
  await self.registration.showNotification(title, {
    body,
    tag: 'waiting',
    renotify: true,
    icon: '/web/icon-192.png',
  });
}

function readMessage(data) {
  try {
    const { kind, waiting } = data.json();
    return { kind: String(kind), waiting: Number.isSafeInteger(waiting) && waiting > 0 ? waiting : 1 };
  } catch {
    return { kind: '', waiting: 1 };
  }
}

async function openWallet() {
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const open = pages.find((page) => isShell(new URL(page.url).pathname));
  if (open === undefined) await self.clients.openWindow(SHELL);
  else await open.focus();
}

function isShell(path) {
  return path === SHELL || path.startsWith(`${SHELL}/`);
}

/** The first visit loaded its files before there was a worker: they are fetched again for its cache. */
async function install() {
  const answer = await fetch(SHELL);
  if (!answer.ok) throw new Error(`The wallet answered ${answer.status}.`);
  await keepShell(answer);
  await self.skipWaiting();
}

async function activate() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name)));
  await self.clients.claim();
}

/** The newest page when the service responds, the cached one when it cannot be reached. */
async function shell(event) {
  try {
    const answer = await fetch(event.request);
    // What cannot be cached now is cached at the next visit; until then the previous page stays whole.
    if (answer.ok) event.waitUntil(keepNewShell(answer.clone()).catch(() => undefined));
    return answer;
  } catch (error) {
    const kept = await (await caches.open(CACHE)).match(SHELL);
    if (kept === undefined) throw error;
    return kept;
  }
}

async function keepNewShell(answer) {
  const former = await (await caches.open(CACHE)).match(SHELL);
  if (former === undefined || (await former.text()) !== (await answer.clone().text()))
    await keepShell(answer);
}

/**
 * First the files that a page names, then the page, then the previous page's files are deleted: the cache always holds
 * one whole page.
 */
async function keepShell(answer) {
  const cache = await caches.open(CACHE);
  const html = await answer.clone().text();
  const named = new Set(html.replace(OTHER_LANGUAGE, '').match(ASSET));
  await Promise.all([...named].map((path) => keepAsset(cache, path)));
  await cache.put(SHELL, answer);
  const kept = await cache.keys();
  const isLeftOver = ({ url }) => !named.has(new URL(url).pathname) && new URL(url).pathname !== SHELL;
  await Promise.all(kept.filter(isLeftOver).map((request) => cache.delete(request)));
}

async function keepAsset(cache, path) {
  if ((await cache.match(path)) === undefined) await cache.add(path);
}

/** The name of an asset changes with its content, so a cached one never goes out of date. */
async function asset(request) {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(request.url);
  if (kept !== undefined) return kept;
  const answer = await fetch(request);
  if (answer.ok) await cache.put(request.url, answer.clone());
  return answer;
}
