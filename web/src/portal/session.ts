import type { Merchant, OpenSession, Operator } from '@payassent/sdk';
import { useSyncExternalStore } from 'react';
import { queries } from '../ui/queries.ts';

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

let state: SessionState = { place: 'unknown' };
const listeners = new Set<() => void>();

function become(next: SessionState): void {
  state = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function currentSession(): SessionState {
  return state;
}

/** What one organization sees is forgotten before another one, or nobody, is shown. */
export function enter({ merchant, operator, session }: OpenSession): void {
  const isSame = state.place === 'inside' && state.merchant.merchant_id === merchant.merchant_id;
  if (!isSame) queries.clear();
  become({ place: 'inside', merchant, operator, endsAt: session.expires_at });
}

export function leave(reason: OutsideReason): void {
  queries.clear();
  become({ place: 'outside', reason });
}

export function cannotReach(error: unknown): void {
  become({ place: 'unreachable', error });
}

/** Heard from every call: a session that the service no longer knows ends the portal, whatever was asked for. */
export function noticeRefusedSession(): void {
  if (state.place === 'inside') leave('ended');
}

/** The organization as an answer has just described it. */
export function updateMerchant(merchant: Merchant): void {
  if (state.place === 'inside') become({ ...state, merchant });
}

export function useSession(): SessionState {
  return useSyncExternalStore(subscribe, currentSession);
}

/** For pages of the portal, which are shown inside only. */
export function useMerchant(): Merchant {
  const session = useSession();
  if (session.place !== 'inside') throw new Error('This page is shown to signed-in operators only.');
  return session.merchant;
}

/** Who is signed in, with the role. */
export function useOperator(): Operator {
  const session = useSession();
  if (session.place !== 'inside') throw new Error('This page is shown to signed-in operators only.');
  return session.operator;
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
