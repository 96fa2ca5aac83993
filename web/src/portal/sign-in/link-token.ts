/**
 * The token of a mailed link is in the fragment, which no browser sends to a server. It is removed from the address
 * before anything is drawn, so that neither the history nor a shared address carries it, and is held only in this
 * variable.
 */
let held: { page: LinkedPage; token: string | undefined } | undefined;
const listeners = new Set<() => void>();

/** Pages that mailed links lead to. */
type LinkedPage = 'verify' | 'cancel-passkey';

function takeFromAddress(): void {
  const page = /\/portal\/(verify|cancel-passkey)\/?$/.exec(location.pathname)?.[1] as LinkedPage | undefined;
  if (page === undefined || location.hash === '') return;
  held = { page, token: new URLSearchParams(location.hash.slice(1)).get('token') ?? undefined };
  history.replaceState(null, '', location.pathname);
  for (const listener of listeners) listener();
}

takeFromAddress();
// A second link opened in the same tab changes only the fragment.
addEventListener('hashchange', takeFromAddress);

export function linkToken(page: LinkedPage): string | undefined {
  return held?.page === page ? held.token : undefined;
}

export function forgetLinkToken(): void {
  held = undefined;
}

export function onNewLink(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
