import type { Merchant, OpenSession, Operator } from '@payassent/sdk';
import { queries } from '../ui/queries.ts';
import { createStore, useStore } from '../ui/store.ts';

/** Why somebody stands outside: it decides what the sign-in page says first. */
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

/** What one organization sees is forgotten before another one, or nobody, is shown. */
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

/** Heard from every call: a session that the service no longer knows ends the portal, whatever was asked for. */
export function noticeRefusedSession(): void {
  if (session.now().place === 'inside') leave('ended');
}

/** The organization as an answer has just described it. */
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

/** For pages of the portal, which are shown inside only. */
export function useMerchant(): Merchant {
  return useInside().merchant;
}

/** Who is signed in, with the role. */
export function useOperator(): Operator {
  return useInside().operator;
}

/**
 * The cookie belongs to the whole browser: what one window signs in or out of, the others stand in as well. Each tells
 * the others, because two windows side by side are never hidden and come back.
 */
const channel = new BroadcastChannel('payassent-session');
const sessionChangesListeners = new Set<() => void>();
channel.addEventListener('message', suspectChange);

/** Called where somebody signed in or out by hand; not where a window only followed. */
export function announceChange(): void {
  channel.postMessage(null);
}

/** Whatever this window believes about the session may be over. */
export function suspectChange(): void {
  for (const listener of sessionChangesListeners) listener();
}

export function onSuspectedChange(listener: () => void): () => void {
  sessionChangesListeners.add(listener);
  return () => sessionChangesListeners.delete(listener);
}
