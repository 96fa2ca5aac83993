import type { Merchant, OpenSession, Operator } from '@payassent/sdk';
import { queries } from '../ui/queries.ts';
import { createStore, useStore } from '../ui/store.ts';

/** Why no one is signed in: it determines the first sentence of the sign-in page. */
type OutsideReason = 'new' | 'ended' | 'signed-out' | 'signed-out-everywhere';

type SessionState =
  | { readonly place: 'unknown' }
  | { readonly place: 'unreachable'; readonly error: unknown }
  | { readonly place: 'outside'; readonly reason: OutsideReason }
  | {
      readonly place: 'inside';
      readonly merchant: Merchant;
      readonly operator: Operator;
      readonly endsAt: string;
    };

const session = createStore<SessionState>({ place: 'unknown' });

export const currentSession = session.now;

/** What one organization sees is deleted before another one, or no one, is shown. */
export function enter({ merchant, operator, session: opened }: OpenSession): void {
  const former = session.now();
  const isSame = former.place === 'inside' && former.merchant.merchant_id === merchant.merchant_id;
  if (!isSame) queries.clear();
  session.set({ place: 'inside', merchant, operator, endsAt: opened.expires_at });
}

export function leave(reason: OutsideReason): void {
  queries.clear();
  session.set({ place: 'outside', reason });
}

export function cannotReach(error: unknown): void {
  session.set({ place: 'unreachable', error });
}

/** Called for every 401: a session that the service no longer knows signs this window out, whatever was requested. */
export function noticeRefusedSession(): void {
  if (session.now().place === 'inside') leave('ended');
}

/** The organization as a response has just returned it. */
export function updateMerchant(merchant: Merchant): void {
  const state = session.now();
  if (state.place === 'inside') session.set({ ...state, merchant });
}

export function useSession(): SessionState {
  return useStore(session);
}

function useInside() {
  const state = useSession();
  if (state.place !== 'inside') throw new Error('This page is shown to signed-in operators only.');
  return state;
}

/** Only for pages of the portal that require a session. */
export function useMerchant(): Merchant {
  return useInside().merchant;
}

/** The signed-in team member, with the role. */
export function useOperator(): Operator {
  return useInside().operator;
}

/**
 * The cookie belongs to the whole browser, so signing in or out in one window affects the others. Each window notifies
 * the others, because two windows next to each other are never hidden and shown again.
 */
const channel = new BroadcastChannel('payassent-session');
const sessionChangesListeners = new Set<() => void>();
channel.addEventListener('message', suspectChange);

/** Called where someone signed in or out by hand; not where a window only followed. */
export function announceChange(): void {
  channel.postMessage(null);
}

/** What this window knows about the session may be out of date. */
export function suspectChange(): void {
  for (const listener of sessionChangesListeners) listener();
}

export function onSuspectedChange(listener: () => void): () => void {
  sessionChangesListeners.add(listener);
  return () => sessionChangesListeners.delete(listener);
}
