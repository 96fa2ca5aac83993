/**
 * The token of a mailed link stands behind the `#`, which no browser sends to a server. It is taken out of the address
 * before anything is drawn, so that neither the history nor a shared address carries it, and is kept in this variable
 * and nowhere else.
 */
let token: string | undefined;
const listeners = new Set<() => void>();

function takeFromAddress(): void {
  if (!/\/portal\/verify\/?$/.test(location.pathname) || location.hash === '') return;
  token = new URLSearchParams(location.hash.slice(1)).get('token') ?? undefined;
  history.replaceState(null, '', location.pathname);
  for (const listener of listeners) listener();
}

takeFromAddress();
// A second link opened in the same tab changes only the part behind the #.
addEventListener('hashchange', takeFromAddress);

export function linkToken(): string | undefined {
  return token;
}

export function forgetLinkToken(): void {
  token = undefined;
}

export function onNewLink(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
