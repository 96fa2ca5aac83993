/** The worker keeps the static files, so that the wallet opens without a network. Without it everything works as well. */
export function registerWorker(): void {
  if (!('serviceWorker' in navigator)) return;
  navigator.serviceWorker.register('/web/wallet-worker.js', { scope: '/wallet' }).catch(() => undefined);
}
