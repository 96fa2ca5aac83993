/**
 * The cookie belongs to the whole browser: what one window signs in or out of, the others stand in as well. Each tells
 * the others, because two windows side by side are never hidden and come back.
 */
const channel = new BroadcastChannel('payassent-session');
const listeners = new Set<() => void>();
channel.addEventListener('message', suspectChange);

/** Called where somebody signed in or out by hand; not where a window only followed. */
export function announceChange(): void {
  channel.postMessage(null);
}

/** Whatever this window believes about the session may be over. */
export function suspectChange(): void {
  for (const listener of listeners) listener();
}

export function onSuspectedChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
