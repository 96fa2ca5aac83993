import { useSyncExternalStore } from 'react';

export interface Store<Value> {
  now(): Value;
  set(value: Value): void;
  subscribe(listener: () => void): () => void;
}

/** One value outside of the components; a component that subscribes to it is drawn again when it changes. */
export function createStore<Value>(value: Value): Store<Value> {
  let current = value;
  const listeners = new Set<() => void>();
  return {
    now: () => current,
    set(next) {
      current = next;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export function useStore<Value>({ subscribe, now }: Store<Value>): Value {
  return useSyncExternalStore(subscribe, now);
}
